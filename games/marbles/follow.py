"""A camera that follows a marble, for players who share the screen."""

from __future__ import annotations

import math

from pyglm import glm

from renderwright.engine.scene import Camera
from renderwright.games.marbles.course import Course

_PITCH = math.radians(52.0)
"""Downward angle of the camera, in radians."""
_FOV_Y = math.radians(40.0)
_AROUND = (3.6, 3.2)
"""Smallest visible half extent of the board around the marble: sideways, and along the view."""
_INSET = 2.4
"""Minimum distance of the camera's target from the board's edge, so that the picture shows more board than table."""
_QUICKNESS = 5.0
"""Rate of the exponential approach to the marble, per second."""


class FollowCamera:
    """Looks at a marble from the near side. ``camera`` belongs to the scene."""

    def __init__(self, camera: Camera, place: glm.vec3, course: Course) -> None:
        self.camera = camera
        self._reach = glm.vec3(max(0.0, 0.5 * course.columns - _INSET), 10.0, max(0.0, 0.5 * course.rows - _INSET))
        self._target = self._within(place)
        self._aspect = 1.0
        camera.fov_y = _FOV_Y
        camera.near = 0.1
        self._look()

    def shape(self, aspect: float) -> None:
        """Set the distance for a picture of the given aspect ratio (width / height)."""
        if aspect != self._aspect:
            self._aspect = aspect
            self._look()

    def follow(self, place: glm.vec3, dt: float) -> None:
        """Move towards the marble's world-space position for ``dt`` seconds."""
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
