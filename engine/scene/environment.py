"""Light that comes from all around, as a panorama."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.scene.radiance import load_radiance
from renderwright.engine.scene.sky import Sky
from renderwright.render.errors import UsageError


@dataclass(frozen=True, eq=False)
class Panorama:
    """Radiance from every direction: ``pixels`` are linear red, green and blue, float32 (height, width, 3).

    The picture is equirectangular. Its middle is the direction -Z, a quarter to the right of that +X, its top +Y.
    ``UsageError`` if the array is none of that, or not finite.
    """

    pixels: NDArray[np.float32]
    name: str = "panorama"

    def __post_init__(self) -> None:
        shape = self.pixels.shape
        if len(shape) != 3 or shape[2] != 3 or min(shape) < 1 or not np.isfinite(self.pixels).all():
            raise UsageError(
                f'the panorama "{self.name}" is no picture: {shape}, {self.pixels.dtype}',
                hint="give finite numbers of shape (height, width, 3), such as load_radiance returns",
            )

    @classmethod
    def load(cls, path: Path | str) -> Panorama:
        """The picture in a Radiance file (``.hdr``); ``UsageError`` if there is none."""
        return cls(load_radiance(path), Path(path).name)

    @classmethod
    def of_sky(cls, sky: Sky, height: int = 128) -> Panorama:
        """The gradient of a sky, its intensity included, in so many rows."""
        up = np.sin((0.5 - (np.arange(height) + 0.5) / height) * math.pi)[:, None]
        zenith, horizon, ground = (np.array(color) * sky.intensity for color in (sky.zenith, sky.horizon, sky.ground))
        above = horizon + (zenith - horizon) * np.clip(up, 0.0, 1.0) ** 0.55
        below = 0.55 * horizon + (ground - 0.55 * horizon) * np.clip(-4.0 * up, 0.0, 1.0)
        step = np.clip((up + 0.02) / 0.04, 0.0, 1.0)
        colors = below + (above - below) * step * step * (3.0 - 2.0 * step)
        return cls(np.repeat(colors[:, None].astype(np.float32), 2 * height, axis=1), "sky")


@dataclass(frozen=True)
class Environment:
    """A scene's light from all around, and its background; it takes the place of the ``Sky``.

    ``intensity`` scales it and may change in every frame. ``turn`` turns it around the vertical axis, in radians,
    counter-clockwise as seen from above; like another panorama it takes a moment to change, because the light is
    filtered anew.
    """

    panorama: Panorama
    intensity: float = 1.0
    turn: float = 0.0
