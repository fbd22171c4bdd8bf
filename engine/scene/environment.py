"""Image-based lighting: a panorama as environment of a scene."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.caller import caller_location
from renderwright.engine.scene.entity_values import shortened
from renderwright.engine.scene.number_rules import NumberRule, check_numbers
from renderwright.engine.scene.radiance import load_radiance
from renderwright.engine.scene.sky import Sky, gradient_shares
from renderwright.engine.scene.value_class import replaced_by
from renderwright.render.errors import UsageError

_RULES = {"intensity": NumberRule(least=0.0), "turn": NumberRule(angle=True)}


@dataclass(frozen=True, eq=False)
class Panorama:
    """Radiance from every direction: ``pixels`` is linear RGB, float32 (height, width, 3).

    The picture is equirectangular. Its centre is the direction -Z, a quarter of the width to the right is +X, its top
    is +Y. Raises ``UsageError`` for another shape or type, or values that are not finite.
    """

    pixels: NDArray[np.float32]
    name: str = "panorama"

    def __post_init__(self) -> None:
        shape = self.pixels.shape
        if len(shape) != 3 or shape[2] != 3 or min(shape) < 1 or not np.isfinite(self.pixels).all():
            raise UsageError(
                f'the panorama "{self.name}" needs finite values of shape (height, width, 3): '
                f"got {shape}, {self.pixels.dtype}",
                hint="give an array such as load_radiance returns",
            )

    @classmethod
    def load(cls, path: Path | str) -> Panorama:
        """Load a Radiance file (``.hdr``). Raises ``UsageError``."""
        return cls(load_radiance(path), Path(path).name)

    @classmethod
    def of_sky(cls, sky: Sky, height: int = 128) -> Panorama:
        """The gradient of a sky, scaled by its intensity, with ``height`` rows."""
        up = np.sin((0.5 - (np.arange(height) + 0.5) / height) * math.pi)
        colors = gradient_shares(up) @ (np.array([sky.zenith, sky.horizon, sky.ground]) * sky.intensity)
        return cls(np.repeat(colors[:, None].astype(np.float32), 2 * height, axis=1), "sky")


@replaced_by("scene.environment = dataclasses.replace(scene.environment, {change})")
@dataclass(frozen=True)
class Environment:
    """A scene's ambient light, reflections and background. Replaces the ``Sky``.

    ``intensity`` scales it and may change in every frame. ``turn`` rotates it around the vertical axis, in radians,
    counter-clockwise as seen from above. A change of ``turn`` or of the panorama filters the light again, which takes a
    moment.
    """

    panorama: Panorama
    intensity: float = 1.0
    turn: float = 0.0

    def __post_init__(self) -> None:
        check_numbers("Environment", self, _RULES, caller_location())
        if not isinstance(self.panorama, Panorama):
            raise UsageError(
                f"Environment.panorama cannot be {shortened(self.panorama)}",
                hint="give a Panorama, such as Panorama.load(path) or Panorama.of_sky(sky)",
                where=caller_location(),
            )
