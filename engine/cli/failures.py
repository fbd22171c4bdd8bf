"""What a person sees of an exception: the lines of the game, without those of the engine and of libraries."""

from __future__ import annotations

import traceback
from pathlib import Path

from renderwright import engine
from renderwright.engine.code_lines import missing_data
from renderwright.engine.game_lines import last_place, lines_of_game
from renderwright.engine.meant_names import meant_name
from renderwright.render.debugging import debug_advice
from renderwright.render.errors import SourceLocation

_RUNNER = str(Path(engine.__path__[0]) / "game.py")
"""The file whose functions call those of a game."""


def place_of(error: BaseException) -> SourceLocation | None:
    """The line of a game that an exception comes from, or None."""
    return last_place(_lines_of_game(error))


def described(error: Exception) -> tuple[str, str] | None:
    """An exception of a game's code as a message and further lines; None if the engine's own code is at fault."""
    place = place_of(error)
    if place is None:
        return None
    lines = _lines_of_game(error)
    calls = "".join(traceback.format_list(lines))
    meant = _too_early(error) or meant_name(error) or missing_data(error, lines)
    hint = f"{meant}\n" if meant else ""
    return f"{place}: {type(error).__name__}: {error}", f"{hint}{calls}{debug_advice()}"


def _too_early(error: BaseException) -> str:
    """What to do about a game that needs its context before it has one, '' if that is not the error."""
    from renderwright.engine.game import Game

    if isinstance(error, AttributeError) and error.name == "context" and isinstance(error.obj, Game):
        return "the context exists from setup(self, context) on: move there what needs it"
    return ""


def _lines_of_game(error: BaseException) -> list[traceback.FrameSummary]:
    """The lines of a game on the way to an exception, from the outermost on; empty if no game was called."""
    calls = error.__traceback__
    while calls is not None and calls.tb_frame.f_code.co_filename != _RUNNER:
        calls = calls.tb_next
    return lines_of_game(calls)
