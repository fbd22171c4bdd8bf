"""The board's tilt, and gravity in board space."""

from __future__ import annotations

import math
from dataclasses import dataclass

GRAVITY = 20.0
"""Units per second squared. Higher than 9.81 for livelier play."""
MAX_TILT = math.radians(12.0)
RESPONSE = 9.0
"""Rate at which the tilt approaches the input exponentially, per second."""

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class Tilt:
    """Angles in radians: ``roll`` lowers the right edge, ``pitch`` lowers the near edge.

    The board's rotation is Rz(-roll) Rx(pitch).
    """

    roll: float = 0.0
    pitch: float = 0.0

    def follow(self, right: float, near: float, dt: float) -> Tilt:
        """The tilt after ``dt`` seconds of the input (``right``, ``near``), clamped to the unit circle."""
        length = math.hypot(right, near)
        scale = MAX_TILT / max(length, 1.0)
        share = 1.0 - math.exp(-RESPONSE * dt)
        return Tilt(
            self.roll + (right * scale - self.roll) * share,
            self.pitch + (near * scale - self.pitch) * share,
        )

    def gravity(self) -> Vector:
        """Gravity in board space: the transpose of the board's rotation times (0, -g, 0)."""
        down = GRAVITY * math.cos(self.roll)
        return GRAVITY * math.sin(self.roll), -down * math.cos(self.pitch), down * math.sin(self.pitch)
