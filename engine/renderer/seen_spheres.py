"""Bounding spheres against the frusta of views on the CPU, by the rules of ``culling.glsl``."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from pyglm import glm

_ROUNDING = 1e-5
"""More than the relative rounding of a test here and of the same positions in a vertex shader."""


def placed(spheres: NDArray[np.float32], models: NDArray[np.float32]) -> NDArray[np.float32]:
    """Spheres (n, 4), centre and radius, in the world. ``models`` are column-major, (n, 4, 4)."""
    axes = models[:, :3, :3]
    centers = np.einsum("ni,nij->nj", spheres[:, :3], axes) + models[:, 3, :3]
    # The largest factor by which a matrix stretches: exact for axes at right angles, never too small.
    products = np.abs(np.einsum("nir,njr->nij", axes, axes))
    stretch = np.sqrt(products.sum(axis=2).max(axis=1, initial=0.0))
    return np.column_stack([centers, spheres[:, 3] * stretch]).astype(np.float32)


def seen(matrices: Sequence[glm.mat4], spheres: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Which spheres (n, 4) in the world one of the world-to-clip matrices may show."""
    found = np.zeros(len(spheres), bool)
    for matrix in matrices:
        found |= ~_outside(matrix, spheres)
    return found


def _outside(matrix: glm.mat4, spheres: NDArray[np.float32]) -> NDArray[np.bool_]:
    x, y, z, w = np.array(matrix, np.float64)  # its rows
    planes = np.array([w + x, w - x, w + y, w - y, z, w - z])
    centers, radii = spheres[:, :3].astype(np.float64), spheres[:, 3:].astype(np.float64)
    sizes = np.linalg.norm(planes[:, :3], axis=1)
    away = np.linalg.norm(centers, axis=1, keepdims=True) + radii
    slack = _ROUNDING * (sizes * away + np.abs(planes[:, 3]))
    beyond = centers @ planes[:, :3].T + planes[:, 3] < -(radii * sizes + slack)
    return np.asarray(beyond.any(axis=1))
