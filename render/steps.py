"""Work in steps: all at once, or a part of it behind each of several frames."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TypeVar

T = TypeVar("T")


def all_of(steps: Generator[None, None, T], between: Callable[[], None] = lambda: None) -> T:
    """What the steps make, at once. ``between`` is called between them; what it raises ends the work."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            made: T = end.value
            return made
        between()
