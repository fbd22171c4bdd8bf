"""A tile: a shadow map in perspective, seen from a light."""

from __future__ import annotations

from dataclasses import dataclass

from pyglm import glm

from renderwright.engine.scene.algebra import matrix_of_columns, multiply

NEAR = 0.05
"""Near plane of a light's maps, in metres."""


@dataclass(frozen=True)
class Tile:
    """A square view from ``origin``. ``slope`` is the tangent of half its field of view."""

    origin: glm.vec3
    direction: glm.vec3
    up: glm.vec3
    slope: float

    @property
    def matrix(self) -> glm.mat4:
        """World-to-clip matrix: reversed Z, infinite far plane."""
        slope = self.slope
        projection = matrix_of_columns(
            (1.0 / slope, 0.0, 0.0, 0.0), (0.0, 1.0 / slope, 0.0, 0.0), (0.0, 0.0, 0.0, -1.0), (0.0, 0.0, NEAR, 0.0)
        )
        return multiply(projection, glm.lookAt(self.origin, self.origin + self.direction, self.up))
