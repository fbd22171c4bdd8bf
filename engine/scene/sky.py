"""The sky gradient."""

from __future__ import annotations

from dataclasses import dataclass

from renderwright.engine.caller import caller_location
from renderwright.engine.scene.number_rules import NumberRule, check_numbers

Color = tuple[float, float, float]

_RULES = {
    "zenith": NumberRule(3),
    "horizon": NumberRule(3),
    "ground": NumberRule(3),
    "intensity": NumberRule(),
}


@dataclass(frozen=True)
class Sky:
    """Background and ambient light of the scene: a vertical gradient of linear colours, scaled by ``intensity``."""

    zenith: Color = (0.08, 0.17, 0.40)
    horizon: Color = (0.34, 0.42, 0.50)
    ground: Color = (0.11, 0.10, 0.09)
    intensity: float = 1.0

    def __post_init__(self) -> None:
        check_numbers("Sky", self, _RULES, caller_location())
