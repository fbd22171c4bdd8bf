"""A visitor who walks: input to a place and a direction, inside of rooms and around exhibits."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pyglm import glm

from renderwright.engine.free_camera import Gaze
from renderwright.engine.input import InputState
from renderwright.engine.scene import Camera
from renderwright.games.gallery.building import THICK
from renderwright.games.gallery.museum_file import Museum

EYES = 1.66
"""Height of the eyes in metres."""
BODY = 0.3
"""Radius of the visitor."""
_WALK, _HURRY = 2.4, 4.6
"""Metres a second."""
_SWAY = 9.0
"""Rate per second at which the speed follows the keys."""
FOV_Y = math.radians(62.0)

Box = tuple[float, float, float, float]


class Walker:
    """The visitor."""

    def __init__(self, museum: Museum) -> None:
        self._floors = walkable(museum)
        self._round = [(exhibit.at, exhibit.radius) for exhibit in museum.exhibits if exhibit.radius > 0.0]
        self.gaze = Gaze(math.radians(museum.start.turn))
        self.x, self.z = museum.start.at
        self._speed = glm.vec3(0.0)

    def walk(self, state: InputState, dt: float) -> None:
        """Take a step of ``dt`` seconds."""
        self.gaze.turn(state, dt)
        ahead = self.gaze.ahead
        wish = ahead * state.axis("ahead") + glm.vec3(-ahead.z, 0.0, ahead.x) * state.axis("aside")
        if glm.length(wish) > 1.0:
            wish = glm.normalize(wish)
        wish *= _HURRY if state.held("hurry") else _WALK
        self._speed += (wish - self._speed) * (1.0 - math.exp(-_SWAY * dt))
        x, z = self.x + self._speed.x * dt, self.z + self._speed.z * dt
        x, z = _pushed(x, z, self._round)
        if self._free(x, z):
            self.x, self.z = x, z
        elif self._free(x, self.z):
            self.x = x
        elif self._free(self.x, z):
            self.z = z

    def show(self, camera: Camera) -> None:
        """Have a camera see what the visitor sees."""
        camera.position, camera.target = glm.vec3(self.x, EYES, self.z), None
        camera.rotation, camera.fov_y, camera.near = self.gaze.rotation, FOV_Y, 0.06

    def _free(self, x: float, z: float) -> bool:
        return any(west <= x <= east and north <= z <= south for west, north, east, south in self._floors)


def walkable(museum: Museum) -> tuple[Box, ...]:
    """Where the middle of a visitor may be: rooms without their rims, and doors."""
    rooms = [
        (room.low[0] + BODY, room.low[1] + BODY, room.high[0] - BODY, room.high[1] - BODY) for room in museum.rooms
    ]
    doors = []
    for door in museum.doors:
        wide, deep = 0.5 * door.width - BODY, THICK + 2.0 * BODY
        across, along = (deep, wide) if door.wall == "x" else (wide, deep)
        doors.append((door.at[0] - across, door.at[1] - along, door.at[0] + across, door.at[1] + along))
    return (*rooms, *doors)


def _pushed(x: float, z: float, things: Sequence[tuple[tuple[float, float], float]]) -> tuple[float, float]:
    """The nearest place that is in none of the things."""
    for (left, top), radius in things:
        far, least = math.hypot(x - left, z - top), radius + BODY
        if 1e-6 < far < least:
            x, z = left + (x - left) * least / far, top + (z - top) * least / far
    return x, z
