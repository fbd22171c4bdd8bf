"""Source locations of calls and functions, for error messages."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from renderwright.render.errors import SourceLocation

_INSIDE = tuple(str(Path(__file__).parents[1] / folder) for folder in ("graph", "runtime"))
"""The folders that the nodes of users call, and that call these."""

_COMPREHENSIONS = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})
"""Their code is a part of the function that they stand in."""

_HIDDEN = "__tracebackhide__"
"""A function with a local variable of this name requests for its caller: a mistake is told at the caller's line. It is
the name by which pytest leaves a function out of tracebacks."""


def caller_location() -> SourceLocation:
    """The nearest calling line outside the graph, the runtime, and functions that request for their caller."""
    frame = sys._getframe(1)
    while frame.f_back is not None and _speaks_for_its_caller(_function_of(frame).f_code):
        frame = frame.f_back
    return SourceLocation(frame.f_code.co_filename, frame.f_lineno)


def _speaks_for_its_caller(code: CodeType) -> bool:
    return code.co_filename.startswith(_INSIDE) or _HIDDEN in (*code.co_varnames, *code.co_cellvars)


def _function_of(frame: FrameType) -> FrameType:
    """The frame of the function in which a comprehension stands; any other frame itself."""
    while frame.f_code.co_name in _COMPREHENSIONS and frame.f_back is not None:
        frame = frame.f_back
    return frame


def function_location(function: Callable[..., Any]) -> SourceLocation:
    """Where a function is defined; the type's name for a callable without a code object."""
    code = getattr(function, "__code__", None) or getattr(getattr(function, "func", None), "__code__", None)
    if code is None:
        return SourceLocation(type(function).__qualname__)
    return SourceLocation(code.co_filename, code.co_firstlineno)
