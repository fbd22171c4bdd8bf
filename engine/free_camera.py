"""A camera that flies free, and looking around: by keys, sticks and the mouse.

A game's controls have the axes ``ahead``, ``aside``, ``turn``, ``tilt``, ``rise`` and ``zoom`` and the action ``look``;
``CONTROLS`` binds them as usual.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pyglm import glm

from renderwright.engine.input import InputState
from renderwright.engine.scene import Camera

CONTROLS: Mapping[str, Mapping[str, Any]] = {
    "axes": {
        "ahead": {"negative": ["s", "down"], "positive": ["w", "up"], "axes": ["pad_left_y"]},
        "aside": {"negative": ["a"], "positive": ["d"], "axes": ["pad_left_x"]},
        "turn": {"negative": ["left"], "positive": ["right"], "axes": ["pad_right_x"]},
        "tilt": {"negative": ["page_down"], "positive": ["page_up"], "axes": ["pad_right_y"]},
        "rise": {"negative": ["q", "pad_left"], "positive": ["e", "pad_right"]},
        "zoom": {"negative": ["equal", "pad_up"], "positive": ["minus", "pad_down"]},
    },
    "actions": {"look": ["mouse_left", "mouse_right"]},
}
"""Mouse and keyboard, or a gamepad."""

_TURN = 1.7
"""Radians a second."""
_PER_HEIGHT = 1.6
"""Radians for a drag over the height of the window."""
_STEEPEST = 1.4
_SPEED = 2.2
"""Metres a second."""
_ZOOM = 0.6
"""Rate a second at which the field of view grows or shrinks."""
_NOTCH = 0.1
"""Seconds of that for a notch of the wheel."""
_NARROWEST, _WIDEST = math.radians(8.0), math.radians(100.0)


@dataclass
class Gaze:
    """A direction in radians: ``yaw`` from north (-Z) to the west, ``pitch`` upwards."""

    yaw: float = 0.0
    pitch: float = 0.0

    def turn(self, state: InputState, dt: float) -> None:
        """Follow keys, sticks and, while ``look`` is held, the mouse, for ``dt`` seconds."""
        dragged = state.mouse.delta if state.held("look") else (0.0, 0.0)
        self.yaw += -state.axis("turn") * _TURN * dt - dragged[0] * _PER_HEIGHT
        pitch = self.pitch + state.axis("tilt") * _TURN * dt + dragged[1] * _PER_HEIGHT
        self.pitch = max(-_STEEPEST, min(_STEEPEST, pitch))

    @property
    def ahead(self) -> glm.vec3:
        """Where it looks, level."""
        return glm.vec3(-math.sin(self.yaw), 0.0, -math.cos(self.yaw))

    @property
    def rotation(self) -> glm.quat:
        """That of a camera."""
        return glm.angleAxis(self.yaw, glm.vec3(0, 1, 0)) * glm.angleAxis(self.pitch, glm.vec3(1, 0, 0))


class FreeCamera:
    """A camera that flies from a ``place``, as far as ``reach`` metres along each axis, and above ``floor``."""

    def __init__(self, place: glm.vec3, gaze: Gaze, fov_y: float, *, reach: float, floor: float = 0.1) -> None:
        self.place = glm.vec3(place)
        self.gaze = Gaze(gaze.yaw, gaze.pitch)
        self.fov_y = fov_y
        self._low, self._high = self.place - reach, self.place + reach
        self._floor = floor

    def fly(self, state: InputState, dt: float) -> None:
        """Follow the keys for ``dt`` seconds; the wheel zooms."""
        self.gaze.turn(state, dt)
        right = self.gaze.rotation * glm.vec3(1, 0, 0)
        ahead = self.gaze.rotation * glm.vec3(0, 0, -1)
        way = glm.vec3(0, state.axis("rise"), 0) + ahead * state.axis("ahead") + right * state.axis("aside")
        self.place = glm.clamp(self.place + way * (_SPEED * dt), self._low, self._high)
        self.place.y = max(self._floor, self.place.y)
        zoom = state.axis("zoom") * dt - _NOTCH * state.mouse.scroll
        self.fov_y = max(_NARROWEST, min(_WIDEST, self.fov_y * math.exp(_ZOOM * zoom)))

    def show(self, camera: Camera) -> None:
        """Have a camera of the scene see what it sees."""
        camera.position, camera.target = self.place, None
        camera.rotation, camera.fov_y = self.gaze.rotation, self.fov_y
