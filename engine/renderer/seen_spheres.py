"""Bounding spheres against the frusta of views on the CPU, by the rules of ``culling.glsl``."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from pyglm import glm

_ROUNDING = 1e-5
"""More than the relative rounding of a test here and of the same positions in a vertex shader."""


def placed_centers(spheres: NDArray[np.float32], models: NDArray[np.float32]) -> NDArray[np.float32]:
    """Centres (n, 3) in the world of spheres (n, 4), centre and radius. ``models`` are column-major, (n, 4, 4)."""
    moved = np.einsum("ni,nij->nj", spheres[:, :3], models[:, :3, :3])
    return np.asarray(moved + models[:, 3, :3])


def placed(spheres: NDArray[np.float32], models: NDArray[np.float32]) -> NDArray[np.float32]:
    """The same spheres in the world, (n, 4)."""
    x, y, z = (np.ascontiguousarray(models[:, axis, :3]) for axis in range(3))
    # The largest factor by which a matrix stretches: exact for axes at right angles, never too small.
    xy, yz, xz = (np.abs(_dots(one, other)) for one, other in ((x, y), (y, z), (x, z)))
    stretch = np.sqrt(np.max([_dots(x, x) + xy + xz, _dots(y, y) + xy + yz, _dots(z, z) + xz + yz], axis=0))
    return np.column_stack([placed_centers(spheres, models), spheres[:, 3] * stretch])


def _dots(one: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(np.einsum("nr,nr->n", one, other))


def seen(matrices: Sequence[glm.mat4], spheres: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which spheres (n, 4) in the world one of the world-to-clip matrices may show."""
    found = np.zeros(len(spheres), bool)
    for matrix in matrices:
        found |= ~_outside(matrix, spheres)
    return found


def _outside(matrix: glm.mat4, spheres: NDArray[np.float32]) -> NDArray[np.bool_]:
    x, y, z, w = np.array(matrix, np.float64)  # its rows
    planes = np.array([w + x, w - x, w + y, w - y, z, w - z], np.float32)
    centers, radii = np.ascontiguousarray(spheres[:, :3]), spheres[:, 3]
    away = np.sqrt(_dots(centers, centers)) + radii
    reach = radii + np.float32(_ROUNDING) * away
    beyond = np.zeros(len(spheres), bool)
    for plane in planes:  # one after another: arrays of (n, 6) are slower by far
        slack = np.float32(_ROUNDING) * np.abs(plane[3])
        beyond |= centers @ plane[:3] + np.linalg.norm(plane[:3]) * reach < -(plane[3] + slack)
    return beyond
