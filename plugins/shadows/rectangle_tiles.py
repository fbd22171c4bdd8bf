"""The tiles of a rectangle light: maps seen from the middles of its parts, so that they tell how much of it is seen."""

from __future__ import annotations

import math

from pyglm import glm

from renderwright.engine.renderer.lights.light_set import ShadowedLight
from renderwright.plugins.shadows.tile import Tile

_ANGLE = math.radians(75.0)
"""Angle from the rectangle's direction that a tile covers. Light beyond it is faint, and has no shadow."""
SLOPE = math.tan(_ANGLE)
_LONG = 3
"""Parts along the longer side, for each direction into which a two-sided rectangle shines."""
_SHORT = 2
"""Rows of parts of a rectangle that shines one way."""


def rectangle_tiles(light: ShadowedLight) -> tuple[list[Tile], tuple[float, float]]:
    """The tiles, and half the width and height of a part, in metres."""
    right, up = glm.vec3(*light.direction_cosine[:3]), glm.vec3(*light.half_height)
    rows = 1 if light.two_sided else _SHORT
    across, along = (_LONG, rows) if glm.length(right) >= glm.length(up) else (rows, _LONG)
    middle, ahead = glm.vec3(*light.position_radius[:3]), glm.normalize(glm.cross(up, right))
    directions = (ahead, -ahead) if light.two_sided else (ahead,)
    tiles = [
        Tile(middle + right * _place(column, across) + up * _place(row, along), direction, up, SLOPE)
        for direction in directions
        for row in range(along)
        for column in range(across)
    ]
    return tiles, (glm.length(right) / across, glm.length(up) / along)


def _place(number: int, count: int) -> float:
    """The middle of a part, from -1 to 1 along a side."""
    return (2.0 * number + 1.0) / count - 1.0
