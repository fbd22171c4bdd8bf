"""A game with things at all edges of its picture, rendered at once and by tiles."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from playing import frames_of
from pyglm import glm

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PluginChoice
from renderwright.engine.scene.camera import Camera
from renderwright.engine.scene.light import PointLight
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box, plane, sphere
from renderwright.engine.scene.transform import Transform
from renderwright.engine.screenshot import TiledScreenshot, TileGrid
from renderwright.engine.session import Session
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.types.resources import Extent

EXTENT = (192, 128)


class Garden(Game):
    """Things at all edges of the picture, a lamp, text over it."""

    plugins = ("tonemap",)
    max_players = 4
    label = "garden"

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.camera.position = glm.vec3(2.0, 2.5, 3.5)
        scene.spawn(plane(20, 20), Material(base_color=(0.2, 0.5, 0.3, 1), roughness=0.8))
        for number in range(6):
            turn = glm.angleAxis(0.3 * number, glm.vec3(0, 1, 0))
            place = Transform(glm.vec3(-2.5 + number, 0.5, -1.0 + 0.4 * number), turn)
            scene.spawn(box(0.7), Material(base_color=(0.8, 0.2 + 0.1 * number, 0.1, 1)), place)
        self.lamp = scene.spawn(sphere(0.25), Material(emissive=(20, 8, 2)), Transform(glm.vec3(0.8, 1.3, 1.0)))
        scene.add_light(PointLight(glm.vec3(1, 2, 1), (0.2, 0.4, 1.0), 5.0, 6.0))

    def update(self, dt: float) -> None:
        cameras = self.context.scene.cameras
        while len(cameras) < self.context.players:
            cameras.append(Camera(glm.vec3(-1.5 + len(cameras), 2.0, 3.0), glm.vec3(0.0, 0.5, 0.0)))
        self.lamp.transform.position.x += dt

    def draw(self, alpha: float) -> None:
        for hud in self.context.huds:
            hud.text(hud.width / 2, hud.height / 2, self.label, 60, align="center")


class Unnamed(Garden):
    """Without text, which does not shrink any further with small pictures."""

    label = ""


class Running:
    """A session, and pictures of it that are rendered at once or by tiles."""

    def __init__(self, game: type[Game], backend: VulkanBackend, choice: PluginChoice, players: int) -> None:
        clock = FixedStepClock(game.step, frame=1 / 60)
        self.session = Session(game, backend, EXTENT, choice=choice, clock=clock, players=players)

    def play(self, frames: int = 3) -> None:
        frames_of(self.session, frames, EXTENT)

    def still(self, frames: int = 1, picture: Extent = EXTENT) -> np.ndarray:
        """The picture of the moment, rendered at once."""
        return frames_of(self.session, frames, picture, still=True)[-1][..., :3]

    def tiled(self, columns: int, rows: int, border: int = 0, picture: Extent = EXTENT) -> np.ndarray:
        shot = TiledScreenshot(self.session, TileGrid(picture, columns, rows, border))
        return np.concatenate(list(shot.rows()))


Play = Callable[..., Running]
"""The fixture ``play``: plugins to switch on, and as keywords ``plugin__setting``."""


def difference(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Of each texel, in the channel that differs most."""
    return np.abs(one.astype(int) - other).max(axis=2)


def as_at_once(tiled: np.ndarray, at_once: np.ndarray) -> bool:
    """Whether they are alike but for rounding: other matrices for the same rays.

    That moves an edge across a texel's middle here and there.
    """
    return np.count_nonzero(difference(tiled, at_once) > 1) <= 0.002 * at_once[..., 0].size
