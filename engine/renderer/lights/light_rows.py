"""Point and spot lights as rows of numbers, as ``lights.glsl`` has them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray
from pyglm import glm

from renderwright.engine.scene.light import PointLight, RectangleLight, SpotLight

LocalLight = PointLight | SpotLight | RectangleLight
Rows = NDArray[np.float32]

ROW = 16
"""Numbers of a row: four vectors."""
POSITION_RADIUS = slice(0, 4)
RADIANCE = slice(4, 8)
DIRECTION_COSINE = slice(8, 12)
"""Unit direction, and the cosine of the outer angle; -2 for a point light."""
INNER_COSINE, CHANNEL = 12, 15
"""The cosine of the inner angle; the light's channel of ``light_visibility``, -1 without shadows."""
PATTERN = slice(13, 15)
"""Of a spot light: 1 + the layer of its pattern, 0 without one; and the angle by which that is turned."""

KIND = 7
"""0 for a point or spot light, ``ONE_SIDED`` or ``TWO_SIDED`` for a rectangle: its last two begin with half sides."""
ONE_SIDED, TWO_SIDED = 1.0, 2.0
HALF_HEIGHT = slice(12, 15)

_POINT = (0.0, -1.0, 0.0, -2.0)


def has_rectangles(rows: Rows) -> bool:
    """Whether there are rectangle lights among the lights."""
    return bool(rows[:, KIND].any())


def light_rows(lights: Sequence[LocalLight]) -> Rows:
    """A row for each light, float32 (n, 16), without shadow channels."""
    rows = np.zeros((len(lights), ROW), np.float32)
    rows[:, CHANNEL] = -1.0
    if not lights:
        return rows
    rows[:, 0:3] = _vectors([light.position for light in lights])
    rows[:, 3] = [light.radius for light in lights]
    intensity = np.array([light.intensity for light in lights])
    rows[:, 4:7] = np.array([light.color for light in lights]) * intensity[:, None]
    rows[:, DIRECTION_COSINE] = _POINT
    rows[:, INNER_COSINE] = 1.0
    spots = [number for number, light in enumerate(lights) if isinstance(light, SpotLight)]
    if spots:
        cones = [light for light in lights if isinstance(light, SpotLight)]
        rows[spots, 8:11] = _normalized(_vectors([light.direction for light in cones]))
        rows[spots, 11] = np.cos([light.outer_angle for light in cones])
        rows[spots, INNER_COSINE] = np.cos([light.inner_angle for light in cones])
        for number, cone in zip(spots, cones, strict=True):
            if cone.pattern is not None:
                turn = _turn(rows[number, 8:11].astype(np.float64), np.array(cone.pattern.up, np.float64))
                rows[number, PATTERN] = 1.0 + cone.pattern.layer, turn
    for number, light in enumerate(lights):
        if isinstance(light, RectangleLight):
            right, up = light.half_sides()
            rows[number, KIND] = TWO_SIDED if light.two_sided else ONE_SIDED
            rows[number, 8:15] = (*right, -2.0, *up)
    return rows


def _turn(direction: NDArray[np.float64], up: NDArray[np.float64]) -> float:
    """The angle from the second axis across a direction to ``up``, as ``light_pattern.glsl`` has the axes.

    They are those of Duff et al. (2017), Building an Orthonormal Basis, Revisited.
    """
    x, y, z = direction
    side = math.copysign(1.0, z) if z != 0.0 else 1.0
    share = -1.0 / (side + z)
    first = np.array((1.0 + side * x * x * share, side * x * y * share, -side * x))
    second = np.array((x * y * share, side + y * y * share, -y))
    return math.atan2(-float(up @ first), float(up @ second))


def _vectors(values: Sequence[glm.vec3]) -> Rows:
    flat: Iterator[float] = chain.from_iterable(values)
    return np.fromiter(flat, np.float32, 3 * len(values)).reshape(-1, 3)


def _normalized(vectors: Rows) -> Rows:
    x, y, z = vectors.T
    lengths: Rows = np.sqrt(x * x + y * y + z * z)
    return vectors * (np.float32(1.0) / lengths)[:, None]
