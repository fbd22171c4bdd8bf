"""Colour grading against tetrahedral interpolation of the table in float64."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.quality.effects.tone import EXTENT, Night
from benchmarks.quality.play import chosen, played
from benchmarks.quality.ray_scene import Doubles
from benchmarks.quality.row import Row, compared
from renderwright.plugins.grading.cube_file import read_cube_file
from renderwright.plugins.grading.looks import SHIPPED
from renderwright.render.backend.protocol import Backend

LOOKS = ("warm", "cold")
EXACT = 0.005
"""Bound of FLIP beyond the step of 8 bits that devices may take when they encode sRGB."""


def rows(backend: Backend) -> Iterator[Row]:
    """A row for each shipped look."""
    with played(Night, backend, EXTENT) as play:
        play.frames(2)
        plain = play.shown()
    for look in LOOKS:
        with played(Night, backend, EXTENT, chosen(["grading"], grading={"look": look})) as play:
            play.frames(2)
            with_it = play.shown()
        cube = read_cube_file(SHIPPED / f"{look}.cube").cube.astype(np.float64)
        right = looked_up(cube, plain.astype(np.float64)).astype(np.float32)
        reference = "the table in float64"
        yield compared(f"grading, {look}", reference, right, plain, with_it, linear=False, most=EXACT, steps=False)


def looked_up(cube: Doubles, colors: Doubles) -> Doubles:
    """Colours (..., 3) by a cube (blue, green, red, 3).

    From the lowest corner of a cell one walks to the highest along one axis after another, those with the larger
    fractions first. Each step counts by its axis' fraction.
    """
    at = np.clip(colors, 0.0, 1.0) * (len(cube) - 1)
    corner = np.minimum(at.astype(int), len(cube) - 2)
    fraction = at - corner
    found: Doubles = _corner(cube, corner)
    result = found.copy()
    for axis in np.moveaxis(np.argsort(-fraction, axis=-1), -1, 0):
        step = np.eye(3, dtype=int)[axis]
        corner = corner + step
        reached = _corner(cube, corner)
        result += (reached - found) * (fraction * step).sum(axis=-1, keepdims=True)
        found = reached
    return result


def _corner(cube: Doubles, corner: np.ndarray) -> Doubles:
    result: Doubles = cube[corner[..., 2], corner[..., 1], corner[..., 0]]
    return result
