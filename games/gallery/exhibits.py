"""All that is shown: figures, glass, plants, things that shine, paintings and plinths."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from pyglm import glm

from renderwright.engine.scene import Entity, Material, Mesh, PointLight, Scene, SpotLight, Transform
from renderwright.engine.scene.assembly import Part, assembled
from renderwright.engine.scene.character import Character
from renderwright.engine.scene.material_content import Color, Palette
from renderwright.engine.scene.model import Model
from renderwright.engine.scene.primitives import box, cylinder, plane, torus, turned
from renderwright.engine.scene.shape_content import shaped
from renderwright.games.gallery.figures import breath, mannequin, serpent
from renderwright.games.gallery.looks import glow, painting
from renderwright.games.gallery.museum_file import Exhibit, Museum, Painting, Piece
from renderwright.games.gallery.museum_file import Mirror as MirrorPlace
from renderwright.plugins.mirrors import Mirror

UP = glm.vec3(0, 1, 0)
_FRAME = 0.06
_MIRRORED = 13.0
"""Metres from which a mirror is seen: across its room and the door of the next one."""


def placed(exhibit: Exhibit, at: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Transform:
    """A place in metres from that of an exhibit, turned with it."""
    turn = glm.angleAxis(math.radians(exhibit.turn), UP)
    place = glm.vec3(exhibit.at[0], exhibit.high + at[1], exhibit.at[1])
    return Transform(place + turn * glm.vec3(at[0], 0.0, at[2]), turn)


@dataclass
class Exhibits:
    """The exhibits in the scene."""

    scene: Scene
    looks: Palette
    props: Mapping[str, tuple[Piece, ...]]
    _models: dict[object, Model] = field(default_factory=dict)
    _turning: list[tuple[Entity, float]] = field(default_factory=list)
    _characters: list[Character] = field(default_factory=list)

    def show(self, museum: Museum) -> None:
        """Spawn all of a museum."""
        makers: Mapping[str, Callable[[Exhibit], None]] = {
            "figure": self._figure,
            "serpent": partial(self._character, make=serpent),
            "breath": partial(self._character, make=breath, high=0.45),
            "vase": self._vase,
            "palm": partial(self._leaves, fronds=15, long=1.2, stem=1.1),
            "bush": partial(self._leaves, fronds=30, long=0.85, stem=0.35),
            "ring": self._ring,
        }
        for exhibit in museum.exhibits:
            self._plinth(exhibit)
            for piece in self.props.get(exhibit.kind, ()):
                self._piece(exhibit, piece)
            if exhibit.kind in makers:
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
        self._still(cylinder(0.07, 0.2, segments=20), self.looks["iron"], Transform(place, turn))

    def _piece(self, exhibit: Exhibit, piece: Piece) -> None:
        mesh, material = shaped(exhibit.kind, piece.shapes), self.looks.tinted(piece.material, exhibit.color)
        if piece.spin:
            self._turning.append((self.scene.spawn(mesh, material, placed(exhibit, piece.at)), piece.spin))
        else:
            self._still(mesh, material, placed(exhibit, piece.at))

    def _character(self, exhibit: Exhibit, make: Callable[[Material], Model], high: float = 0.0) -> None:
        model, transform = self._model(exhibit, exhibit.color, make), placed(exhibit, (0.0, high, 0.0))
        self._play(exhibit, model, transform, model.animations.clips[0].name, 0.37 * exhibit.at[0])

    def _figure(self, exhibit: Exhibit) -> None:
        """The mannequin, on a block if it sits."""
        red, green, blue = (1.25 * channel for channel in exhibit.color)
        model = self._model(exhibit, (red, green, blue), mannequin)
        sits = exhibit.clip == "think"
        if sits:
            self._still(box((0.5, 0.44, 0.5), 0.02), self.looks["plinth"], placed(exhibit, (0.0, 0.22, 0.0)))
        transform = placed(exhibit, (0.0, -0.38 if sits else 0.0, 0.0))
        transform.rotation = glm.angleAxis(math.pi, UP) * transform.rotation  # the model faces +Z
        self._play(exhibit, model, transform, exhibit.clip or "wave", abs(exhibit.at[0] + 0.7 * exhibit.at[1]))

    def _model(self, exhibit: Exhibit, color: Color, make: Callable[[Material], Model]) -> Model:
        key = (exhibit.kind, color)
        if key not in self._models:
            self._models[key] = make(self.looks.tinted(*key))
        return self._models[key]

    def _play(self, exhibit: Exhibit, model: Model, transform: Transform, clip: str, begin: float) -> None:
        transform.scale = glm.vec3(exhibit.size)
        character = model.spawn(self.scene, transform)
        self._characters.append(character)
        character.play(clip)
        character.seek(begin % 2.0)

    def _plinth(self, exhibit: Exhibit) -> None:
        """What an exhibit above the floor stands on."""
        high, wide = exhibit.high, 2.0 * exhibit.radius - 0.1
        if high > 0.05:
            self._still(box((wide, high, wide), 0.015), self.looks["plinth"], placed(exhibit, (0.0, -0.5 * high, 0.0)))
            lip = box((wide + 0.03, 0.03, wide + 0.03), 0.01)
            self._still(lip, self.looks["brass"], placed(exhibit, (0.0, 0.05 - high, 0.0)))

    def _vase(self, exhibit: Exhibit) -> None:
        """A body of coloured glass."""
        height = np.linspace(0.0, 0.7, 36)
        share = height / 0.7
        radius = 0.10 + 0.15 * np.sin(np.pi * np.clip(share * 1.15, 0.0, 1.0)) ** 1.3 - 0.035 * share
        radius[[0, -1]] = 0.0
        at = placed(exhibit)
        at.scale = glm.vec3(exhibit.size)
        self._still(turned(radius, height), self.looks.tinted("glass", exhibit.color), at)

    def _leaves(self, exhibit: Exhibit, fronds: int, long: float, stem: float) -> None:
        """Leaves of a plant that bend outwards: masked surfaces."""
        random = np.random.default_rng(round(100 * abs(exhibit.at[0] + exhibit.at[1])))
        leaves: list[Part] = []
        for number in range(fronds):
            rise = 0.35 + 0.95 * random.random()
            reach = exhibit.size * long * random.uniform(0.75, 1.1)
            leaves.append((_frond(reach, rise), (0.0, 0.5 + stem * exhibit.size, 0.0), (0.0, 2.399 * number, 0.0)))
        self._still(assembled("leaves", leaves), self.looks["leaf"], placed(exhibit))

    def _ring(self, exhibit: Exhibit) -> None:
        """A ring of light that stands on the floor, or hangs."""
        radius = 0.85 * exhibit.size
        upright = Transform(glm.vec3(exhibit.at[0], exhibit.high + radius, exhibit.at[1]))
        upright.rotation = glm.angleAxis(math.radians(exhibit.turn), UP) * glm.angleAxis(
            0.5 * math.pi, glm.vec3(1, 0, 0)
        )
        tube = self._still(torus(radius, 0.028, segments=96), glow(exhibit.color, 12.0), upright)
        tube.casts_shadow = False
        light = PointLight(glm.vec3(exhibit.at[0], exhibit.high + radius, exhibit.at[1]), exhibit.color, 5.0, 6.0)
        self.scene.add_light(light)

    def _painting(self, picture: Painting) -> None:
        """A picture in a frame of brass; ``turn`` is where it faces."""
        wide, high = picture.size
        turn = glm.angleAxis(math.radians(picture.turn), UP)
        front = turn * glm.vec3(0, 0, -1)
        middle = glm.vec3(picture.at[0], picture.high, picture.at[1])
        canvas = Material(roughness=0.6, base_color_image=painting(picture.seed, picture.size))
        for entity in board(self.scene, canvas, self.looks["brass"], middle, turn, picture.size):
            self.scene.static(entity)
        lamp = middle + front * 1.5 + glm.vec3(0, 1.9, 0)
        light = SpotLight(lamp, middle - lamp, (1.0, 0.9, 0.74), 16.0 * max(wide, high), 5.0, 0.25, 0.5)
        self.scene.add_light(light)


def hang(scene: Scene, looks: Palette, file: MirrorPlace) -> None:
    """Hang a mirror on a wall: its frame, the black back of the glass, and what the plugin shows before that."""
    turn = glm.angleAxis(math.radians(file.turn), UP)
    middle = glm.vec3(file.at[0], file.high, file.at[1])
    for entity in board(scene, looks["black"], looks["brass"], middle, turn, file.size):
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
