"""Decals against the same images as materials of surfaces in their place."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from pyglm import glm

from benchmarks.quality.play import chosen, played
from benchmarks.quality.row import Row, compared
from renderwright.engine.game import Game, GameContext
from renderwright.engine.scene import Camera, Image, Material, Transform
from renderwright.engine.scene.primitives import box, plane
from renderwright.plugins.decals import Decal
from renderwright.render.backend.protocol import Backend
from renderwright.render.types.resources import Extent

EXTENT: Extent = (240, 135)
GROUND = (0.45, 0.45, 0.45, 1.0)
ROUGH = 0.8
SIDE, DEPTH = 1.6, 0.5
ABOVE = 0.001
"""Metres between a surface and one in its place, so that the latter is seen."""


def _posters() -> tuple[Image, Image]:
    """Smooth blots of two kinds, without transparent texels."""
    y, x = (np.mgrid[:128, :128] + 0.5) / 128.0
    found = []
    for name, count in (("few", 2.0), ("many", 6.0)):
        waves = [0.5 + 0.5 * np.sin(2.0 * np.pi * count * (x * a + y * b)) for a, b in ((1, 0), (0, 1), (1, 1))]
        pixels = np.full((128, 128, 4), 255, np.uint8)
        pixels[..., :3] = np.rint(255.0 * np.stack(waves, axis=-1))
        found.append(Image(name, pixels, wrap=("clamp", "clamp")))
    return found[0], found[1]


FEW, MANY = _posters()


class Bare(Game):
    """A ground and a wall."""

    plugins = ()

    def setup(self, context: GameContext) -> None:
        """Build the scene."""
        scene = context.scene
        scene.camera = Camera(glm.vec3(0.8, 1.6, 3.2), glm.vec3(0.2, 0.6, 0.0))
        scene.spawn(plane(12.0, 12.0), Material(GROUND, roughness=ROUGH))
        wall = Transform(glm.vec3(0.0, 1.5, -1.5))
        scene.spawn(box((6.0, 3.0, 1.0)), Material(GROUND, roughness=ROUGH), wall)


class Marked(Bare):
    """With decals on both."""

    def setup(self, context: GameContext) -> None:
        """Place them."""
        super().setup(context)
        size = (SIDE, SIDE, DEPTH)
        context.scene.placed.add(Decal(FEW, glm.vec3(0.5, 0.0, 0.8), size=size))
        context.scene.placed.add(Decal(MANY, glm.vec3(0.0, 1.1, -1.0), glm.vec3(0.0, 0.0, -1.0), size))


class Covered(Bare):
    """With surfaces that have the images, in the place of the decals."""

    def setup(self, context: GameContext) -> None:
        """Place them."""
        super().setup(context)
        flat = Transform(glm.vec3(0.5, ABOVE, 0.8))
        upright = glm.angleAxis(0.5 * np.pi, glm.vec3(1.0, 0.0, 0.0))
        for image, place in ((FEW, flat), (MANY, Transform(glm.vec3(0.0, 1.1, -1.0 + ABOVE), upright))):
            material = Material(base_color_image=image, roughness=ROUGH)
            context.scene.spawn(plane(SIDE, SIDE), material, place)


def rows(backend: Backend) -> Iterator[Row]:
    """The row of decals."""
    lights = []
    for game, plugins in ((Covered, ()), (Bare, ()), (Marked, ("decals",))):
        with played(game, backend, EXTENT, chosen(plugins)) as play:
            play.frames(2)
            lights.append(play.light())
    right, bare, with_it = lights
    yield compared("decals", "the images as materials", right, bare, with_it)
