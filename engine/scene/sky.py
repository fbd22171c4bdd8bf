"""The light that comes from everywhere."""

from __future__ import annotations

from dataclasses import dataclass

Color = tuple[float, float, float]


@dataclass(frozen=True)
class Sky:
    """A vertical gradient of linear colours: background and ambient light of the scene, all scaled by ``intensity``."""

    zenith: Color = (0.18, 0.34, 0.72)
    horizon: Color = (0.70, 0.78, 0.88)
    ground: Color = (0.22, 0.20, 0.18)
    intensity: float = 1.0
