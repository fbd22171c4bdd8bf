"""Images on a floor at a low angle against a picture of many times the size."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import ClassVar

from pyglm import glm

from benchmarks.quality.play import Floats, chosen, played
from benchmarks.quality.row import Row, compared
from benchmarks.quality.scenes import stripes
from renderwright.engine.game import Game, GameContext
from renderwright.engine.scene import Camera, Material, Transform
from renderwright.engine.scene.primitives import plane
from renderwright.render.backend.protocol import Backend
from renderwright.render.types.resources import Extent

EXTENT: Extent = (160, 90)
FINER = 12
"""Size of the reference, in each direction, as a multiple. Its samples have footprints that need no anisotropy."""
MOST = 0.7
"""Bound of the error, as a share of that of isotropic filtering."""


class Floor(Game):
    """Stripes along the view and into the distance.

    Each is short across the view and long along it, so a filter of one width in both directions takes their mean.
    """

    title = "Floor"
    plugins: ClassVar[tuple[str, ...]] = ("tonemap",)

    def setup(self, context: GameContext) -> None:
        """Build the scene."""
        scene = context.scene
        scene.camera = Camera(glm.vec3(0.0, 0.5, 0.0), glm.vec3(2.0, 0.1, -5.0), fov_y=0.8)
        material = Material(roughness=1.0, base_color_image=stripes())
        along = Transform(rotation=glm.angleAxis(math.pi / 2, glm.vec3(0.0, 1.0, 0.0)))
        scene.spawn(plane(40.0, 40.0, uv_scale=20.0), material, along)


class Isotropic(Floor):
    """The same floor without anisotropic filtering."""

    anisotropy = 1.0


def rows(backend: Backend) -> Iterator[Row]:
    """The error with the default anisotropy; no row on a device without anisotropic filtering."""
    if backend.capabilities.anisotropy <= 1.0:
        return
    large = _picture(Isotropic, backend, FINER)
    height, width = EXTENT[1], EXTENT[0]
    right = large.reshape(height, FINER, width, FINER, 3).mean(axis=(1, 3))
    without, with_it = (_picture(game, backend) for game in (Isotropic, Floor))
    yield compared("anisotropic filtering", f"{FINER**2} texels a texel", right, without, with_it, share=MOST)


def _picture(game: type[Game], backend: Backend, times: int = 1) -> Floats:
    extent = (EXTENT[0] * times, EXTENT[1] * times)
    with played(game, backend, extent, chosen()) as play:
        return play.picture()
