"""The board in the scene: built once per level, then updated from the state of the rules.

Everything on the board is in board space and rotates with the tilt about the board's centre.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from pyglm import glm

from renderwright.engine.scene import Entity, Material, Mesh, PointLight, Probe, Scene, Transform
from renderwright.engine.scene.algebra import rotate
from renderwright.engine.scene.material_content import Palette
from renderwright.engine.scene.primitives import box, cylinder, torus
from renderwright.games.marbles.course import BUMPER_RADIUS, COIN_RADIUS, HOLE_DEPTH, PIT_RADIUS, Course, Pit, PitKind
from renderwright.games.marbles.level import Finish
from renderwright.games.marbles.looks import marble_materials
from renderwright.games.marbles.physics import Marble
from renderwright.games.marbles.race import Race
from renderwright.games.marbles.rules import Rules
from renderwright.games.marbles.shapes import blocks_mesh, floor_mesh, patterned_marble, well_mesh
from renderwright.games.marbles.tilt import MAX_TILT, Tilt

WALL_HEIGHT = 0.5
FRAME_HEIGHT = 0.55
BODY_DEPTH = HOLE_DEPTH + 0.15
_COIN_HEIGHT = 0.34
_COIN_TURN = 2.4
"""Rotation speed of coins, in radians per second."""
_HIT_GLOW = 0.25
"""Duration of a bumper's glow after a hit, in seconds."""
JUMP = 0.8
"""A marble that moves further than this in one step was respawned, so it gets no motion vectors."""
_ROOM_HEIGHT = 3.0
"""Height above the board, in units, to which a probe's light holds."""
_SHOWN_TILT = 0.6 * MAX_TILT
_GOAL_GLOW = (1.0, 0.52, 0.14)
_HOME_GLOW = (0.15, 1.0, 0.35)


@dataclass
class _Part:
    """An entity that moves in board space."""

    entity: Entity
    position: glm.vec3
    rotation: glm.quat


class Board:
    """The entities and lights of one level."""

    def __init__(self, scene: Scene, looks: Palette, rules: Rules | Race) -> None:
        self._scene = scene
        self._looks = looks
        self._course = rules.course
        self._fixed = Transform()
        self._entities: list[Entity] = []
        self._time = 0.0
        self._hits = [0] * len(self._course.bumpers)
        self._hit_times = [-math.inf] * len(self._course.bumpers)
        self._build_body()
        self._goal_rings = self._build_pits()
        self._goal_lights = [PointLight(color=_GOAL_GLOW, intensity=1.3, radius=3.0) for _ in self._goals()]
        for light in self._goal_lights:
            scene.add_light(light)
        self._bumper_caps = self._build_bumpers()
        self._coins = self._build_coins()
        self._movers = self._build_movers()
        finish = rules.level.settings.marbles
        self._marbles = [self._build_marble(number, finish) for number in range(len(rules.marbles))]
        self._probe = scene.probes.add(_surroundings(self._course)) if finish is Finish.STEEL else None
        self.sync(rules, 0.0)
        for entity in self._entities:
            scene.add(entity)

    def remove(self) -> None:
        """Remove everything from the scene."""
        for entity in self._entities:
            self._scene.remove(entity)
        for light in self._goal_lights:
            self._scene.remove_light(light)
        if self._probe is not None:
            self._scene.probes.remove(self._probe)
            self._probe = None
        self._entities.clear()
        self._goal_lights.clear()

    def sync(self, rules: Rules | Race, dt: float) -> None:
        """Update all entities from the rules, ``dt`` seconds after the last call."""
        self._time += dt
        turn = board_rotation(rules.tilt)
        self._fixed.rotation = turn
        self._sync_goals(rules, turn)
        self._sync_bumpers(rules)
        for number, coin in enumerate(self._coins):
            coin.entity.visible = number in rules.coins_left
            coin.rotation = glm.angleAxis(self._time * _COIN_TURN + number, glm.vec3(0.0, 1.0, 0.0)) * _LEANING
            _place(coin, turn)
        for number, parts in enumerate(self._movers):
            spot = rules.world.mover_spot(number)
            for part in parts:
                part.position = glm.vec3(spot.x, part.position.y, spot.z)
                _place(part, turn)
        for marble, parts in zip(rules.marbles, self._marbles, strict=True):
            self._sync_marble(marble, parts, turn)

    def marble_place(self, number: int) -> glm.vec3:
        """World-space position of a marble."""
        return glm.vec3(self._marbles[number][0].entity.transform.position)

    def _goals(self) -> tuple[Pit, ...]:
        return tuple(pit for pit in self._course.pits if pit.kind is PitKind.GOAL)

    # -- building

    def _fix(self, mesh: Mesh, material: Material, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Entity:
        """Add a part that is fixed to the board."""
        local = glm.translate(glm.vec3(x, y, z))
        entity = Entity(mesh, material, self._fixed, local=local)
        self._entities.append(entity)
        return entity

    def _move(self, mesh: Mesh, material: Material, x: float, y: float, z: float) -> _Part:
        entity = Entity(mesh, material)
        self._entities.append(entity)
        return _Part(entity, glm.vec3(x, y, z), glm.quat(1.0, 0.0, 0.0, 0.0))

    def _build_body(self) -> None:
        course, looks = self._course, self._looks
        self._fix(floor_mesh(course), looks["floor"])
        self._fix(blocks_mesh("frame", course.frame, -BODY_DEPTH, FRAME_HEIGHT, 0.09), looks["frame"])
        if course.walls:
            self._fix(blocks_mesh("walls", course.walls, -0.1, WALL_HEIGHT, 0.07), looks["wall"])

    def _build_pits(self) -> list[Entity]:
        """Add wells and rims. Returns the rings of the goals."""
        looks = self._looks
        wells = {pit.depth: well_mesh(pit.depth) for pit in self._course.pits}
        rim, ring = torus(PIT_RADIUS + 0.01, 0.03), torus(PIT_RADIUS + 0.035, 0.055)
        rings: list[Entity] = []
        for pit in self._course.pits:
            goal = pit.kind is PitKind.GOAL
            self._fix(wells[pit.depth], looks["cup"] if goal else looks["well"], pit.x, 0.0, pit.z)
            outline = self._fix(ring if goal else rim, looks["goal"] if goal else looks["hole rim"], pit.x, 0.0, pit.z)
            if goal:
                rings.append(outline)
        return rings

    def _build_bumpers(self) -> list[Entity]:
        post = cylinder(BUMPER_RADIUS, WALL_HEIGHT)
        collar = torus(BUMPER_RADIUS, 0.05)
        knob = cylinder(BUMPER_RADIUS * 0.55, 0.08)
        caps: list[Entity] = []
        for spot in self._course.bumpers:
            self._fix(post, self._looks["bumper"], spot.x, 0.5 * WALL_HEIGHT, spot.z)
            self._fix(knob, self._looks["bumper cap"], spot.x, WALL_HEIGHT + 0.02, spot.z)
            caps.append(self._fix(collar, self._looks["bumper cap"], spot.x, WALL_HEIGHT, spot.z))
        return caps

    def _build_coins(self) -> list[_Part]:
        mesh = cylinder(COIN_RADIUS, 0.06)
        return [self._move(mesh, self._looks["coin"], spot.x, _COIN_HEIGHT, spot.z) for spot in self._course.coins]

    def _build_movers(self) -> list[tuple[_Part, ...]]:
        movers: list[tuple[_Part, ...]] = []
        for mover in self._course.movers:
            body = box((mover.size, WALL_HEIGHT, mover.size), 0.08)
            lamp = box((mover.size * 0.5, 0.06, mover.size * 0.5), 0.03)
            x, z = mover.start.x, mover.start.z
            height = 0.5 * WALL_HEIGHT + 0.01
            movers.append(
                (
                    self._move(body, self._looks["mover"], x, height, z),
                    self._move(lamp, self._looks["mover trim"], x, WALL_HEIGHT + 0.02, z),
                )
            )
        return movers

    def _build_marble(self, number: int, finish: Finish) -> tuple[_Part, ...]:
        pair = marble_materials(self._looks, finish, number)
        meshes = patterned_marble(number)
        return tuple(self._move(mesh, colour, 0.0, 0.0, 0.0) for mesh, colour in zip(meshes, pair, strict=True))

    # -- moving

    def _sync_goals(self, rules: Rules | Race, turn: glm.quat) -> None:
        homes = {marble.captured for marble in rules.marbles if marble.pinned}
        for pit, ring, light in zip(self._goals(), self._goal_rings, self._goal_lights, strict=True):
            home = pit in homes
            ring.material = self._looks["goal home"] if home else self._looks["goal"]
            light.color = _HOME_GLOW if home else _GOAL_GLOW
            light.position = rotate(turn, glm.vec3(pit.x, 0.75, pit.z))

    def _sync_bumpers(self, rules: Rules | Race) -> None:
        for number, cap in enumerate(self._bumper_caps):
            if rules.world.bumps[number] != self._hits[number]:
                self._hits[number] = rules.world.bumps[number]
                self._hit_times[number] = self._time if self._hits[number] else -math.inf
            glows = self._time - self._hit_times[number] < _HIT_GLOW
            cap.material = self._looks["bumper hit"] if glows else self._looks["bumper cap"]

    def _sync_marble(self, marble: Marble, parts: Iterable[_Part], turn: glm.quat) -> None:
        position = glm.vec3(*marble.position)
        jumped = False
        for part in parts:
            jumped = glm.distance(part.position, position) > JUMP
            part.position = position
            part.rotation = glm.quat(*marble.orientation)
            _place(part, turn)
            if jumped:
                part.entity.snap()


_LEANING = glm.angleAxis(0.3 * math.pi, glm.vec3(1.0, 0.0, 0.0))
"""Tilts a coin so that it reflects light to the camera while it turns."""


def _surroundings(course: Course) -> Probe:
    """What marbles mirror: the board from above its middle, in a box that they do not leave at any tilt."""
    half = glm.vec3(0.5 * course.columns, 0.0, 0.5 * course.rows)
    rise = glm.vec3(0.0, math.sin(MAX_TILT) * max(half.x, half.z) + 0.2, 0.0)
    return Probe(-half - rise, half + rise + glm.vec3(0.0, _ROOM_HEIGHT, 0.0), position=glm.vec3(0.0, 0.9, 0.0))


def board_rotation(tilt: Tilt) -> glm.quat:
    """The board's rotation: Rz(-roll) Rx(pitch)."""
    return glm.angleAxis(-tilt.roll, glm.vec3(0.0, 0.0, 1.0)) * glm.angleAxis(tilt.pitch, glm.vec3(1.0, 0.0, 0.0))


def board_corners(course: Course) -> list[glm.vec3]:
    """Corners of the board's bounding box, frame included, at every tilt that the camera should show."""
    block = course.frame[0]
    tilts = [Tilt(roll, pitch) for roll in (-_SHOWN_TILT, _SHOWN_TILT) for pitch in (-_SHOWN_TILT, _SHOWN_TILT)]
    return [
        rotate(board_rotation(tilt), glm.vec3(x, FRAME_HEIGHT, z))
        for tilt in tilts
        for x in (block.x0, -block.x0)
        for z in (block.z0, -block.z0)
    ]


def _place(part: _Part, turn: glm.quat) -> None:
    part.entity.transform.position = rotate(turn, part.position)
    part.entity.transform.rotation = turn * part.rotation
