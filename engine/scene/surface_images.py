"""Pixels of common surfaces, computed: plaster, wood, and floors of marble, slate and parquet. All repeat.

They are uint8 (``SIDE``, ``SIDE``, 4), for ``kept_image``. A floor has two images: its ``"color"``, and its ``"gloss"``
for ``Material.metallic_roughness_image``, which is linear.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.scene.pixel_noise import Field, clouds, texels, tileable_noise

Color = tuple[float, float, float]
What = Literal["color", "gloss"]
SIDE = 512


def _tinted(tone: Field, color: Color) -> NDArray[np.uint8]:
    return texels(*(channel * tone for channel in color))


def _gloss(rough: Field, metal: Field | None = None) -> NDArray[np.uint8]:
    zero = np.zeros_like(rough)
    return texels(zero, rough, zero if metal is None else metal)


def _edges(rows: int, columns: int) -> Field:
    """Distance to the next joint of a grid of plates, in sides of the image."""
    down, across = (np.arange(SIDE) / SIDE * count for count in (rows, columns))
    return np.minimum(
        (np.abs(down - np.rint(down)) / rows)[:, None], (np.abs(across - np.rint(across)) / columns)[None, :]
    )


def plaster_pixels(seed: int) -> NDArray[np.uint8]:
    """Plaster, near white, with faint clouds."""
    random = np.random.default_rng(seed)
    tone = 0.96 + 0.06 * (clouds(random, 4, side=SIDE) - 0.5) + 0.05 * (tileable_noise(random, 128, side=SIDE) - 0.5)
    return _tinted(tone, (1.0, 1.0, 1.0))


def marble_pixels(seed: int, what: What) -> NDArray[np.uint8]:
    """Polished dark stone with pale veins, in plates with brass in the joints."""
    random = np.random.default_rng(seed)
    warp = clouds(random, 3, 5, side=SIDE)
    fine = np.exp(-((np.abs(warp + 0.25 * clouds(random, 9, 3, side=SIDE) - 0.62) / 0.010) ** 2))
    broad = np.exp(-((np.abs(clouds(random, 4, 5, side=SIDE) - 0.5) / 0.02) ** 2))
    veins, mist = np.clip(0.8 * fine + 0.35 * broad, 0.0, 1.0), clouds(random, 6, side=SIDE)
    joint = _edges(1, 1) < 0.006
    if what == "gloss":
        return _gloss(np.where(joint, 0.35, 0.13 + 0.05 * mist + 0.06 * veins), joint.astype(float))
    dark = 0.17 + 0.10 * mist
    red, green, blue = (np.where(joint, brass, dark * tint + 0.42 * veins) for brass, tint in _MARBLE)
    return texels(red, green, blue)


_MARBLE = ((0.86, 0.88), (0.70, 1.0), (0.44, 1.02))
"""Brass and stone, each channel as displayed."""


def slate_pixels(seed: int, what: What) -> NDArray[np.uint8]:
    """Grey plates, a little wet."""
    random = np.random.default_rng(seed)
    cloud, fine = clouds(random, 5, 5, side=SIDE), tileable_noise(random, 96, side=SIDE)
    joint = _edges(2, 2) < 0.006
    if what == "gloss":
        return _gloss(np.where(joint, 0.9, 0.22 + 0.5 * np.clip(1.8 * cloud - 0.5, 0.0, 1.0)))
    tones = np.kron(random.uniform(-0.05, 0.05, (2, 2)), np.ones((SIDE // 2, SIDE // 2)))
    tone = np.where(joint, 0.16, 0.40 + tones + 0.16 * (cloud - 0.5) + 0.06 * (fine - 0.5))
    return _tinted(tone, (0.96, 1.0, 1.0))


def wood_pixels(seed: int) -> NDArray[np.uint8]:
    """Straight grain, pale."""
    random = np.random.default_rng(seed)
    grain = 0.55 * tileable_noise(random, 4, 64, side=SIDE) + 0.45 * tileable_noise(random, 8, 160, side=SIDE)
    return _tinted(0.78 + 0.3 * (grain - 0.35), (1.0, 0.97, 0.92))


def parquet_pixels(seed: int, what: What) -> NDArray[np.uint8]:
    """Oak boards in squares, each turned against its neighbours."""
    random = np.random.default_rng(seed)
    cells, boards = 4, 5
    side = SIDE // cells
    grain = 0.6 * tileable_noise(random, 6, 96, side=SIDE) + 0.4 * tileable_noise(random, 10, 200, side=SIDE)
    tone, joint = np.zeros((SIDE, SIDE)), np.zeros((SIDE, SIDE), bool)
    across = np.arange(side) * boards / side
    gap = np.abs(across - np.rint(across)) < 0.05
    for row, column in np.ndindex(cells, cells):
        part = np.s_[row * side : (row + 1) * side, column * side : (column + 1) * side]
        board = random.uniform(-0.10, 0.10, boards)[np.minimum(across.astype(int), boards - 1)]
        square = 0.62 + 0.34 * (grain[part] - 0.5) + board[None, :]
        lines = np.broadcast_to(gap, (side, side))
        turned = bool((row + column) % 2)
        tone[part], joint[part] = (square.T, lines.T) if turned else (square, lines)
    if what == "gloss":
        return _gloss(np.where(joint, 0.6, 0.24 + 0.22 * (1.0 - tone)))
    return _tinted(np.where(joint, 0.5, 1.0) * tone, (0.86, 0.60, 0.38))
