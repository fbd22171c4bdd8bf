"""View frusta, symmetric or not."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pyglm import glm

from renderwright.engine.scene.algebra import matrix_of_columns


@dataclass(frozen=True)
class Frustum:
    """Tangents of the angles from the view axis to the picture's four edges, positive on the named side.

    The frustum of a camera is symmetric; that of a headset's eye or of a tile is not.
    """

    left: float
    right: float
    down: float
    up: float

    @classmethod
    def symmetric(cls, fov_y: float, aspect: float) -> Frustum:
        """A frustum from a vertical field of view in radians and an aspect ratio (width / height)."""
        slope = math.tan(fov_y * 0.5)
        return cls(slope * aspect, slope * aspect, slope, slope)

    @property
    def fov_y(self) -> float:
        """Vertical field of view, in radians, of the smallest symmetric frustum around this one."""
        return 2.0 * math.atan(max(self.up, self.down))

    @property
    def aspect(self) -> float:
        """Aspect ratio (width / height) of the smallest symmetric frustum around this one."""
        return max(self.left, self.right) / max(self.up, self.down)

    def part(self, left: float, top: float, right: float, bottom: float) -> Frustum:
        """Frustum of a part of the picture. Its edges are shares of width and height from the top left corner."""
        width, height = self.left + self.right, self.up + self.down
        return Frustum(
            self.left - left * width,
            right * width - self.left,
            bottom * height - self.up,
            self.up - top * height,
        )

    def projection(self, near: float) -> glm.mat4:
        """From view to clip space, for a near plane at ``near`` metres.

        Depth lies in [0, 1], reversed: 1 at the near plane, 0 at infinity. Clip Y points up.
        """
        width, height = self.left + self.right, self.up + self.down
        # The third column yields w = -z, the fourth z = near.
        return matrix_of_columns(
            (2.0 / width, 0.0, 0.0, 0.0),
            (0.0, 2.0 / height, 0.0, 0.0),
            ((self.right - self.left) / width, (self.up - self.down) / height, 0.0, -1.0),
            (0.0, 0.0, near, 0.0),
        )
