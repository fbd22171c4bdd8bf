"""Procedural wood images, which modulate a material's base colour."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.scene import Image

SIDE = 1024


@cache
def wood_image(name: str, seed: int, *, planks: int = 0, contrast: float = 0.45) -> Image:
    """A tileable image of grain along u, near white, that multiplies the wood's colour.

    ``planks`` is the number of boards of different tone along v, with dark joints; 0 is one piece. ``contrast`` is the
    share by which the darkest grain darkens.
    """
    random = np.random.default_rng(seed)
    v, u = np.mgrid[0:SIDE, 0:SIDE] / SIDE
    tone = np.zeros((SIDE, SIDE))
    if planks:
        plank = np.floor(v * planks).astype(int)
        tone = random.uniform(-0.13, 0.13, planks)[plank]
        u = u + random.uniform(0.0, 1.0, planks)[plank]
    warp = _noise(random, 4, 6, u, v)
    rings = 0.5 + 0.5 * np.sin(np.pi * 2.0 * (14.0 * v + 2.2 * warp))
    fibre = 0.5 * _noise(random, 8, 128, u, v) + 0.5 * _noise(random, 24, 420, u, v)
    shade = 0.5 * rings * _noise(random, 3, 8, u, v) + 0.5 * fibre
    bright = (0.85 if planks else 1.0) - contrast * shade + tone
    if planks:
        joint = np.abs((v * planks + 0.5) % 1.0 - 0.5)
        bright *= np.where(joint < 0.018, 0.45, 1.0)
    bright = np.clip(bright, 0.0, 1.0)
    # Darker grain is also redder.
    colour = np.stack([bright**0.9, bright, bright**1.15], axis=2)
    pixels = np.full((SIDE, SIDE, 4), 255, np.uint8)
    pixels[:, :, :3] = np.round(colour * 255.0)
    return Image(name, pixels)


def _noise(
    random: np.random.Generator, columns: int, rows: int, u: NDArray[np.float64], v: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Value noise of ``columns`` by ``rows`` random values, tileable over the unit square, from 0 to 1."""
    values = random.random((rows, columns))
    x, y = u * columns, v * rows
    left, top = np.floor(x).astype(int), np.floor(y).astype(int)
    a, b = x - left, y - top
    a, b = a * a * (3.0 - 2.0 * a), b * b * (3.0 - 2.0 * b)
    left, right = left % columns, (left + 1) % columns
    top, bottom = top % rows, (top + 1) % rows
    upper = values[top, left] * (1.0 - a) + values[top, right] * a
    lower = values[bottom, left] * (1.0 - a) + values[bottom, right] * a
    return np.asarray(upper * (1.0 - b) + lower * b)
