"""Games with decals, sessions that play them, and images."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from pyglm import glm

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PluginChoice, SettingChange
from renderwright.engine.scene import Camera, Image, Material, Transform
from renderwright.engine.scene.primitives import box, plane, sphere
from renderwright.engine.session import Session
from renderwright.plugins.decals import Decal
from renderwright.render.backend.protocol import Backend
from renderwright.render.types.resources import Extent

EXTENT: Extent = (96, 54)


def arrow(side: int = 64) -> Image:
    """A red arrow that points up, with a green base, on nothing."""
    pixels = np.zeros((side, side, 4), np.uint8)
    y, x = np.mgrid[:side, :side] / (side - 1.0)
    head = (y < 0.5) & (abs(x - 0.5) < y)
    shaft = (y >= 0.5) & (abs(x - 0.5) < 0.2)
    pixels[head | shaft] = (220, 30, 20, 255)
    pixels[shaft & (y > 0.8)] = (20, 200, 40, 255)
    return Image("arrow", pixels)


def dents(side: int = 32) -> Image:
    """Normals of a round dent."""
    y, x = (np.mgrid[:side, :side] + 0.5) / side * 2.0 - 1.0
    inside = np.hypot(x, y) < 0.9
    slope = np.stack([np.where(inside, 0.7 * x, 0.0), np.where(inside, -0.7 * y, 0.0)], axis=-1)
    up = np.sqrt(1.0 - (slope**2).sum(axis=-1, keepdims=True))
    colors = np.rint((np.concatenate([slope, up], axis=-1) * 0.5 + 0.5) * 255.0).astype(np.uint8)
    return Image("dents", np.concatenate([colors, np.full((side, side, 1), 255, np.uint8)], axis=-1), srgb=False)


class Yard(Game):
    """A box and a ball on a ground, seen by up to two players from two sides; the subclass places decals."""

    title = "Yard"
    plugins: Sequence[str] = ()
    max_players = 2

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.spawn(plane(20, 20), Material((0.4, 0.4, 0.4, 1.0), roughness=0.8))
        self.box = scene.spawn(box(1.0), Material((0.3, 0.3, 0.5, 1.0)), Transform(glm.vec3(1.0, 0.5, 0.0)))
        scene.spawn(sphere(0.5), Material((0.5, 0.5, 0.4, 1.0)), Transform(glm.vec3(-1.0, 0.5, -0.3)))
        scene.cameras[:] = [Camera(glm.vec3(x, 2.0, z), glm.vec3(0.0, 0.5, 0.0)) for x, z in ((0.5, 3.5), (3.0, 2.0))]
        scene.snap_cameras()

    def place(self, decal: Decal) -> Decal:
        """Place a decal."""
        return self.context.scene.placed.add(decal)


class Marked(Yard):
    """Decals of every kind on the ground, the box and the ball."""

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        image = arrow()
        self.mark = self.place(Decal(image, glm.vec3(0.0, 0.0, 0.8), size=(1.2, 1.2, 0.4)))
        self.place(Decal(image, glm.vec3(1.0, 0.5, 0.5), glm.vec3(0.0, 0.0, -1.0), (0.8, 0.8, 0.4), rotation=0.4))
        self.place(Decal(image, glm.vec3(-1.0, 0.7, 0.2), glm.vec3(0.0, -0.5, -1.0), (0.6, 0.6, 0.8), opacity=0.7))
        self.place(
            Decal(
                None,
                glm.vec3(0.2, 0.0, 1.9),
                size=(2.0, 0.8, 0.4),
                tint=(0.1, 0.3, 0.6),
                opacity=0.5,
                normal_image=dents(),
                roughness=0.2,
                metallic=1.0,
                order=-1.0,
            )
        )


def of_skeleton(skeleton_name: str, game: type[Game]) -> type[Game]:
    """The game on a skeleton."""
    return type(f"{game.__name__}In{skeleton_name.title()}", (game,), {"skeleton": skeleton_name})


def session_of(
    backend: Backend,
    game: type[Game],
    *enable: str,
    frame: float = 1.0 / 60.0,
    players: int = 1,
    extent: Extent = EXTENT,
    decals: bool = True,
    settings: Sequence[SettingChange] = (),
    strict: bool = True,
    **options: Any,
) -> Session:
    """A session in which frames last so many seconds, with these plugins besides decals, or instead of them."""
    on, off = (*enable, "decals"), ()
    if not decals:
        on, off = enable, ("decals",)
    choice = PluginChoice(enable=on, disable=off, settings=tuple(settings))
    clock = FixedStepClock(game.step, frame=frame)
    return Session(game, backend, extent, choice=choice, strict=strict, clock=clock, players=players, **options)
