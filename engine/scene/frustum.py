"""View frusta: symmetric or not, perspective or parallel."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from pyglm import glm

from renderwright.engine.scene.algebra import matrix_of_columns


@dataclass(frozen=True)
class Frustum:
    """Tangents of the angles from the view axis to the picture's four edges, positive on the named side.

    The frustum of a camera is symmetric; that of a headset's eye or of a tile is not. With a ``depth_range`` all view
    rays are parallel: the edges are metres from the view axis, and the far plane is that many metres behind the near
    plane.
    """

    left: float
    right: float
    down: float
    up: float
    depth_range: float | None = None

    @classmethod
    def symmetric(cls, fov_y: float, aspect: float) -> Frustum:
        """A frustum from a vertical field of view in radians and an aspect ratio (width / height)."""
        slope = math.tan(fov_y * 0.5)
        return cls(slope * aspect, slope * aspect, slope, slope)

    @classmethod
    def parallel(cls, height: float, aspect: float, depth_range: float) -> Frustum:
        """A frustum of parallel rays: its height and the distance of its far plane from the near plane, in metres."""
        half = 0.5 * height
        return cls(half * aspect, half * aspect, half, half, depth_range)

    @property
    def fov_y(self) -> float:
        """Vertical field of view, in radians, of the smallest symmetric frustum around this one; 0 of parallel rays."""
        if self.depth_range is not None:
            return 0.0
        return 2.0 * math.atan(max(self.up, self.down))

    @property
    def aspect(self) -> float:
        """Aspect ratio (width / height) of the smallest symmetric frustum around this one."""
        return max(self.left, self.right) / max(self.up, self.down)

    def part(self, left: float, top: float, right: float, bottom: float) -> Frustum:
        """Frustum of a part of the picture. Its edges are shares of width and height from the top left corner."""
        width, height = self.left + self.right, self.up + self.down
        return replace(
            self,
            left=self.left - left * width,
            right=right * width - self.left,
            down=bottom * height - self.up,
            up=self.up - top * height,
        )

    def projection(self, near: float) -> glm.mat4:
        """From view to clip space, for a near plane at ``near`` metres.

        Depth lies in [0, 1], reversed: 1 at the near plane, 0 at infinity, or at the far plane of parallel rays. Clip Y
        points up.
        """
        width, height = self.left + self.right, self.up + self.down
        if self.depth_range is not None:
            return matrix_of_columns(
                (2.0 / width, 0.0, 0.0, 0.0),
                (0.0, 2.0 / height, 0.0, 0.0),
                (0.0, 0.0, 1.0 / self.depth_range, 0.0),
                (
                    (self.left - self.right) / width,
                    (self.down - self.up) / height,
                    1.0 + near / self.depth_range,
                    1.0,
                ),
            )
        # The third column yields w = -z, the fourth z = near.
        return matrix_of_columns(
            (2.0 / width, 0.0, 0.0, 0.0),
            (0.0, 2.0 / height, 0.0, 0.0),
            ((self.right - self.left) / width, (self.up - self.down) / height, 0.0, -1.0),
            (0.0, 0.0, near, 0.0),
        )
