"""Bounding spheres and boxes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from pyglm import glm


class Bounds(NamedTuple):
    """A bounding sphere: centre and radius in metres."""

    center: glm.vec3
    radius: float


def bounds_of_points(points: NDArray[np.float32]) -> Bounds:
    """A sphere around ``points`` (n, 3), centred on their axis-aligned box. No points: radius 0 at the origin."""
    if len(points) == 0:
        return Bounds(glm.vec3(0.0), 0.0)
    # A mesh has millions: each axis alone takes a third of the time of all at once.
    middles = [(axis.min() + axis.max()) * np.float32(0.5) for axis in points.T]
    squares = [(axis - middle) ** 2 for axis, middle in zip(points.T, middles, strict=True)]
    x, y, z = (float(middle) for middle in middles)
    return Bounds(glm.vec3(x, y, z), float(np.sqrt((squares[0] + squares[1] + squares[2]).max())))


def bounds_of_spheres(centers: NDArray[np.float32], radii: NDArray[np.float32]) -> Bounds:
    """A sphere around spheres with ``centers`` (n, 3) and ``radii`` (n,). No spheres: radius 0 at the origin."""
    if len(centers) == 0:
        return Bounds(glm.vec3(0.0), 0.0)
    low = (centers - radii[:, None]).min(axis=0)
    high = (centers + radii[:, None]).max(axis=0)
    center = (low + high) * 0.5
    reach = np.linalg.norm(centers - center, axis=1) + radii
    x, y, z = (float(value) for value in center)
    return Bounds(glm.vec3(x, y, z), float(reach.max()))


def box_around(center: glm.vec3, sets: Iterable[NDArray[np.float32]]) -> glm.vec3:
    """Half the sides of the smallest box along the axes, around ``center``, that has all points (n, 3) of the sets."""
    middle = np.array(center, np.float32)
    farthest = [
        [max(axis.max() - mid, mid - axis.min()) for axis, mid in zip(points.T, middle, strict=True)] for points in sets
    ]
    x, y, z = (float(side) for side in np.max(farthest, axis=0))
    return glm.vec3(x, y, z)
