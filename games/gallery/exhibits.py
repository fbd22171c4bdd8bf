"""All that is shown: figures, glass, plants, things that shine, paintings and plinths."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from pyglm import glm

from renderwright.engine.scene import (
    Coat,
    Entity,
    Material,
    Mesh,
    PointLight,
    Scene,
    Specular,
    SpotLight,
    Transform,
    Volume,
)
from renderwright.engine.scene.assembly import Part, assembled
from renderwright.engine.scene.character import Character
from renderwright.engine.scene.model import Model
from renderwright.engine.scene.primitives import box, capsule, cylinder, plane, sphere, torus, turned
from renderwright.games.gallery.figures import breath, mannequin, serpent
from renderwright.games.gallery.looks import Looks, painting
from renderwright.games.gallery.museum_file import Exhibit, Museum, Painting
from renderwright.games.gallery.museum_file import Mirror as MirrorPlace
from renderwright.plugins.mirrors import Mirror

UP = glm.vec3(0, 1, 0)
CASE = (0.9, 1.0, 0.9)
"""Size of a glass case."""
_TABLE = 0.95
"""Height of a plinth."""
_FRAME = 0.06
_MIRRORED = 13.0
"""Metres from which a mirror is seen: across its room and the door of the next one."""


def placed(exhibit: Exhibit, high: float = 0.0) -> Transform:
    """The place of an exhibit, so many metres above its own height."""
    turn = glm.angleAxis(math.radians(exhibit.turn), UP)
    return Transform(glm.vec3(exhibit.at[0], exhibit.high + high, exhibit.at[1]), turn)


@dataclass
class Exhibits:
    """The exhibits in the scene."""

    scene: Scene
    looks: Looks
    _models: dict[object, Model] = field(default_factory=dict)
    _turning: list[tuple[Entity, float]] = field(default_factory=list)
    _characters: list[Character] = field(default_factory=list)

    def show(self, museum: Museum) -> None:
        """Spawn all of a museum."""
        makers: Mapping[str, Callable[[Exhibit], None]] = {
            "figure": self._figure,
            "serpent": lambda exhibit: self._character(exhibit, "serpent", serpent),
            "breath": lambda exhibit: self._character(exhibit, "breath", breath),
            "case": self._case,
            "lens": self._lens,
            "vase": self._vase,
            "palm": lambda exhibit: self._plant(exhibit, 15, 1.2, 1.1),
            "bush": lambda exhibit: self._plant(exhibit, 30, 0.85, 0.35),
            "ring": self._ring,
            "orbs": self._orbs,
            "column": self._column,
            "bench": self._bench,
            "plinth": self._plinth,
        }
        for exhibit in museum.exhibits:
            makers[exhibit.kind](exhibit)
            if exhibit.spot:
                self._spot(museum, exhibit)
        for picture in museum.paintings:
            self._painting(picture)

    def hold(self, *, still: bool) -> None:
        """Have all that moves stand still, or go on."""
        for character in self._characters:
            character.set_speed(0.0 if still else 1.0)

    def update(self, dt: float) -> None:
        """Turn what turns."""
        for entity, speed in self._turning:
            entity.transform.rotation = glm.angleAxis(speed * dt, UP) * entity.transform.rotation

    def _still(self, mesh: Mesh, material: Material, transform: Transform) -> Entity:
        entity = self.scene.spawn(mesh, material, transform)
        self.scene.static(entity)
        return entity

    def _spot(self, museum: Museum, exhibit: Exhibit) -> None:
        """A lamp with a shadow in the ceiling before an exhibit."""
        x, z = exhibit.at
        room = museum.room_at(x, z)
        height = room.height if room is not None else 5.0
        aim = glm.vec3(x, exhibit.high + 0.9 * exhibit.size, z)
        ahead = glm.angleAxis(math.radians(exhibit.turn), UP) * glm.vec3(0.6, 0, -1.5)
        place = glm.vec3(x, height - 0.3, z) + ahead
        power = 9.0 * glm.distance(place, aim) ** 1.6
        light = SpotLight(place, aim - place, (1.0, 0.88, 0.70), power, 9.0, 0.16, 0.38, casts_shadow=True)
        self.scene.add_light(light)
        turn = glm.quatLookAt(glm.normalize(aim - place), UP) * glm.angleAxis(0.5 * math.pi, glm.vec3(1, 0, 0))
        self._still(cylinder(0.07, 0.2, segments=20), self.looks.iron, Transform(place, turn))

    def _character(self, exhibit: Exhibit, name: str, make: Callable[[Material], Model]) -> None:
        key = (name, exhibit.color)
        if key not in self._models:
            coat = Coat(1.0, 0.08) if name == "serpent" else None
            self._models[key] = make(Material((*exhibit.color, 1.0), 0.0 if coat else 0.9, 0.28, coat=coat))
        self._plinth_below(exhibit)
        transform = placed(exhibit, 0.45 if name == "breath" else 0.0)
        transform.scale = glm.vec3(exhibit.size)
        character = self._models[key].spawn(self.scene, transform)
        self._characters.append(character)
        character.play(character.animations[0])
        character.seek(0.37 * exhibit.at[0] % 2.0)

    def _figure(self, exhibit: Exhibit) -> None:
        key = ("figure", exhibit.color)
        if key not in self._models:
            tinted = tuple(1.25 * channel for channel in exhibit.color)
            wood = Material((*tinted, 1.0), 0.0, 0.4, base_color_image=self.looks.wood.base_color_image)  # type: ignore[arg-type]
            self._models[key] = mannequin(wood)
        self._plinth_below(exhibit)
        sits = exhibit.clip == "think"
        if sits:
            self._still(box((0.5, 0.44, 0.5), 0.02), self.looks.plinth, placed(exhibit, 0.22))
        transform = placed(exhibit, -0.38 if sits else 0.0)
        transform.rotation = glm.angleAxis(math.pi, UP) * transform.rotation  # the model faces +Z
        transform.scale = glm.vec3(exhibit.size)
        figure = self._models[key].spawn(self.scene, transform)
        self._characters.append(figure)
        figure.play(exhibit.clip or "wave")
        figure.seek(abs(exhibit.at[0] + 0.7 * exhibit.at[1]) % 2.0)

    def _plinth_below(self, exhibit: Exhibit) -> None:
        if exhibit.high > 0.05:
            wide = 2.0 * exhibit.radius - 0.1
            self._still(box((wide, exhibit.high, wide), 0.015), self.looks.plinth, placed(exhibit, -0.5 * exhibit.high))
            lip = box((wide + 0.03, 0.03, wide + 0.03), 0.01)
            self._still(lip, self.looks.brass, placed(exhibit, -exhibit.high + 0.05))

    def _plinth(self, exhibit: Exhibit) -> None:
        self._plinth_below(exhibit)

    def _case(self, exhibit: Exhibit) -> None:
        """A case of glass on a plinth, with a thing of gold that turns."""
        width, height, depth = CASE
        self._still(box((width, _TABLE, depth), 0.015), self.looks.plinth, placed(exhibit, 0.5 * _TABLE))
        self._still(box((width + 0.04, 0.05, depth + 0.04), 0.01), self.looks.brass, placed(exhibit, _TABLE))
        glass = Material((0.93, 0.98, 0.96, 1.0), 0.0, 0.0, transmission=1.0, double_sided=True)
        pane = box((width - 0.05, height - 0.01, depth - 0.05), 0.004)
        self._still(pane, glass, placed(exhibit, _TABLE + 0.5 * height + 0.03))
        edges: list[Part] = []
        for x, z in ((-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)):
            corner = (x * (0.5 * width - 0.02), 0.5 * height, z * (0.5 * depth - 0.02))
            edges.append((box((0.018, height, 0.018)), corner, (0.0, 0.0, 0.0)))
        for side in (-1.0, 1.0):
            edges.append(
                (box((width - 0.02, 0.018, 0.018)), (0.0, height, side * (0.5 * depth - 0.02)), (0.0, 0.0, 0.0))
            )
            edges.append(
                (box((0.018, 0.018, depth - 0.02)), (side * (0.5 * width - 0.02), height, 0.0), (0.0, 0.0, 0.0))
            )
        self._still(assembled("edges", edges), self.looks.brass, placed(exhibit, _TABLE + 0.03))
        gold = Material((*exhibit.color, 1.0), 1.0, 0.18)
        middle = placed(exhibit, _TABLE + 0.45)
        knot = assembled("knot", [(torus(0.19, 0.045), (0, 0, 0), (turn, 0.4 * turn, 0)) for turn in (0.0, 1.05, 2.1)])
        self._turning.append((self.scene.spawn(knot, gold, middle), 0.5))
        self._still(sphere(0.085), gold, placed(exhibit, _TABLE + 0.45))
        self._still(cylinder(0.012, 0.28), self.looks.iron, placed(exhibit, _TABLE + 0.16))

    def _lens(self, exhibit: Exhibit) -> None:
        """A ball of solid glass on a plinth."""
        self._plinth_below(exhibit)
        radius = 0.34 * exhibit.size
        glass = self._glass(exhibit, 2.0 * radius)
        self._still(sphere(radius, segments=64, rings=48), glass, placed(exhibit, radius + 0.04))
        self._still(torus(0.6 * radius, 0.03), self.looks.brass, placed(exhibit, 0.04))

    def _vase(self, exhibit: Exhibit) -> None:
        """A body of coloured glass."""
        self._plinth_below(exhibit)
        at = placed(exhibit)
        at.scale = glm.vec3(exhibit.size)
        self._still(_vase(), self._glass(exhibit, 0.2), at)

    def _glass(self, exhibit: Exhibit, thick: float) -> Material:
        volume = Volume(thick, exhibit.color, 0.35)
        specular = Specular(ior=1.5)
        return Material((1.0, 1.0, 1.0, 1.0), 0.0, 0.0, transmission=1.0, specular=specular, volume=volume)

    def _plant(self, exhibit: Exhibit, fronds: int, long: float, stem: float) -> None:
        """A pot with leaves that bend outwards: masked surfaces."""
        size = exhibit.size
        pot = assembled(
            "pot",
            [
                (cylinder(0.30, 0.5, segments=40), (0.0, 0.25, 0.0), (0.0, 0.0, 0.0)),
                (torus(0.30, 0.03), (0.0, 0.5, 0.0), (0.0, 0.0, 0.0)),
            ],
        )
        clay = Material((*exhibit.color, 1.0), 0.0, 0.55)
        self._still(pot, clay, placed(exhibit))
        self._still(cylinder(0.285, 0.01, segments=40), self.looks.soil, placed(exhibit, 0.50))
        if stem > 0.5:
            self._still(capsule(0.05, stem + 0.5), self.looks.soil, placed(exhibit, 0.25 + 0.5 * stem))
        random = np.random.default_rng(round(100 * abs(exhibit.at[0] + exhibit.at[1])))
        leaves: list[Part] = []
        for number in range(fronds):
            turn = 2.399 * number
            rise = 0.35 + 0.95 * random.random()
            reach = size * long * random.uniform(0.75, 1.1)
            leaves.append((_frond(reach, rise), (0.0, 0.5 + stem * size, 0.0), (0.0, turn, 0.0)))
        self._still(assembled("leaves", leaves), self.looks.leaf, placed(exhibit))

    def _ring(self, exhibit: Exhibit) -> None:
        """A ring of light that stands on the floor, or hangs."""
        radius = 0.85 * exhibit.size
        upright = Transform(glm.vec3(exhibit.at[0], exhibit.high + radius, exhibit.at[1]))
        upright.rotation = glm.angleAxis(math.radians(exhibit.turn), UP) * glm.angleAxis(
            0.5 * math.pi, glm.vec3(1, 0, 0)
        )
        glow = self._still(torus(radius, 0.028, segments=96), self.looks.glow(exhibit.color, 12.0), upright)
        glow.casts_shadow = False
        light = PointLight(glm.vec3(exhibit.at[0], exhibit.high + radius, exhibit.at[1]), exhibit.color, 5.0, 6.0)
        self.scene.add_light(light)

    def _orbs(self, exhibit: Exhibit) -> None:
        """A row of balls from rough to smooth, of metal and not."""
        for number in range(5):
            for row, metallic in enumerate((0.0, 1.0)):
                material = Material((*exhibit.color, 1.0), metallic, 0.08 + 0.2 * number)
                at = placed(exhibit, _TABLE + 0.16)
                at.position += at.rotation * glm.vec3(0.36 * (number - 2), 0.0, 0.36 * (row - 0.5))
                self._still(sphere(0.145), material, at)
        table = box((1.95, _TABLE, 0.85), 0.015)
        self._still(table, self.looks.plinth, placed(exhibit, 0.5 * _TABLE))

    def _column(self, exhibit: Exhibit) -> None:
        """A column with flutes, a foot and a head."""
        height = exhibit.size
        parts: list[Part] = [
            (cylinder(0.22, height, segments=32), (0.0, 0.5 * height, 0.0), (0.0, 0.0, 0.0)),
            (box((0.64, 0.18, 0.64), 0.02), (0.0, 0.09, 0.0), (0.0, 0.0, 0.0)),
            (box((0.64, 0.16, 0.64), 0.02), (0.0, height - 0.08, 0.0), (0.0, 0.0, 0.0)),
        ]
        for number in range(16):
            x, z = 0.215 * math.cos(number * math.tau / 16), 0.215 * math.sin(number * math.tau / 16)
            parts.append((capsule(0.032, height - 0.5, segments=12, rings=3), (x, 0.5 * height, z), (0.0, 0.0, 0.0)))
        self._still(assembled("column", parts), self.looks.plinth, placed(exhibit))

    def _bench(self, exhibit: Exhibit) -> None:
        self._still(box((1.9, 0.14, 0.55), 0.05), self.looks.leather, placed(exhibit, 0.42))
        for side in (-0.75, 0.75):
            at = placed(exhibit, 0.175)
            at.position += at.rotation * glm.vec3(side, 0, 0)
            self._still(box((0.06, 0.35, 0.45), 0.01), self.looks.brass, at)

    def _painting(self, picture: Painting) -> None:
        """A picture in a frame of brass; ``turn`` is where it faces."""
        wide, high = picture.size
        turn = glm.angleAxis(math.radians(picture.turn), UP)
        front = turn * glm.vec3(0, 0, -1)
        middle = glm.vec3(picture.at[0], picture.high, picture.at[1])
        canvas = Material(roughness=0.6, base_color_image=painting(picture.seed, picture.size))
        for entity in board(self.scene, canvas, self.looks.brass, middle, turn, picture.size):
            self.scene.static(entity)
        lamp = middle + front * 1.5 + glm.vec3(0, 1.9, 0)
        light = SpotLight(lamp, middle - lamp, (1.0, 0.9, 0.74), 16.0 * max(wide, high), 5.0, 0.25, 0.5)
        self.scene.add_light(light)


def hang(scene: Scene, looks: Looks, file: MirrorPlace) -> None:
    """Hang a mirror on a wall: its frame, the black back of the glass, and what the plugin shows before that."""
    turn = glm.angleAxis(math.radians(file.turn), UP)
    middle = glm.vec3(file.at[0], file.high, file.at[1])
    for entity in board(scene, Material((0.0, 0.0, 0.0, 1.0), roughness=1.0), looks.brass, middle, turn, file.size):
        scene.static(entity)
    glass = middle + turn * glm.vec3(0, 0, -0.04)
    scene.placed.add(Mirror(glass, math.radians(file.turn), *file.size, file.every, _MIRRORED))


def board(
    scene: Scene, front: Material, frame: Material, middle: glm.vec3, turn: glm.quat, size: tuple[float, float]
) -> Iterator[Entity]:
    """A panel with its image on the side that faces -Z before ``turn``, and the frame around it."""
    wide, high = size
    out = turn * glm.vec3(0, 0, -1)
    upright = turn * glm.angleAxis(math.pi, UP) * glm.angleAxis(0.5 * math.pi, glm.vec3(1, 0, 0))
    yield scene.spawn(plane(wide, high), front, Transform(middle + out * 0.035, upright))
    bars: list[Part] = []
    for side in (-1.0, 1.0):
        x, y = side * 0.5 * (wide + _FRAME), side * 0.5 * (high + _FRAME)
        bars.append((box((_FRAME, high + 2 * _FRAME, 0.07), 0.012), (x, 0.0, -0.03), (0.0, 0.0, 0.0)))
        bars.append((box((wide, _FRAME, 0.07), 0.012), (0.0, y, -0.03), (0.0, 0.0, 0.0)))
    yield scene.spawn(assembled("frame", bars), frame, Transform(middle, turn))


def _frond(long: float, rise: float) -> Mesh:
    """A leaf that rises from the origin and bends down along +Z: a strip with its image from stem to tip."""
    steps = 7
    share = np.linspace(0.0, 1.0, steps)
    angle = rise - 1.5 * share**1.4
    step = long / (steps - 1)
    z = np.concatenate([[0.0], np.cumsum(np.cos(angle[:-1]) * step)])
    y = np.concatenate([[0.0], np.cumsum(np.sin(angle[:-1]) * step)])
    half = 0.17 * long
    rows = np.zeros((steps, 3, 12), np.float32)
    rows[..., 0] = np.array([-half, 0.0, half])
    # The sides hang.
    rows[..., 1] = y[:, None] - np.array([0.25, 0.0, 0.25]) * half * np.cos(angle)[:, None]
    rows[..., 2] = z[:, None]
    rows[..., 3] = np.array([-0.25, 0.0, 0.25])
    rows[..., 4], rows[..., 5] = np.cos(angle)[:, None], -np.sin(angle)[:, None]
    rows[..., 3:6] /= np.linalg.norm(rows[..., 3:6], axis=2, keepdims=True)
    rows[..., 6], rows[..., 7] = np.array([0.0, 0.5, 1.0]), 1.0 - share[:, None]
    rows[..., 8], rows[..., 11] = 1.0, 1.0
    corner = (np.arange(steps - 1)[:, None] * 3 + np.arange(2)).reshape(-1)
    faces = np.stack([corner, corner + 3, corner + 1, corner + 1, corner + 3, corner + 4], axis=1).reshape(-1)
    return Mesh("frond", rows.reshape(-1, 12), faces.astype(np.uint32))


def _vase() -> Mesh:
    height = np.linspace(0.0, 0.7, 36)
    share = height / 0.7
    radius = 0.10 + 0.15 * np.sin(np.pi * np.clip(share * 1.15, 0.0, 1.0)) ** 1.3 - 0.035 * share
    radius[[0, -1]] = 0.0
    return turned(radius, height)
