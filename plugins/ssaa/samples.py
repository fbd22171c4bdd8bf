"""Where within a texel its samples lie."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from renderwright.engine.views import View

DIMENSION = "sample"


def rotated_grid(count: int) -> tuple[tuple[float, float], ...]:
    """Places within a texel, from its middle, in texels to the right and down; ``count`` is a square number.

    A square grid, turned so that no two samples share a row or a column: edges that are nearly level or upright, on
    which jags show most, get ``count`` steps and not the square root of it.
    """
    side = math.isqrt(count)
    return tuple(
        ((column * side + row + 0.5) / count - 0.5, (row * side + side - 1 - column + 0.5) / count - 0.5)
        for row in range(side)
        for column in range(side)
    )


@dataclass(frozen=True)
class Samples:
    """Repeats a view with its samples moved within the texels."""

    count: int

    def part(self, view: View, number: int) -> View:
        """One of the samples."""
        right, down = rotated_grid(self.count)[number]
        return replace(view, offset=(view.offset[0] + right, view.offset[1] + down))
