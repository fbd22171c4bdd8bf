"""Lowering in steps: all at once, or a part of it behind each of several frames."""

from __future__ import annotations

from collections.abc import Generator

from renderwright.render.runtime.lowered import LoweredFrame

LoweringSteps = Generator[None, None, LoweredFrame]
"""Lowers one node a step and returns the frame. Closed before its end, it releases what it has made."""


def all_of(steps: LoweringSteps) -> LoweredFrame:
    """The frame, lowered at once."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            frame: LoweredFrame = end.value
            return frame
