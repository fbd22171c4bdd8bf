"""Lookup tables in float64: a colour is a mean of the corners of its tetrahedron, by barycentric coordinates."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from renderwright.plugins.grading.cube_file import ColorTable

TETRAHEDRA = tuple(permutations(range(3)))
"""The six tetrahedra of a cell: the order in which one walks along the axes from its lowest to its highest corner."""


def encoded(linear: np.ndarray) -> np.ndarray:
    """sRGB of linear light from 0 to 1, float64."""
    linear = linear.astype(np.float64)
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * np.maximum(linear, 1e-9) ** (1 / 2.4) - 0.055)


def graded(table: ColorTable, picture: np.ndarray) -> np.ndarray:
    """The colours of a table with domains from 0 to 1 for a picture (height, width, 3)."""
    places = np.linspace(0.0, 1.0, len(table.curve))
    channels = [np.interp(picture[..., channel], places, table.curve[:, channel]) for channel in range(3)]
    flat = np.stack(channels, axis=-1).reshape(-1, 3)
    return np.array([looked_up(table.cube, color) for color in flat]).reshape(picture.shape)


def looked_up(cube: np.ndarray, color: np.ndarray) -> np.ndarray:
    """The colour of a cube (blue, green, red)."""
    at = np.clip(color, 0.0, 1.0) * (len(cube) - 1)
    low = np.minimum(at.astype(int), len(cube) - 2)
    for axes in TETRAHEDRA:
        corners = [low]
        for axis in axes:
            corners.append(corners[-1] + np.eye(3, dtype=int)[axis])
        shares = np.linalg.solve(np.vstack([np.array(corners, float).T, np.ones(4)]), np.append(at, 1.0))
        if shares.min() > -1e-9:
            return sum(
                share * cube[corner[2], corner[1], corner[0]].astype(float)
                for share, corner in zip(shares, corners, strict=True)
            )
    raise AssertionError("the tetrahedra fill the cell")
