"""Checks of what tests give to the functions that run nodes and games. A message names the function."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from numbers import Integral
from os import PathLike

from renderwright.render.errors import SourceLocation, UsageError
from renderwright.render.graph.callables import check_one_argument
from renderwright.render.suggest import did_you_mean

TESTED_BACKENDS = ("opengl", "vulkan")
"""The backends that a test may name."""

_OWN_MODULES = f"{__name__.partition('.')[0]}."


def line_of_test() -> SourceLocation | None:
    """The nearest calling line outside this package."""
    frame = sys._getframe(1)
    while frame is not None:
        if not frame.f_globals.get("__name__", "").startswith(_OWN_MODULES):
            return SourceLocation(frame.f_code.co_filename, frame.f_lineno)
        frame = frame.f_back  # type: ignore[assignment]
    return None


def is_count(value: object) -> bool:
    """Whether a value is a whole number of at least 1."""
    return isinstance(value, Integral) and not isinstance(value, bool) and value >= 1  # type: ignore[operator]


def check_size(function: str, size: object, where: SourceLocation | None = None) -> None:
    """Raise ``UsageError`` for what is no (width, height)."""
    if not (isinstance(size, tuple | list) and len(size) == 2 and all(is_count(side) for side in size)):
        raise UsageError(
            f"the size of {function} cannot be {size!r:.80}",
            hint="give (width, height) in texels, such as (160, 90)",
            where=where,
        )


def check_names(
    function: str, argument: str, names: object, what: str, example: str, where: SourceLocation | None = None
) -> None:
    """Raise ``UsageError`` for what are no names of ``what``, such as a single string, whose letters would be names."""
    if isinstance(names, str) or not isinstance(names, Iterable):
        shown = names if isinstance(names, str) else example
        raise UsageError(
            f"{argument} of {function} cannot be {names!r:.80}",
            hint=f'give names of {what}, such as ("{shown}",)',
            where=where,
        )


def check_paths(function: str, argument: str, paths: object, where: SourceLocation | None = None) -> None:
    """Raise ``UsageError`` for what is no collection of paths, such as a single one."""
    if isinstance(paths, str | PathLike) or not isinstance(paths, Iterable):
        shown = str(paths) if isinstance(paths, str | PathLike) else "glsl"
        raise UsageError(
            f"{argument} of {function} cannot be {paths!r:.80}",
            hint=f"give a list of folders, such as [Path({shown!r})]",
            where=where,
        )


def check_declare(function: str, declare: object, where: SourceLocation | None = None) -> None:
    """Raise ``UsageError`` for what is no function, and ``GraphError`` for one of other arguments than ``reg``."""
    if not callable(declare):
        raise UsageError(
            f"declare of {function} cannot be {declare!r:.80}",
            hint="give the declare function of the node, a function of one argument, reg",
            where=where,
        )
    check_one_argument(f"the declare function of {function}", declare, "reg", where)


def check_backend(backend: object, where: SourceLocation | None = None) -> None:
    """Raise ``UsageError`` for what is neither a device nor a name of ``TESTED_BACKENDS`` nor None."""
    if isinstance(backend, str):
        if backend not in TESTED_BACKENDS:
            hint = did_you_mean(backend, TESTED_BACKENDS)
            raise UsageError(f'there is no backend "{backend}" for tests', hint=hint, where=where)
    elif isinstance(backend, type):
        raise UsageError(
            f"the backend of a test cannot be the class {backend.__name__}",
            hint=f"give a device: {backend.__name__}()",
            where=where,
        )
    elif backend is not None and not hasattr(backend, "capabilities"):
        names = " or ".join(f'"{name}"' for name in TESTED_BACKENDS)
        raise UsageError(
            f"the backend of a test cannot be {backend!r:.80}",
            hint=f"give a device, such as NullBackend(), or {names}",
            where=where,
        )
