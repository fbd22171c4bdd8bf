"""Layers of glowing glass in front of each other, and the light that they let through, computed one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from playing import Picture, frames_of
from pyglm import glm

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PluginChoice, SettingChange
from renderwright.engine.scene import Image
from renderwright.engine.scene.camera import Camera
from renderwright.engine.scene.light import PointLight
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box, plane
from renderwright.engine.scene.sky import Sky
from renderwright.engine.scene.transform import Transform
from renderwright.engine.session import Session
from renderwright.render.backend.protocol import Backend
from renderwright.render.types.resources import Extent

EXTENT: Extent = (96, 54)
UPRIGHT = glm.angleAxis(np.pi / 2, glm.vec3(1, 0, 0))
WALL = (0.3, 0.3, 0.3)
Color = tuple[float, float, float]


@dataclass(frozen=True)
class Layer:
    """A sheet across the whole picture at ``z``, which glows and hides a share of the light from behind."""

    z: float
    glow: Color
    alpha: float

    @property
    def material(self) -> Material:
        color = (0.0, 0.0, 0.0, self.alpha)
        return Material(color, 1.0, 1.0, self.glow, double_sided=True, alpha_mode="blend")


LAYERS = (
    Layer(0.0, (0.8, 0.1, 0.1), 0.5),
    Layer(1.0, (0.1, 0.8, 0.1), 0.25),
    Layer(-1.0, (0.1, 0.1, 0.8), 0.75),
    Layer(0.5, (0.9, 0.9, 0.0), 0.1),
    Layer(-0.5, (0.0, 0.6, 0.9), 0.4),
)


class Layers(Game):
    """Sheets between two glowing walls, without any other light; each player looks from another side."""

    plugins: ClassVar[Sequence[str]] = ()
    max_players = 2
    layers: ClassVar[Sequence[Layer]] = LAYERS

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.sun.intensity = 0.0
        scene.sky = Sky(intensity=0.0)
        sides = (glm.vec3(0, 0, 3), glm.vec3(0, 0, -3))
        scene.cameras = [Camera(side, glm.vec3(0), fov_y=0.5) for side in sides[: context.players]]
        wall = Material((0, 0, 0, 1), 1.0, 1.0, WALL, double_sided=True)
        for z in (-5.0, 5.0):
            scene.spawn(plane(30, 30), wall, Transform(glm.vec3(0, 0, z), UPRIGHT))
        self.sheets = [
            scene.spawn(plane(30, 30), layer.material, Transform(glm.vec3(0, 0, layer.z), UPRIGHT))
            for layer in self.layers
        ]


class Curtain(Layers):
    """The sheets behind a box that hides the middle of the picture."""

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        place = Transform(glm.vec3(0, 0, 2), scale=glm.vec3(0.3))
        context.scene.spawn(box(1.0), Material((0, 0, 0, 1), 1.0, 1.0, (0.0, 1.0, 1.0)), place)


class Panes(Layers):
    """Sheets with images, of which every second one is clear in its left half."""

    def setup(self, context: GameContext) -> None:
        self.layers = ()
        super().setup(context)
        for number, layer in enumerate(LAYERS):
            pixels = np.full((64, 64, 4), 255, np.uint8)
            if number % 2:
                pixels[:, :32, 3] = 0
            color = (0.0, 0.0, 0.0, layer.alpha)
            image = Image(f"pane {number}", pixels)
            material = Material(
                color, 1.0, 1.0, layer.glow, base_color_image=image, double_sided=True, alpha_mode="blend"
            )
            context.scene.spawn(plane(30, 30), material, Transform(glm.vec3(0, 0, layer.z), UPRIGHT))


class Painted(Layers):
    """The same sheets, which shine by the colours of their vertices, between lamps that do not light them."""

    def setup(self, context: GameContext) -> None:
        self.layers = ()
        super().setup(context)
        sheet = plane(30, 30)
        for layer in LAYERS:
            colors = np.tile(np.array((*layer.glow, 1.0), np.float32), (len(sheet.vertices), 1))
            material = Material((1.0, 1.0, 1.0, layer.alpha), double_sided=True, alpha_mode="blend", unlit=True)
            place = Transform(glm.vec3(0, 0, layer.z), UPRIGHT)
            context.scene.spawn(replace(sheet, colors=colors), material, place)


class LampLit(Layers):
    """A white sheet with a lamp behind ``others`` lamps that reach nothing."""

    layers = ()
    others = 0

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        sheet = Material((1.0, 1.0, 1.0, 0.5), double_sided=True, alpha_mode="blend")
        context.scene.spawn(plane(30, 30), sheet, Transform(rotation=UPRIGHT))
        for _ in range(self.others):
            context.scene.add_light(PointLight(glm.vec3(50, 0, 0), radius=0.1))
        context.scene.add_light(PointLight(glm.vec3(0.2, 0.1, 1), intensity=3.0))


def over(layers: Sequence[Layer], behind: Color = WALL) -> NDArray[np.uint8]:
    """The colour of layers from back to front over what is behind them, as shown."""
    light = np.array(behind)
    for layer in layers:
        light = np.array(layer.glow) * layer.alpha + light * (1.0 - layer.alpha)
    shown = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    return np.rint(255.0 * np.clip(shown, 0.0, 1.0)).astype(np.uint8)


def from_the_front(layers: Sequence[Layer]) -> list[Layer]:
    return sorted(layers, key=lambda layer: layer.z)


def of_skeleton(skeleton: str, game: type[Layers]) -> type[Layers]:
    return type(game.__name__, (game,), {"skeleton": skeleton})


def session_of(
    backend: Backend,
    game: type[Game],
    *plugins: str,
    players: int = 1,
    extent: Extent = EXTENT,
    settings: Sequence[SettingChange] = (),
) -> Session:
    clock = FixedStepClock(game.step, frame=1.0 / 60.0)
    choice = PluginChoice(enable=plugins, settings=tuple(settings))
    return Session(game, backend, extent, choice=choice, clock=clock, strict=True, players=players)


def picture_of(
    backend: Backend,
    game: type[Game],
    *plugins: str,
    frames: int = 2,
    players: int = 1,
    settings: Sequence[SettingChange] = (),
) -> Picture:
    with closing(session_of(backend, game, *plugins, players=players, settings=settings)) as session:
        return frames_of(session, frames)[-1]
