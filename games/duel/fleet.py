"""Tanks and shots in the scene, and the 60 lights that move with them."""

from __future__ import annotations

import math

import numpy as np
from pyglm import glm

from renderwright.engine.scene import PointLight, Scene, Transform
from renderwright.engine.scene.primitives import capsule
from renderwright.games.duel.arena import SEATS
from renderwright.games.duel.looks import PAINTS, Looks
from renderwright.games.duel.match import Match
from renderwright.games.duel.models import tank_meshes
from renderwright.games.duel.shots import COUNT, EACH, HEIGHT
from renderwright.games.duel.tanks import Tank

FLASHES = 60 - COUNT - SEATS
_HOVER = 0.60
_AWAY = glm.vec3(0.0, -40.0, 0.0)
"""Below everything: the place of tanks that are destroyed, shots that do not fly, and lights that are dark."""
_DARK = 0.01
_SHOT_REACH, _TANK_REACH, _FLASH_REACH = 7.0, 5.0, 14.0


class Fleet:
    """Entities and lights of all tanks and shots, and flashes."""

    def __init__(self, scene: Scene, looks: Looks) -> None:
        meshes = tank_meshes()
        self._spots = [Transform(_AWAY) for _ in range(SEATS)]
        for spot, paint, glow in zip(self._spots, looks.paints, looks.glows, strict=True):
            self._entities = [
                scene.spawn(meshes.paint, paint, spot),
                scene.spawn(meshes.metal, looks.metal, spot),
                scene.spawn(meshes.glow, glow, spot),
            ]
        self._tanks = [scene.group([entity for entity in scene if entity.transform is spot]) for spot in self._spots]
        bolt = capsule(0.085, 1.0, segments=12, rings=4)
        self._shots = scene.group([scene.spawn(bolt, looks.glows[shot // EACH]) for shot in range(COUNT)])
        self._shots.casts_shadow = False
        self._shown = np.zeros(COUNT, bool)
        self._lean = [glm.vec2(0.0) for _ in range(SEATS)]
        self._time = 0.0
        colors = [PAINTS[shot // EACH] for shot in range(COUNT)] + list(PAINTS) + [(1.0, 0.55, 0.22)] * FLASHES
        self._lights = [scene.add_light(PointLight(glm.vec3(_AWAY), color, 0.0, _DARK)) for color in colors]
        self._flash = 0
        self._glow = np.zeros(FLASHES)
        self.hide()

    def hide(self) -> None:
        """Hide all shots and flashes, as at the start of a round."""
        self._shown[:] = False
        self._shots.positions = tuple(_AWAY)
        self._shots.snap()
        self._glow[:] = 0.0
        for light in self._lights:
            light.intensity, light.radius, light.position = 0.0, _DARK, glm.vec3(_AWAY)

    def flash(self, x: float, y: float, z: float, intensity: float) -> None:
        """Light up for a moment."""
        self._glow[self._flash] = intensity
        light = self._lights[COUNT + SEATS + self._flash]
        light.position, light.radius = glm.vec3(x, y, z), _FLASH_REACH
        self._flash = (self._flash + 1) % FLASHES

    def sync(self, match: Match, dt: float) -> None:
        """Follow the match, ``dt`` seconds after the last call."""
        self._time += dt
        for number, tank in enumerate(match.tanks):
            self._move_tank(number, tank, dt)
        self._move_shots(match)
        for number in np.flatnonzero(self._glow).tolist():
            self._glow[number] *= math.exp(-7.0 * dt)
            light = self._lights[COUNT + SEATS + number]
            if self._glow[number] < 0.05:
                self._glow[number], light.radius, light.position = 0.0, _DARK, glm.vec3(_AWAY)
            light.intensity = float(self._glow[number])

    def spot(self, number: int) -> Transform:
        """The transform of a tank."""
        return self._spots[number]

    def _move_tank(self, number: int, tank: Tank, dt: float) -> None:
        spot, light = self._spots[number], self._lights[COUNT + number]
        jumped = (
            tank.alive != (spot.position.y > -1.0)
            or math.hypot(spot.position.x - tank.x, spot.position.z - tank.z) > 3.0
        )
        if not tank.alive:
            spot.position, light.intensity, light.radius, light.position = _AWAY, 0.0, _DARK, glm.vec3(_AWAY)
        else:
            fx, fz = tank.forward
            ahead, aside = tank.vx * fx + tank.vz * fz, tank.vz * fx - tank.vx * fz
            goal = glm.vec2(-0.009 * ahead, -0.018 * aside - 0.05 * tank.turn * min(1.0, tank.speed / 6.0))
            self._lean[number] += (goal - self._lean[number]) * (1.0 - math.exp(-6.0 * dt))
            pitch, roll = self._lean[number]
            bob = 0.05 * math.sin(2.3 * self._time + 1.7 * number)
            spot.position = glm.vec3(tank.x, _HOVER + bob, tank.z)
            spot.rotation = glm.quat(glm.vec3(pitch, tank.heading, 0.0)) * glm.angleAxis(roll, glm.vec3(0.0, 0.0, 1.0))
            light.position = glm.vec3(tank.x - 0.5 * fx, 0.34, tank.z - 0.5 * fz)
            light.intensity, light.radius = 3.4 if tank.boosting else 2.2, _TANK_REACH
        if jumped:
            self._tanks[number].snap()

    def _move_shots(self, match: Match) -> None:
        shots = match.shots
        live = shots.life > 0.0
        changed = np.flatnonzero(live | self._shown)
        if not len(changed):
            return
        places = np.stack([shots.places[:, 0], np.full(COUNT, HEIGHT), shots.places[:, 1]], axis=1)
        places[~live] = tuple(_AWAY)
        half = 0.5 * np.arctan2(-shots.velocities[:, 0], -shots.velocities[:, 1])
        lying = math.sqrt(0.5)
        turns = np.stack([np.cos(half), np.cos(half), np.sin(half), -np.sin(half)], axis=1) * lying
        group = self._shots[changed]
        group.positions, group.rotations = places[changed], turns[changed]
        if (fresh := live != self._shown).any():
            self._shots[fresh].snap()
        for shot in changed.tolist():
            light = self._lights[shot]
            light.position = glm.vec3(places[shot])
            light.intensity, light.radius = (3.6, _SHOT_REACH) if live[shot] else (0.0, _DARK)
        self._shown = live
