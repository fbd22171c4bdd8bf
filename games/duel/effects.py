"""What is seen of the events of a match: particles, scorch marks, flashes, crates that fly."""

from __future__ import annotations

import math
import random

from pyglm import glm

from renderwright.engine.scene import Image, Scene
from renderwright.games.duel.arena import SEATS
from renderwright.games.duel.fleet import Fleet
from renderwright.games.duel.looks import PAINTS
from renderwright.games.duel.match import Event, Match, What
from renderwright.games.duel.shots import HEIGHT
from renderwright.games.duel.stage import Stage
from renderwright.plugins.decals import Decal
from renderwright.plugins.particles import Emitter, Particles

_FIRE = Particles(
    lifetime=(0.35, 0.9),
    speed=(1.0, 7.5),
    spread=math.pi,
    radius=0.7,
    gravity=(0.0, 2.0, 0.0),
    drag=3.2,
    sizes=(0.25, 0.75, 0.9, 0.5),
    colors=((9.0, 4.5, 1.4, 0.9), (5.0, 1.5, 0.25, 0.7), (1.2, 0.2, 0.03, 0.4), (0.1, 0.01, 0.0, 0.0)),
    softness=0.6,
)
_SMOKE = Particles(
    lifetime=(1.0, 2.4),
    speed=(0.6, 3.0),
    spread=1.4,
    radius=0.9,
    gravity=(0.0, 0.9, 0.0),
    drag=1.6,
    sizes=(0.5, 1.3, 1.9, 2.3),
    colors=((0.05, 0.045, 0.05, 0.0), (0.045, 0.04, 0.045, 0.42), (0.03, 0.03, 0.035, 0.22), (0.02, 0.02, 0.02, 0.0)),
    additive=False,
    softness=1.2,
)
_SPARKS = Particles(
    lifetime=(0.25, 0.8),
    speed=(2.5, 9.0),
    spread=1.5,
    gravity=(0.0, -11.0, 0.0),
    drag=1.0,
    sizes=(0.045, 0.03, 0.01),
    colors=((14.0, 8.0, 3.0, 1.0), (9.0, 3.0, 0.6, 1.0), (3.0, 0.5, 0.05, 0.0)),
)
_EMBERS = Particles(
    lifetime=(0.9, 2.2),
    speed=(4.0, 13.0),
    spread=1.2,
    radius=0.5,
    gravity=(0.0, -9.0, 0.0),
    drag=0.5,
    sizes=(0.07, 0.05, 0.02),
    colors=((16.0, 7.0, 1.6, 1.0), (10.0, 2.6, 0.4, 1.0), (3.0, 0.4, 0.05, 0.0)),
)
_MARKS = 28
_MARK_SECONDS = 14.0


def _trail(number: int) -> Particles:
    red, green, blue = PAINTS[number]
    return Particles(
        lifetime=(0.18, 0.42),
        speed=(0.1, 0.8),
        spread=math.pi,
        radius=0.22,
        gravity=(0.0, 0.3, 0.0),
        sizes=(0.17, 0.10, 0.03),
        colors=((2.4 * red, 2.4 * green, 2.4 * blue, 0.8), (0.3 * red, 0.3 * green, 0.3 * blue, 0.0)),
        softness=0.2,
    )


class Effects:
    """All effects. None of them matters to the match, so their random numbers are their own."""

    def __init__(self, scene: Scene, stage: Stage, fleet: Fleet, scorch: Image) -> None:
        place = scene.placed.add
        self._stage = stage
        self._fleet = fleet
        self._chance = random.Random(1)
        self._pools = {
            particles: [place(Emitter(particles, rate=0.0, most=most)) for _ in range(count)]
            for particles, count, most in ((_FIRE, 5, 160), (_SMOKE, 5, 90), (_SPARKS, 8, 90), (_EMBERS, 4, 160))
        }
        self._turns = dict.fromkeys(self._pools, 0)
        self._trails = [place(Emitter(_trail(number), rate=0.0, most=110)) for number in range(SEATS)]
        self._marks = [place(Decal(scorch, glm.vec3(0.0, -40.0, 0.0), opacity=0.0)) for _ in range(_MARKS)]
        self._ages = [math.inf] * _MARKS
        self._mark = 0
        self._due: list[tuple[Emitter, int]] = []

    def clear(self) -> None:
        """Remove the marks of a round."""
        for mark in self._marks:
            mark.opacity = 0.0
        self._ages = [math.inf] * _MARKS

    def sync(self, match: Match, dt: float) -> None:
        """Show what has happened in a step."""
        for emitter, count in self._due:
            emitter.burst(count)
        self._due.clear()
        for event in match.events:
            self._show(event, match.arena.file.cover)
        for number, (trail, tank) in enumerate(zip(self._trails, match.tanks, strict=True)):
            fx, fz = tank.forward
            trail.position = glm.vec3(tank.x - 1.6 * fx, 0.82, tank.z - 1.6 * fz)
            glides = tank.alive and match.tanks[number].speed > 2.0
            trail.rate = 0.0 if not glides else 240.0 if tank.boosting else 110.0
        for number, age in enumerate(self._ages):
            if age < _MARK_SECONDS:
                self._ages[number] = age + dt
                if age > _MARK_SECONDS - 2.0:
                    self._marks[number].opacity = max(0.0, 0.45 * (_MARK_SECONDS - age))

    def _show(self, event: Event, most: int) -> None:
        place = glm.vec3(event.x, HEIGHT, event.z)
        match event.what:
            case What.SPARKS:
                self._burst(_SPARKS, place, 26)
                self._scorch(place, event.normal, 0.9)
                self._fleet.flash(place.x, place.y, place.z, 5.0)
            case What.HIT:
                self._burst(_SPARKS, place, 60)
                self._burst(_FIRE, place, 14)
                self._fleet.flash(place.x, place.y, place.z, 14.0)
            case What.BROKEN if event.cell is not None:
                gone = self._stage.break_cover(event.cell, event.left, most, event.normal)
                self._burst(_SPARKS, place, 40)
                self._burst(_SMOKE, place, 16)
                self._fleet.flash(place.x, place.y, place.z, 8.0)
                if len(gone) and not event.left:
                    middle = gone.mean(axis=0)
                    self._burst(_FIRE, glm.vec3(middle), 60)
                    self._scorch(glm.vec3(middle[0], 0.0, middle[2]), (0.0, 0.0), 3.6)
            case What.DESTROYED:
                for particles, count in ((_FIRE, 150), (_SMOKE, 70), (_EMBERS, 140)):
                    self._burst(particles, place, count)
                self._scorch(glm.vec3(event.x, 0.0, event.z), (0.0, 0.0), 6.0)
                self._fleet.flash(place.x, 1.6, place.z, 90.0)
            case What.APPEARED:
                self._burst(_SPARKS, place, 60)
                self._fleet.flash(place.x, 1.6, place.z, 25.0)

    def _burst(self, particles: Particles, place: glm.vec3, count: int) -> None:
        """Particles are born along the way of their emitter, so it is moved in this step, and emits in the next."""
        pool = self._pools[particles]
        emitter = pool[self._turns[particles]]
        self._turns[particles] = (self._turns[particles] + 1) % len(pool)
        emitter.position = place
        self._due.append((emitter, count))

    def _scorch(self, place: glm.vec3, normal: tuple[float, float], size: float) -> None:
        """A mark on a wall with that normal, or on the floor."""
        mark = self._marks[self._mark]
        flat = normal == (0.0, 0.0)
        mark.position = place
        mark.direction = glm.vec3(0.0, -1.0, 0.0) if flat else glm.vec3(-normal[0], 0.0, -normal[1])
        size *= self._chance.uniform(0.8, 1.2)
        mark.size = (size, size, 0.8 if flat else 1.2)
        mark.rotation = self._chance.uniform(0.0, math.tau)
        mark.opacity = 0.9
        self._ages[self._mark] = 0.0
        self._mark = (self._mark + 1) % _MARKS
