"""Cameras: one behind each player's tank, and those that circle the arena for the title."""

from __future__ import annotations

import math

from pyglm import glm

from renderwright.engine.scene import Camera
from renderwright.games.duel.tanks import Tank

_BEHIND, _ABOVE, _AHEAD = 6.4, 4.3, 5.0
_QUICKNESS, _TURNING = 9.0, 6.5
"""Rates per second of the approach to the tank's place and direction."""
_FOV_Y = math.radians(62.0)


class ChaseCamera:
    """Follows a tank. ``camera`` belongs to the scene."""

    def __init__(self, camera: Camera, tank: Tank, inside: glm.vec2) -> None:
        """``inside`` is the half of the arena's width and depth within which the camera stays."""
        self.camera = camera
        self.inside = inside
        camera.near = 0.1
        self._time = 0.0
        self.jump(tank)

    def jump(self, tank: Tank) -> None:
        """Be behind a tank at once."""
        self._heading, self._middle, self._back, self._wide = tank.heading, glm.vec2(tank.x, tank.z), 1.0, 0.0
        self._look(0.0)

    def follow(self, tank: Tank, dt: float) -> None:
        """Follow for ``dt`` seconds. A destroyed tank is seen from above."""
        self._time += dt
        turn = (tank.heading - self._heading + math.pi) % math.tau - math.pi
        if tank.alive:
            self._heading += turn * (1.0 - math.exp(-_TURNING * dt))
            goal = glm.vec2(tank.x, tank.z)
            self._middle += (goal - self._middle) * (1.0 - math.exp(-_QUICKNESS * dt))
        self._back += ((1.0 if tank.alive else 2.1) - self._back) * (1.0 - math.exp(-3.0 * dt))
        self._wide += ((1.0 if tank.boosting else 0.0) - self._wide) * (1.0 - math.exp(-4.0 * dt))
        self._look(tank.shock)

    def _look(self, shock: float) -> None:
        ahead = glm.vec3(-math.sin(self._heading), 0.0, -math.cos(self._heading))
        middle = glm.vec3(self._middle.x, 0.0, self._middle.y)
        shake = 0.14 * shock * glm.vec3(math.sin(71.0 * self._time), math.sin(93.0 * self._time + 1.0), 0.0)
        camera = self.camera
        behind = middle - ahead * (_BEHIND * self._back)
        place = glm.clamp(glm.vec2(behind.x, behind.z), -self.inside, self.inside)
        camera.position = glm.vec3(place.x, _ABOVE * self._back**2, place.y) + shake
        # Where the frame of the arena holds the camera near to the tank, it looks down on it.
        near = min(1.0, glm.distance(place, self._middle) / (_BEHIND * self._back))
        camera.target = middle + ahead * (_AHEAD * near / self._back) + glm.vec3(0.0, 0.4, 0.0) + shake
        camera.fov_y = _FOV_Y * (1.0 + 0.14 * self._wide)


def circle(camera: Camera, inside: glm.vec2, seconds: float, player: int, players: int) -> None:
    """Look down on an arena from a place that moves around it, another one for each player."""
    reach = max(inside) + 3.0
    turn = 0.12 * seconds + math.tau * player / players + 0.6
    camera.near = 0.1
    camera.fov_y = math.radians(50.0)
    camera.position = glm.vec3(math.sin(turn) * 0.95 * reach, 0.46 * reach, math.cos(turn) * 0.95 * reach)
    camera.target = glm.vec3(0.0, -0.5, 0.0)
