"""Sample positions within a texel."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from renderwright.engine.views import View

DIMENSION = "sample"


def rotated_grid(count: int) -> tuple[tuple[float, float], ...]:
    """Offsets from a texel's centre, in texels to the right and down. ``count`` must be a square number.

    The grid is rotated so that no two samples share a row or a column. Nearly horizontal and nearly vertical edges,
    where aliasing is most visible, get ``count`` grey levels instead of its square root.
    """
    side = math.isqrt(count)
    return tuple(
        ((column * side + row + 0.5) / count - 0.5, (row * side + side - 1 - column + 0.5) / count - 0.5)
        for row in range(side)
        for column in range(side)
    )


@dataclass(frozen=True)
class Samples:
    """Split of a view over its samples. Each part has a different subpixel offset."""

    count: int

    def part(self, view: View, number: int) -> View:
        """The view of one sample."""
        right, down = rotated_grid(self.count)[number]
        return replace(view, offset=(view.offset[0] + right, view.offset[1] + down))
