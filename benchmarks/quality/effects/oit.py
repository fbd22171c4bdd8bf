"""Order-independent transparency against panes that are cut where they cross, so that sorting them is exact."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import ClassVar

import numpy as np
from pyglm import glm

from benchmarks.quality.play import chosen, played
from benchmarks.quality.row import Row, compared
from renderwright.engine.game import Game, GameContext
from renderwright.engine.scene import Camera, Material, Transform
from renderwright.engine.scene.primitives import plane
from renderwright.render.backend.protocol import Backend
from renderwright.render.types.resources import Extent

EXTENT: Extent = (240, 135)
COLORS = ((0.9, 0.15, 0.1, 0.5), (0.1, 0.7, 0.2, 0.5), (0.15, 0.25, 0.9, 0.5))
WIDTH, HEIGHT = 2.0, 1.4


class Crossing(Game):
    """Three panes around an axis, which are sorted as wholes."""

    plugins = ()
    cut: ClassVar[bool] = False

    def setup(self, context: GameContext) -> None:
        """Build the scene."""
        scene = context.scene
        scene.camera = Camera(glm.vec3(0.5, 1.1, 3.2), glm.vec3(0.0, 0.7, 0.0), fov_y=0.7)
        scene.spawn(plane(12.0, 12.0), Material((0.5, 0.5, 0.5, 1.0), roughness=0.9))
        sides = (-0.25, 0.25) if self.cut else (0.0,)
        sheet = plane(WIDTH / len(sides), HEIGHT)
        upright = glm.angleAxis(0.5 * np.pi, glm.vec3(1.0, 0.0, 0.0))
        for (number, color), side in product(enumerate(COLORS), sides):
            turn = glm.angleAxis(0.3 + number * np.pi / 3.0, glm.vec3(0.0, 1.0, 0.0))
            place = glm.vec3(0.0, 0.75, 0.0) + turn * glm.vec3(side * WIDTH, 0.0, 0.0)
            pane = Material(color, roughness=0.8, alpha_mode="blend", double_sided=True)
            scene.spawn(sheet, pane, Transform(place, turn * upright))


class Cut(Crossing):
    """The same in halves, which do not cross."""

    cut = True


def rows(backend: Backend) -> Iterator[Row]:
    """The row of panes that cross."""
    lights = []
    for game, plugins in ((Cut, ()), (Crossing, ()), (Crossing, ("oit",))):
        with played(game, backend, EXTENT, chosen(plugins)) as play:
            play.frames(2)
            lights.append(play.light())
    right, whole, with_it = lights
    yield compared("oit, panes that cross", "panes cut where they cross", right, whole, with_it)
