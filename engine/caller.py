"""The line of a game or plugin that called the engine, for error messages."""

from __future__ import annotations

import dataclasses
import os
import sys
from pathlib import Path

import numpy as np

from renderwright.engine.own_folders import OWN_FOLDERS
from renderwright.render.errors import SourceLocation

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
