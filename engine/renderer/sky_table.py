"""The sky gradient filtered for rough surfaces, as a table by roughness and direction.

The gradient is linear in its three colours and depends only on the height of the direction. So is its mean over the
lobe of a rough surface, and the shares of the colours in that mean are the same for every sky. The lobe is that of GGX
with the view along the normal, weighted by the cosine (Karis 2013); for roughness 1 it is the cosine alone, as for
diffuse light.
"""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.scene.sky import Sky, gradient_shares

ROUGHNESSES = 8
"""Rows of the table, for roughness from 1 / 8 to 1; a smooth surface reflects the gradient itself."""
HEIGHTS = 33
"""Columns: heights from -1 to 1, as the signed square of evenly spaced numbers, since the horizon is a step."""
_SAMPLES = 1024

Doubles = NDArray[np.float64]


@lru_cache(maxsize=8)
def sky_table(sky: Sky) -> NDArray[np.float32]:
    """The colours by roughness and height, row by row, float32 (ROUGHNESSES * HEIGHTS, 4), read-only; the last is 0."""
    colors = np.array([sky.zenith, sky.horizon, sky.ground]) * sky.intensity
    table = np.zeros((ROUGHNESSES * HEIGHTS, 4), np.float32)
    table[:, :3] = _filtered_shares().reshape(-1, 3) @ colors
    table.flags.writeable = False
    return table


@cache
def _filtered_shares() -> Doubles:
    """Shares of zenith, horizon and ground, float64 (ROUGHNESSES, HEIGHTS, 3)."""
    places = np.linspace(-1.0, 1.0, HEIGHTS)
    heights = (np.sign(places) * places**2)[:, None]
    shares = []
    for number in range(1, ROUGHNESSES + 1):
        aside, along = _lobe((number / ROUGHNESSES) ** 2)
        height = along * heights + aside * np.sqrt(1.0 - heights**2)
        weighted = gradient_shares(height) * along[:, None]
        shares.append(weighted.sum(axis=1) / along.sum())
    return np.array(shares)


def _lobe(alpha: float) -> tuple[Doubles, Doubles]:
    """Directions around a normal, as parts along one tangent and along the normal.

    The half vectors have the density D(h) * cosine, at points of the R2 sequence (Roberts 2018).
    """
    number = np.arange(_SAMPLES) + 0.5
    turn, chance = number * 0.7548776662466927 % 1.0, number * 0.5698402909980532 % 1.0
    cosine2 = (1.0 - chance) / (1.0 + (alpha**2 - 1.0) * chance)
    aside = 2.0 * np.sqrt(cosine2 * (1.0 - cosine2)) * np.cos(2.0 * np.pi * turn)
    along = 2.0 * cosine2 - 1.0
    before = along > 0.0
    return aside[before], along[before]
