"""The line of a game or plugin that called the engine, for error messages."""

from __future__ import annotations

import dataclasses
import functools
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import ParamSpec, TypeVar

import numpy as np

from renderwright.engine.own_folders import OWN_FOLDERS
from renderwright.render.errors import SourceLocation, UsageError

P = ParamSpec("P")
T = TypeVar("T")

_CALLED = (*OWN_FOLDERS, f"{Path(np.__path__[0])}{os.sep}", dataclasses.__file__)
"""Numpy calls the engine where an array meets a column of a group, ``dataclasses.replace`` for another value."""


def caller_location() -> SourceLocation | None:
    """The nearest calling line outside the engine, the renderer, their plugins, numpy and dataclasses, or None."""
    frame = sys._getframe(1)
    while frame is not None:
        file = frame.f_code.co_filename
        # Generated functions, such as those of dataclasses, and the import machinery have names such as "<string>".
        if not file.startswith(("<", *_CALLED)):
            return SourceLocation(file, frame.f_lineno)
        frame = frame.f_back  # type: ignore[assignment]
    return None


def told_at_caller(function: Callable[P, T]) -> Callable[P, T]:
    """Give the line that calls the function to an error of wrong use that has no place.

    A call within the engine passes on what it was given elsewhere, so its line is not given.
    """

    @functools.wraps(function)
    def told(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return function(*args, **kwargs)
        except UsageError as error:
            error.where = error.where or _line_outside(sys._getframe(1))
            raise

    return told


def _line_outside(frame: FrameType) -> SourceLocation | None:
    """The line of a frame, None if it is one of the engine's own."""
    file = frame.f_code.co_filename
    return None if file.startswith(OWN_FOLDERS) else SourceLocation(file, frame.f_lineno)
