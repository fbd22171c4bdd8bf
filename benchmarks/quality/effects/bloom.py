"""Bloom beside a convolution of the whole picture, and the light that is there before and after.

The kernels of the pyramid are known: a level is so many halvings by 13 taps and enlargements by a tent, each of which
adds its variance. The reference has round kernels of the same variance, Gaussians, over all of the picture, without
any halving. What the weights against flicker take from lone bright texels shows as a difference.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.quality.play import Floats, chosen, played
from benchmarks.quality.ray_scene import Doubles
from benchmarks.quality.row import Row, compared
from benchmarks.quality.scenes import Alley
from renderwright.render.backend.protocol import Backend
from renderwright.render.types.resources import Extent

EXTENT: Extent = (256, 144)
INTENSITY, LEVELS, SPREAD = 0.3, 5, 0.7
DOWN, UP = 1.75, 0.6875
"""Variances of halving, in texels of the picture that is halved, and of enlarging, in texels of the smaller one."""
KEPT = 0.01
"""Share of the light that may be lost or made."""


def rows(backend: Backend) -> Iterator[Row]:
    """The picture, and its light."""
    settings = {"intensity": str(INTENSITY), "levels": str(LEVELS), "spread": str(SPREAD)}
    with played(Alley, backend, EXTENT) as play:
        bare = play.picture()
    with played(Alley, backend, EXTENT, chosen(["bloom"], bloom=settings)) as play:
        with_it = play.picture()
    right = ((1.0 - INTENSITY) * bare + INTENSITY * spread_out(bare)).astype(np.float32)
    yield compared("bloom", "a direct convolution", right, bare, with_it)
    change = abs(float(with_it.mean(dtype=np.float64) / bare.mean(dtype=np.float64)) - 1.0)
    yield Row("bloom, light kept", "the light without it", "change of the mean", None, change, KEPT)


def variances() -> list[float]:
    """Of the light of each level when it is back at full size, in squared texels of the picture."""
    found = []
    for level in range(1, LEVELS + 1):
        down = sum(DOWN * 4.0**halving for halving in range(level))
        up = sum(UP * 4.0**enlarged for enlarged in range(1, level + 1))
        found.append(down + up)
    return found


def shares() -> list[float]:
    """How much of the light each level gets: what a level does not pass on to the next, coarser one."""
    passed = [SPREAD**level for level in range(LEVELS)]
    return [share * (1.0 - SPREAD) for share in passed[:-1]] + passed[-1:]


def spread_out(picture: Floats) -> Doubles:
    """The light of all levels; the picture goes on beyond its border as it ends there."""
    border = 3 * int(np.ceil(np.sqrt(variances()[-1])))
    wide = np.pad(picture.astype(np.float64), ((border, border), (border, border), (0, 0)), mode="edge")
    down, right = np.fft.fftfreq(wide.shape[0])[:, None], np.fft.rfftfreq(wide.shape[1])[None, :]
    squared = (2.0 * np.pi) ** 2 * (down**2 + right**2)
    levels = zip(shares(), variances(), strict=True)
    transfer = sum(share * np.exp(-0.5 * variance * squared) for share, variance in levels)
    result = np.fft.irfft2(
        np.fft.rfft2(wide, axes=(0, 1)) * np.asarray(transfer)[..., None], wide.shape[:2], axes=(0, 1)
    )
    return np.asarray(result[border:-border, border:-border], np.float64)
