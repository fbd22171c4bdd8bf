"""Work in steps: all at once, or a part of it behind each of several frames."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TypeVar

from renderwright.render.runtime.lowered import LoweredFrame

T = TypeVar("T")

LoweringSteps = Generator[None, None, LoweredFrame]
"""Lowers one node a step and returns the frame. Closed before its end, it releases what it has made."""


def all_of(steps: Generator[None, None, T]) -> T:
    """What the steps make, at once."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            made: T = end.value
            return made


def steps_while(steps: LoweringSteps, goes_on: Callable[[], bool]) -> Generator[None, None, LoweredFrame | None]:
    """The frame, a step at a time; None if it does not go on after one of them."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            frame: LoweredFrame = end.value
            return frame
        yield
        if not goes_on():
            return None
