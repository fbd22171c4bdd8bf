"""The sky gradient."""

from __future__ import annotations

from dataclasses import dataclass

Color = tuple[float, float, float]


@dataclass(frozen=True)
class Sky:
    """Background and ambient light of the scene: a vertical gradient of linear colours, scaled by ``intensity``."""

    zenith: Color = (0.08, 0.17, 0.40)
    horizon: Color = (0.34, 0.42, 0.50)
    ground: Color = (0.11, 0.10, 0.09)
    intensity: float = 1.0
