"""What a person sees of an exception: the lines of the game, without those of the engine and of libraries."""

from __future__ import annotations

import os
import sysconfig
import traceback
from pathlib import Path

import click

from renderwright import engine, render
from renderwright.render.errors import SourceLocation

_RUNNER = str(Path(engine.__path__[0]) / "game.py")
"""The file whose functions call those of a game."""

_FOLDERS = tuple(
    f"{folder}{os.sep}"
    for folder in (
        *(package.__path__[0] for package in (engine, render)),
        Path(click.__file__).parents[1],
        *(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")),
    )
)


def place_of(error: BaseException) -> SourceLocation | None:
    """The line of a game that an exception comes from, or None."""
    lines = _lines_of_game(error)
    return SourceLocation(lines[-1].filename, lines[-1].lineno or 0) if lines else None


def described(error: Exception) -> tuple[str, str] | None:
    """An exception of a game's code as a message and further lines; None if the engine's own code is at fault."""
    place = place_of(error)
    if place is None:
        return None
    calls = "".join(traceback.format_list(_lines_of_game(error)))
    return f"{place}: {type(error).__name__}: {error}", f"{calls}RENDERWRIGHT_DEBUG=1 shows the whole traceback"


def _lines_of_game(error: BaseException) -> list[traceback.FrameSummary]:
    """The lines of a game on the way to an exception, from the outermost on; empty if no game was called."""
    frames = traceback.extract_tb(error.__traceback__)
    called = next((number for number, frame in enumerate(frames) if frame.filename == _RUNNER), len(frames))
    return [frame for frame in frames[called:] if not frame.filename.startswith(("<", *_FOLDERS))]
