"""A camera that follows a marble, for players who share the screen."""

from __future__ import annotations

import math

from pyglm import glm

from renderwright.engine.scene import Camera
from renderwright.games.marbles.course import Course

_PITCH = math.radians(52.0)
"""How steeply it looks down."""
_FOV_Y = math.radians(40.0)
_AROUND = (3.6, 3.2)
"""How much of the board is seen to each side of the marble, and before and behind it, at least."""
_INSET = 2.4
"""How far within the board's edge the point stays that it looks at: the board is worth more than the table."""
_QUICKNESS = 5.0
"""The share of the way to the marble that it goes in a second, at first."""


class FollowCamera:
    """Looks at a marble from the near side; ``camera`` is the scene's."""

    def __init__(self, camera: Camera, place: glm.vec3, course: Course) -> None:
        self.camera = camera
        self._reach = glm.vec3(max(0.0, 0.5 * course.columns - _INSET), 10.0, max(0.0, 0.5 * course.rows - _INSET))
        self._target = self._within(place)
        self._aspect = 1.0
        camera.fov_y = _FOV_Y
        camera.near = 0.1
        self._look()

    def shape(self, aspect: float) -> None:
        """Show enough of the board in a picture of that width over height."""
        if aspect != self._aspect:
            self._aspect = aspect
            self._look()

    def follow(self, place: glm.vec3, dt: float) -> None:
        """Move towards the marble, in world space, for ``dt`` seconds."""
        share = 1.0 - math.exp(-_QUICKNESS * dt)
        self._target = self._target + (self._within(place) - self._target) * share
        self._look()

    def _within(self, place: glm.vec3) -> glm.vec3:
        return glm.vec3(glm.clamp(place, -self._reach, self._reach))

    def _look(self) -> None:
        slope = math.tan(0.5 * _FOV_Y)
        distance = max(_AROUND[0] / (slope * self._aspect), _AROUND[1] / slope)
        self.camera.target = glm.vec3(self._target)
        self.camera.position = self._target + glm.vec3(0.0, math.sin(_PITCH), math.cos(_PITCH)) * distance
