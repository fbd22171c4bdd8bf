"""Outlines against lines derived from 16 x 16 samples a texel.

At a depth edge the line is on the near object; at a crease it is on both sides. It has the width of the settings at
every angle, and covers texels partially.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from benchmarks.quality.play import chosen, played
from benchmarks.quality.ray_scene import Doubles, RayScene, cast, eye_rays
from benchmarks.quality.row import Row, compared
from renderwright.render.backend.protocol import Backend
from renderwright.render.types.resources import Extent

EXTENT: Extent = (160, 90)
SIDE = 16
COLOR, OPACITY, STEP, ANGLE = (0.01, 0.008, 0.006), 0.9, 0.006, 0.6
"""The plugin's default settings."""

Mask = NDArray[np.bool_]


def rows(backend: Backend) -> Iterator[Row]:
    """Rows of thin and thick lines."""
    with played(RayScene, backend, EXTENT) as play:
        bare = play.picture()
    for thickness in (1, 2):
        with played(RayScene, backend, EXTENT, chosen(["outline"], outline={"thickness": str(thickness)})) as play:
            with_it = play.picture()
        share = OPACITY * covered(thickness)[..., None]
        right = (bare * (1.0 - share) + share * np.array(COLOR)).astype(np.float32)
        name = f"outline, {thickness} texel{'s' if thickness > 1 else ''}"
        yield compared(name, f"{SIDE} x {SIDE} samples a texel", right, bare, with_it)


def covered(thickness: float) -> Doubles:
    """The coverage of each texel by lines, (height, width)."""
    origin, rays = eye_rays(RayScene, EXTENT, SIDE)
    flat = rays.reshape(-1, 3)
    hits = cast(np.broadcast_to(origin, flat.shape), flat)
    shape = rays.shape[:2]
    thing, normal = hits.thing.reshape(shape), hits.normal.reshape(*shape, 3)
    middle = rays[shape[0] // 2, shape[1] // 2]
    inverse = (1.0 / (hits.distance * (flat @ middle))).reshape(shape)
    ends = np.zeros(shape, bool)
    for axis in (0, 1):
        ends |= _line_ends(thing, normal, inverse, axis)
    lines = np.zeros(shape, bool)
    for one in range(int(thing.max()) + 1):
        own = thing == one
        lines |= _grown(ends & own, round(thickness * SIDE) - 1) & own  # the end itself is a sample wide
    height, width = EXTENT[1], EXTENT[0]
    share: Doubles = lines.reshape(height, SIDE, width, SIDE).mean(axis=(1, 3))
    return share


def _line_ends(thing: NDArray[np.int64], normal: Doubles, inverse: Doubles, axis: int) -> Mask:
    """Samples at an edge towards the next sample along an axis, on the side that the line is on."""
    here = tuple(slice(None, -1) if number == axis else slice(None) for number in (0, 1))
    there = tuple(slice(1, None) if number == axis else slice(None) for number in (0, 1))
    apart = (inverse[here] - inverse[there]) / np.maximum(inverse[here], inverse[there]).clip(1e-9)
    differ = thing[here] != thing[there]
    steps = np.abs(apart) > STEP
    turned = np.sum(normal[here] * normal[there], axis=-1) < np.cos(ANGLE)
    result = np.zeros(thing.shape, bool)
    result[here] |= (differ & steps & (apart > 0)) | (turned & ~steps)
    result[there] |= (differ & steps & (apart < 0)) | (turned & ~steps)
    return result


def _grown(mask: Mask, reach: int) -> Mask:
    """The mask dilated by a disk of radius ``reach``."""
    result = mask.copy()
    for down in range(-reach, reach + 1):
        wide = int(np.sqrt(reach**2 - down**2))
        moved = np.zeros_like(mask)
        rows = slice(max(0, down), mask.shape[0] + min(0, down))
        moved[rows] = mask[max(0, -down) : mask.shape[0] - max(0, down)]
        sums = np.cumsum(np.pad(moved, ((0, 0), (wide + 1, wide))), axis=1)
        result |= sums[:, 2 * wide + 1 :] > sums[:, : -2 * wide - 1]
    return result
