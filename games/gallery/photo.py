"""Photo mode: time stands still, and a camera flies free."""

from __future__ import annotations

import math

from pyglm import glm

from renderwright.engine.game import PictureWish
from renderwright.engine.input import InputState
from renderwright.engine.scene import Camera
from renderwright.games.gallery.walker import EYES, FOV_Y, Gaze, Walker

SIZES: tuple[tuple[str, PictureWish], ...] = (
    ("1920 x 1080", PictureWish((1920, 1080), (1, 1))),
    ("4K, 2 x 2 tiles", PictureWish((3840, 2160), (2, 2))),
    ("8K, 4 x 4 tiles", PictureWish((7680, 4320), (4, 4))),
    ("16K, 8 x 8 tiles", PictureWish((15360, 8640), (8, 8))),
)
_SPEED = 2.2
_ZOOM = 0.6
_NARROWEST, _WIDEST = math.radians(8.0), math.radians(100.0)
_REACH = 12.0
"""Metres that the camera may be away from the visitor along each axis."""


class PhotoCamera:
    """The free camera."""

    def __init__(self, walker: Walker) -> None:
        self.place = glm.vec3(walker.x, EYES, walker.z)
        self.gaze = Gaze(walker.gaze.yaw, walker.gaze.pitch)
        self.fov_y = FOV_Y
        self.size = 0
        self._low, self._high = self.place - _REACH, self.place + _REACH

    @property
    def wish(self) -> PictureWish:
        """The picture to take."""
        return SIZES[self.size][1]

    def fly(self, state: InputState, dt: float) -> None:
        """Follow the keys for ``dt`` seconds."""
        self.gaze.turn(state, dt)
        right = self.gaze.rotation * glm.vec3(1, 0, 0)
        ahead = self.gaze.rotation * glm.vec3(0, 0, -1)
        way = glm.vec3(0, state.axis("rise"), 0) + ahead * state.axis("ahead") + right * state.axis("aside")
        self.place = glm.clamp(self.place + way * (_SPEED * dt), self._low, self._high)
        self.place.y = max(0.1, self.place.y)
        zoom = state.axis("zoom") * dt - 0.1 * state.mouse.scroll
        self.fov_y = max(_NARROWEST, min(_WIDEST, self.fov_y * math.exp(_ZOOM * zoom)))

    def show(self, camera: Camera) -> None:
        """Have a camera see what it sees."""
        camera.position, camera.target = self.place, None
        camera.rotation, camera.fov_y = self.gaze.rotation, self.fov_y
