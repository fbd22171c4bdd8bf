"""Decals while the camera or what they are on moves, with effects that look back."""

from __future__ import annotations

from contextlib import closing

import numpy as np
import pytest
from decal_scenes import EXTENT, Yard, session_of
from playing import Picture, flip, frames_of
from pyglm import glm

from renderwright.engine.game import Game, GameContext
from renderwright.engine.scene import Camera, Image, Material, Transform
from renderwright.engine.scene.primitives import box, plane
from renderwright.plugins.decals import Decal
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

SIDE = 1.5


def blots() -> Image:
    """A smooth image without transparent texels."""
    y, x = (np.mgrid[:64, :64] + 0.5) / 64.0
    waves = [0.5 + 0.5 * np.sin(2.0 * np.pi * 3.0 * wave) for wave in (x, y, x + y)]
    pixels = np.full((64, 64, 4), 255, np.uint8)
    pixels[..., :3] = np.rint(255.0 * np.stack(waves, axis=-1))
    return Image("blots", pixels, wrap=("clamp", "clamp"))


class Passing(Yard):
    """A camera that passes by a tablet that slides; the subclass puts an image on it."""

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.spawn(plane(20, 20), Material((0.4, 0.4, 0.4, 1.0)))
        self.tablet = scene.spawn(
            box((2.0, 0.4, 2.0)), Material((0.3, 0.3, 0.3, 1.0)), Transform(glm.vec3(-0.5, 0.2, 0.0))
        )
        scene.camera = Camera(glm.vec3(-0.2, 1.7, 1.7), glm.vec3(-0.1, 0.3, 0.0))
        scene.snap_cameras()
        self.mark(context)

    def mark(self, context: GameContext) -> None:
        """Put the image on the tablet."""

    def update(self, dt: float) -> None:
        self.context.scene.camera.position += glm.vec3(0.9 * dt, 0.0, 0.0)
        self.tablet.transform.position += glm.vec3(1.5 * dt, 0.0, 0.0)


class WithDecal(Passing):
    def mark(self, context: GameContext) -> None:
        self.place(Decal(blots(), glm.vec3(0.0, 0.2, 0.0), size=(SIDE, SIDE, 0.2), follow=self.tablet, roughness=1.0))


class WithSurface(Passing):
    def mark(self, context: GameContext) -> None:
        material = Material(base_color_image=blots(), roughness=1.0)
        self.sheet = context.scene.spawn(plane(SIDE, SIDE), material, Transform(glm.vec3(-0.5, 0.401, 0.0)))

    def update(self, dt: float) -> None:
        super().update(dt)
        self.sheet.transform.position += glm.vec3(1.5 * dt, 0.0, 0.0)


def last_of(backend: VulkanBackend, game: type[Game], *enable: str) -> Picture:
    with closing(session_of(backend, game, *enable, extent=(2 * EXTENT[0], 2 * EXTENT[1]))) as session:
        return frames_of(session, 16)[-1][..., :3]


@pytest.mark.parametrize("effect", ["taa", "motion_blur"])
def test_a_decal_is_as_sharp_as_a_surface_that_moves_likewise(backend: VulkanBackend, effect: str) -> None:
    right, shown, bare = (last_of(backend, game, effect) for game in (WithSurface, WithDecal, Passing))
    assert flip(right, shown) < 0.012
    assert flip(right, bare) > 0.1


class Around(Yard):
    """A decal whose box has the camera in it, in the space of an entity."""

    scale = glm.vec3(1.0)

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        hidden = context.scene.spawn(box(0.1), Material(), Transform(glm.vec3(0.0, -1.0, 0.0), None, self.scale))
        self.place(Decal(None, size=(12.0, 12.0, 12.0), tint=(1.0, 0.0, 0.0), follow=hidden))


def test_so_it_is_in_a_space_that_mirrors(backend: VulkanBackend) -> None:
    mirrored = type("Mirrored", (Around,), {"scale": glm.vec3(-1.0, 1.0, 1.0)})
    right, shown = (last_of(backend, game) for game in (Around, mirrored))
    assert (right[..., 0].astype(int) > right[..., 1].astype(int) + 40).mean() > 0.3
    assert np.array_equal(right, shown)
