"""Bloom against a convolution of the whole picture, and the conservation of light.

A level of the pyramid is a number of downsamplings with 13 taps and upsamplings with a tent, whose variances add up.
The reference convolves the full-size picture with Gaussians of the same variances. The weights against flicker, which
dim isolated bright texels, appear as a difference.
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
"""Variances of a downsampling and an upsampling, each in squared texels of its input."""
KEPT = 0.01
"""The largest relative change of the total light."""


def rows(backend: Backend) -> Iterator[Row]:
    """Rows of the picture and of its total light."""
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
    """Variance of the kernel of each level at full size, in squared texels of the picture."""
    found = []
    for level in range(1, LEVELS + 1):
        down = sum(DOWN * 4.0**halving for halving in range(level))
        up = sum(UP * 4.0**enlarged for enlarged in range(1, level + 1))
        found.append(down + up)
    return found


def shares() -> list[float]:
    """Share of the light of each level: the part that it does not pass to the next coarser one."""
    passed = [SPREAD**level for level in range(LEVELS)]
    return [share * (1.0 - SPREAD) for share in passed[:-1]] + passed[-1:]


def spread_out(picture: Floats) -> Doubles:
    """The sum of all levels' convolutions; the picture is extended by its border texels."""
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
