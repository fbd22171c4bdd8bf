"""Steps of a dynamic resolution."""

from __future__ import annotations

import math

from renderwright.render.errors import UsageError

SMALLEST = 0.5
STEPS = 10
"""Number of steps. Fewer than the resolutions whose textures and lowered frames the runtime caches, so that a step to a
previous size creates nothing."""


def scale_steps(smallest: float = SMALLEST, steps: int = STEPS) -> tuple[float, ...]:
    """Shares of the full width and height, from 1 down to ``smallest`` in ``steps`` steps.

    Each step changes the number of texels by the same factor, so that all steps change the GPU load alike. Raises
    ``UsageError`` if ``smallest`` is not between 0 and 1 or ``steps`` is less than 1.
    """
    if not 0.0 < smallest < 1.0:
        raise UsageError(f"the smallest scale is {smallest}", hint="give a share of the full size between 0 and 1")
    if steps < 1:
        raise UsageError(f"a resolution cannot change in {steps} steps", hint="give at least 1")
    return tuple(math.pow(smallest, step / steps) for step in range(steps + 1))
