"""The arena in the scene: built for each round, then only its cover changes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from pyglm import glm

from renderwright.engine.scene import DirectionalLight, Entity, Group, PointLight, Scene, Sky, SpotLight, Transform
from renderwright.engine.scene.primitives import box, plane, torus
from renderwright.games.duel.arena import CELL, COVER, WALL, Arena, Cell, Color
from renderwright.games.duel.looks import Looks, floor_material, glowing
from renderwright.games.duel.match import Match

WALL_HEIGHT, TRIM_HEIGHT = 2.2, 1.98
_CRATE = 1.12
_EACH = 8
"""Crates of a cell of cover."""
_GRAVITY, _FADE = 16.0, 3.2
"""Of crates that fly: m/s², and seconds until they are gone."""
_CITY = 90
_PAD_LIGHT = 6.0
_FLOOR_CELLS = 34
"""Cells along a side of the floor, which reaches beyond all arenas."""


class Stage:
    """The entities and lights of an arena, and the crates that fly off."""

    def __init__(self, scene: Scene, looks: Looks) -> None:
        self._scene = scene
        self._looks = looks
        self._chance = np.random.default_rng(1)
        self._parts: list[Group] = []
        self._pads: list[Entity] = []
        self._pad_lights: list[PointLight] = []
        self._lamps: list[PointLight | SpotLight] = []
        # All arenas have the same meshes: new ones would be on their way to the GPU while a round begins.
        side = CELL + 0.03
        self._wall, self._crate = box((CELL, WALL_HEIGHT, CELL), 0.12), box(_CRATE, 0.06, bevel_segments=2)
        self._trim, self._base = box((side, 0.07, side)), box((side, 0.05, side))
        self._ring = torus(1.25, 0.07, segments=40, rings=8)
        # The image has a plate of its pattern for each two cells.
        self._floor = plane(_FLOOR_CELLS * CELL, _FLOOR_CELLS * CELL, uv_scale=0.5 * _FLOOR_CELLS)
        self._build_city()

    def build(self, arena: Arena) -> None:
        """Show an arena with all its cover in the place of the one before."""
        scene, looks, look = self._scene, self._looks, arena.file.look
        for group in self._parts:
            scene.remove(group)
        for light in self._lamps:
            scene.remove_light(light)
        scene.sky = Sky(look.zenith, look.horizon, (0.020, 0.020, 0.026), 2.2)
        scene.sun = DirectionalLight(glm.vec3(-0.45, -1.0, -0.62), look.moon, 3.8)
        rows, columns = arena.solid.shape
        width, depth = columns * CELL, rows * CELL
        walls = np.array([(*arena.centre(cell), 0.5 * WALL_HEIGHT) for cell in arena.cells(WALL)])[:, [0, 2, 1]]
        trims = walls * (1.0, 0.0, 1.0) + (0.0, TRIM_HEIGHT, 0.0)
        rim = glowing(look.trim, 5.0)
        self._parts = [
            scene.spawn_many(self._floor, floor_material(look.trim), [(0.0, 0.0, 0.0)]),
            scene.spawn_many(self._wall, looks.wall, walls),
            scene.spawn_many(self._trim, rim, trims),
            scene.spawn_many(self._base, rim, trims * (1.0, 0.0, 1.0) + (0.0, 0.12, 0.0)),
            self._build_crates(arena),
        ]
        self._build_pads(arena)
        self._lamps = [*self._pad_lights, *_masts(look.trim, 0.5 * width, 0.5 * depth)]
        for light in self._lamps:
            scene.add_light(light)
        scene.static(*self._parts[:4])
        self.inside = glm.vec2(0.5 * width - 0.4 * CELL, 0.5 * depth - 0.4 * CELL)

    def sync(self, match: Match, dt: float) -> None:
        """Move crates that fly, and show which pads repair."""
        self._fly(dt)
        for pad, light, rest in zip(self._pads, self._pad_lights, match.pad_rest, strict=True):
            intensity = 0.0 if rest > 0.0 else _PAD_LIGHT
            if light.intensity != intensity:
                light.intensity = intensity
                pad.material = self._looks.pad if intensity else self._looks.pad_resting

    def break_cover(self, cell: Cell, left: int, most: int, normal: tuple[float, float]) -> NDArray[np.float64]:
        """Have crates of a cell fly off, so that the share ``left / most`` of them stays. Returns their places."""
        first = self._first_crates[cell]
        gone = _EACH - round(_EACH * left / most)
        crates = np.arange(first, first + gone)
        crates = crates[~self._flying[crates]]
        count = len(crates)
        away = self._chance.normal((4.5 * normal[0], 5.5, 4.5 * normal[1]), 1.7, (count, 3))
        self._flying[crates], self._speeds[crates] = True, away
        self._spins[crates] = self._chance.normal(0.0, 5.0, (count, 3))
        return self._places[crates]

    def _fly(self, dt: float) -> None:
        flying = np.flatnonzero(self._flying & (self._ages < _FADE))
        if not len(flying):
            return
        self._ages[flying] += dt
        self._speeds[flying, 1] -= _GRAVITY * dt
        places = self._places[flying] + self._speeds[flying] * dt
        landed = places[:, 1] < 0.5 * _CRATE
        places[landed, 1] = 0.5 * _CRATE
        self._speeds[flying[landed]] *= (0.86, -0.35, 0.86)
        self._spins[flying[landed]] *= 0.8
        self._places[flying] = places
        turns = self._turns[flying] + 0.5 * dt * _spun(self._spins[flying], self._turns[flying])
        self._turns[flying] = turns / np.linalg.norm(turns, axis=1, keepdims=True)
        size = np.clip((_FADE - self._ages[flying]) / 0.6, 0.0, 1.0)
        group = self._crates[flying]
        group.positions, group.rotations, group.scales = places, self._turns[flying], np.repeat(size[:, None], 3, 1)

    def _build_crates(self, arena: Arena) -> Group:
        cells = arena.cells(COVER)
        # From the top down, so that the first to go are on top.
        stack = np.array([(x, y, z) for y in (1.5, 0.5) for x in (-0.5, 0.5) for z in (-0.5, 0.5)]) * (_CRATE + 0.05)
        middles = np.array([(*arena.centre(cell), 0.0) for cell in cells]).reshape(-1, 3)[:, [0, 2, 1]]
        places = (middles[:, None] + stack).reshape(-1, 3)
        count = len(places)
        places += self._chance.normal(0.0, 0.05, (count, 3)) * (1.0, 0.0, 1.0)
        places[:, 1] += 0.5 * _CRATE - 0.5 * (_CRATE + 0.05)
        half = 0.5 * self._chance.normal(0.0, 0.09, count)
        self._places = places
        self._turns = np.stack([np.cos(half), 0.0 * half, np.sin(half), 0.0 * half], axis=1)
        self._speeds, self._spins = np.zeros((count, 3)), np.zeros((count, 3))
        self._flying, self._ages = np.zeros(count, bool), np.zeros(count)
        self._first_crates = {cell: _EACH * number for number, cell in enumerate(cells)}
        self._crates = self._scene.spawn_many(self._crate, self._looks.crate, places)
        self._crates.rotations = self._turns
        self._crates.snap()
        return self._crates

    def _build_pads(self, arena: Arena) -> None:
        places = [Transform(glm.vec3(x, 0.07, z)) for x, z in arena.pads]
        self._pads = [self._scene.spawn(self._ring, self._looks.pad, place) for place in places]
        if self._pads:
            self._parts.append(self._scene.group(self._pads))
        self._pad_lights = [PointLight(glm.vec3(x, 0.8, z), (0.1, 1.0, 0.45), _PAD_LIGHT, 6.0) for x, z in arena.pads]

    def _build_city(self) -> None:
        """Towers around the arena."""
        turn, far = self._chance.uniform(0.0, 2.0 * np.pi, _CITY), self._chance.uniform(75.0, 170.0, _CITY)
        height = self._chance.uniform(6.0, 46.0, _CITY)
        places = np.stack([far * np.cos(turn), 0.5 * height - 3.0, far * np.sin(turn)], axis=1)
        towers = self._scene.spawn_many(box(1.0), self._looks.city, places)
        wide = self._chance.uniform(9.0, 19.0, (_CITY, 2))
        towers.scales = np.stack([wide[:, 0], height, wide[:, 1]], axis=1)
        towers.casts_shadow = False
        towers.snap()
        self._scene.static(towers)


def _spun(spins: NDArray[np.float64], turns: NDArray[np.float64]) -> NDArray[np.float64]:
    """The products of the pure quaternions ``spins`` (n, 3) with ``turns`` (n, 4: w, x, y, z)."""
    w, axis = turns[:, :1], turns[:, 1:]
    along = -np.einsum("ij,ij->i", spins, axis)[:, None]
    return np.concatenate([along, w * spins + _crossed(spins, axis)], axis=1)


def _masts(trim: Color, width: float, depth: float) -> list[SpotLight]:
    """Lamps high above the corners, two white and two in the colour of the arena."""
    lamps = []
    for x, z in ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)):
        place, ahead = glm.vec3(x * width, 11.0, z * depth), glm.vec3(-0.55 * x * width, -11.0, -0.55 * z * depth)
        lamps.append(SpotLight(place, ahead, trim if x * z > 0.0 else (1.0, 0.92, 0.80), 220.0, 46.0, 0.25, 0.75))
    return lamps


def _crossed(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Cross products of rows (n, 3); ``np.cross`` takes five times as long for a few."""
    return np.asarray(a[:, [1, 2, 0]] * b[:, [2, 0, 1]] - a[:, [2, 0, 1]] * b[:, [1, 2, 0]])
