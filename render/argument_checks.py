"""Checks of what tests give to the functions that run nodes and games. A message names the function."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral

from renderwright.render.errors import SourceLocation, UsageError


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
