"""Source locations of calls and functions, for error messages."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from renderwright.render.errors import SourceLocation

_INSIDE = tuple(str(Path(__file__).parents[1] / folder) for folder in ("graph", "runtime"))
"""The folders that the nodes of users call, and that call these."""


def caller_location() -> SourceLocation:
    """The nearest calling line outside the graph and the runtime."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_INSIDE):
        frame = frame.f_back
    return SourceLocation(frame.f_code.co_filename, frame.f_lineno)


def function_location(function: Callable[..., Any]) -> SourceLocation:
    """Where a function is defined; the type's name for a callable without a code object."""
    code = getattr(function, "__code__", None) or getattr(getattr(function, "func", None), "__code__", None)
    if code is None:
        return SourceLocation(type(function).__qualname__)
    return SourceLocation(code.co_filename, code.co_firstlineno)
