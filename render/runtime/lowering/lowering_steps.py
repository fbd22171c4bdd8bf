"""Lowered frames in steps, for as long as they are wanted."""

from __future__ import annotations

from collections.abc import Callable, Generator

from renderwright.render.runtime.lowering.lowered import LoweredFrame

LoweringSteps = Generator[None, None, LoweredFrame]
"""Lowers one node a step and returns the frame. Closed before its end, it releases what it has made."""


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
