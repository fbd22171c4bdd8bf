"""Parts of images that are computed: noise that repeats, and fields of numbers as texels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Field = NDArray[np.float64]
"""A number for each texel, (height, width)."""


def tileable_noise(random: np.random.Generator, rows: int, columns: int = 0, *, side: int) -> Field:
    """Value noise of ``rows`` x ``columns`` random values (0 columns: as many as rows), from 0 to 1, (side, side).

    It continues at the opposite side.
    """
    shape = (rows, columns or rows)
    values = random.random(shape)
    lows, shares = [], []
    for cells in shape:
        place = np.arange(side) * cells / side
        lows.append(place.astype(int))
        share = place - lows[-1]
        shares.append(share * share * (3.0 - 2.0 * share))
    (row, column), (down, across) = lows, shares
    lines = values[row] * (1.0 - down)[:, None] + values[(row + 1) % rows] * down[:, None]
    return np.asarray(lines[:, column] * (1.0 - across) + lines[:, (column + 1) % shape[1]] * across)


def clouds(random: np.random.Generator, cells: int, octaves: int = 4, *, side: int) -> Field:
    """Tileable noise of some octaves, from 0 to 1, (side, side). The first has ``cells`` x ``cells`` values, each next
    one twice as many on a side and half the weight."""
    layers = [0.5**number * tileable_noise(random, cells << number, side=side) for number in range(octaves)]
    return np.asarray(sum(layers) / (2.0 - 0.5 ** (octaves - 1)))


def texels(red: Field, green: Field, blue: Field, alpha: Field | None = None) -> NDArray[np.uint8]:
    """The channels from 0 to 1 as uint8 (height, width, 4); opaque without ``alpha``."""
    channels = np.stack([red, green, blue, np.ones_like(red) if alpha is None else alpha], axis=2)
    return np.asarray(np.rint(255.0 * np.clip(channels, 0.0, 1.0)), np.uint8)
