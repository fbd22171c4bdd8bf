"""The lines of a game on the way to an exception, without those of the engine and of libraries."""

from __future__ import annotations

import importlib.metadata
import traceback
from types import TracebackType

from renderwright.engine.code_lines import lines_of_code, top_package
from renderwright.engine.entry_points import GAMES
from renderwright.engine.own_folders import OWN_FOLDERS
from renderwright.render.errors import SourceLocation


def lines_of_game(calls: TracebackType | None) -> list[traceback.FrameSummary]:
    """The lines of a traceback that are a game's, from the outermost on."""
    installed = {top_package(point.module) for point in importlib.metadata.entry_points(group=GAMES)}
    return lines_of_code(calls, installed, OWN_FOLDERS)


def last_place(lines: list[traceback.FrameSummary]) -> SourceLocation | None:
    """The place of the innermost of these lines, None if there are none."""
    return SourceLocation(lines[-1].filename, lines[-1].lineno or 0) if lines else None
