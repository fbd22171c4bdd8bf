"""Cameras that fly after ships."""

from __future__ import annotations

import math

from pyglm import glm

from renderwright.engine.scene import Camera
from renderwright.games.drift.match import STEP
from renderwright.games.drift.rule_files import Arena
from renderwright.games.drift.ship import Ship

FOV = math.radians(45.0)
_HEIGHT = 24.0
"""Metres of the arena from the bottom of a picture to its top."""
DISTANCE = 0.5 * _HEIGHT / math.tan(0.5 * FOV)
_AHEAD = 0.35
"""Seconds that it looks ahead of a ship."""
_QUICK = 3.0
"""Share of the way to its ship that it goes in a second."""
_LEAN = 0.12
"""Slope of the view: the camera lies lower than what it looks at, so that near things rise over far ones."""
_SHAKE = 0.5


class Chase:
    """A camera that follows a ship, but does not look far beyond the rim."""

    def __init__(self, camera: Camera, arena: Arena) -> None:
        self.camera = camera
        camera.fov_y = FOV
        self._reach = arena.radius * 0.55
        self._at = 0j

    def follow(self, ship: Ship, shaking: float, time: float) -> None:
        """Come nearer to a ship; after a crash, stay."""
        if ship.flying:
            self.look(ship.at + _AHEAD * ship.velocity, shaking, time)
        else:
            self.look(self._at, shaking, time)

    def look(self, at: complex, shaking: float = 0.0, time: float = 0.0) -> None:
        """Come nearer to a place."""
        if abs(at) > self._reach:
            at *= self._reach / abs(at)
        self._at += (at - self._at) * _QUICK * STEP
        strength = _SHAKE * shaking * shaking
        shake = complex(math.sin(61.0 * time), math.sin(53.0 * time + 1.0)) * strength
        x, y = (self._at + shake).real, (self._at + shake).imag
        self.camera.target = glm.vec3(x, y, 0.0)
        self.camera.position = glm.vec3(x, y - _LEAN * DISTANCE, DISTANCE)
