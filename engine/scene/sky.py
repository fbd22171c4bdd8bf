"""The sky gradient."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.caller import caller_location
from renderwright.engine.scene.number_rules import NumberRule, check_numbers
from renderwright.engine.scene.value_class import replaced_by

Color = tuple[float, float, float]

_RULES = {
    "zenith": NumberRule(3, least=0.0),
    "horizon": NumberRule(3, least=0.0),
    "ground": NumberRule(3, least=0.0),
    "intensity": NumberRule(least=0.0),
}


@replaced_by("scene.sky = dataclasses.replace(scene.sky, {change})")
@dataclass(frozen=True)
class Sky:
    """Background and ambient light of the scene: a vertical gradient of linear colours, scaled by ``intensity``."""

    zenith: Color = (0.08, 0.17, 0.40)
    horizon: Color = (0.34, 0.42, 0.50)
    ground: Color = (0.11, 0.10, 0.09)
    intensity: float = 1.0

    def __post_init__(self) -> None:
        check_numbers("Sky", self, _RULES, caller_location())


def gradient_shares(height: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shares of zenith, horizon and ground in the gradient, as ``sky_color`` in ``lighting.glsl`` has them.

    ``height`` is the upward part of unit directions, of any shape (...); the result is (..., 3).
    """
    zenith, ground = np.clip(height, 0.0, 1.0) ** 0.55, np.clip(-4.0 * height, 0.0, 1.0)
    step = np.clip((height + 0.02) / 0.04, 0.0, 1.0)
    above = step * step * (3.0 - 2.0 * step)
    horizon = above * (1.0 - zenith) + (1.0 - above) * 0.55 * (1.0 - ground)
    return np.stack([above * zenith, horizon, (1.0 - above) * ground], axis=-1)
