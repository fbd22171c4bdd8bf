"""The lines of a game on the way to an exception, without those of the engine and of libraries."""

from __future__ import annotations

import os
import sysconfig
import traceback
from collections.abc import Iterable
from pathlib import Path

import click

from renderwright.engine.own_folders import OWN_FOLDERS
from renderwright.render.errors import SourceLocation

_LIBRARIES = tuple(
    f"{folder}{os.sep}"
    for folder in (
        Path(click.__file__).parents[1],
        *(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")),
    )
)


def lines_of_game(frames: Iterable[traceback.FrameSummary]) -> list[traceback.FrameSummary]:
    """Those of a traceback's frames that run lines of a game, from the outermost on."""
    return [frame for frame in frames if not frame.filename.startswith(("<", *OWN_FOLDERS, *_LIBRARIES))]


def last_place(lines: list[traceback.FrameSummary]) -> SourceLocation | None:
    """The place of the innermost of these lines, None if there are none."""
    return SourceLocation(lines[-1].filename, lines[-1].lineno or 0) if lines else None
