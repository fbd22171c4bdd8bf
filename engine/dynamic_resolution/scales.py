"""The sizes that a dynamic resolution can have."""

from __future__ import annotations

import math

from renderwright.render.errors import UsageError

SMALLEST = 0.5
STEPS = 10
"""Fewer than the resolutions whose textures and lowered frames the runtime keeps in readiness, so that steps to a size
that was there before make nothing anew."""


def scale_steps(smallest: float = SMALLEST, steps: int = STEPS) -> tuple[float, ...]:
    """Shares of the full width and height, from 1 down to ``smallest`` in so many steps.

    Each step changes the number of texels by the same factor, so that a step means the same to the GPU wherever it is
    made. ``UsageError`` if ``smallest`` is not between 0 and 1 or there is no step.
    """
    if not 0.0 < smallest < 1.0:
        raise UsageError(f"the smallest scale is {smallest}", hint="give a share of the full size between 0 and 1")
    if steps < 1:
        raise UsageError(f"a resolution cannot change in {steps} steps", hint="give at least 1")
    return tuple(math.pow(smallest, step / steps) for step in range(steps + 1))
