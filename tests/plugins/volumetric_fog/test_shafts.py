"""Shafts of light: air in the shade of a roof is dark, air beside it is lit as the formula says, in whole frames."""

from __future__ import annotations

from contextlib import closing

import numpy as np
import pytest
from playing import Picture, frames_of
from pyglm import glm
from view_scenes import Company, session_of

from renderwright.engine.game import Game, GameContext
from renderwright.engine.scene import Camera, DirectionalLight, Material, Sky, Transform
from renderwright.engine.scene.primitives import box
from renderwright.engine.screenshot import TiledScreenshot, TileGrid
from renderwright.render.backend.opengl import OpenGLBackend
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

EXTENT = (128, 72)
DENSITY, SUN, FAR = 0.03, 3.0, 40.0
FOG = {
    "volumetric_fog.density": str(DENSITY),
    "volumetric_fog.falloff": "0",
    "volumetric_fog.glow": "0",
    "volumetric_fog.reach": str(FAR),
    "volumetric_fog.range": str(FAR),
    "shadows.casters": "30",
}


class Roof(Game):
    """A black sky, and a high roof over all that is to the left of the camera, under the sun."""

    title = "Roof"
    plugins = ("shadows", "volumetric_fog")
    height: float | None = None

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.sky = Sky((0.0,) * 3, (0.0,) * 3, (0.0,) * 3)
        scene.sun = DirectionalLight(glm.vec3(0.0, -1.0, 0.0), (1.0, 1.0, 1.0), SUN)
        black = Material((0.0, 0.0, 0.0, 1.0), roughness=1.0)
        scene.spawn(box((60.0, 0.2, 140.0)), black, Transform(glm.vec3(-30.0, 20.0, -40.0)))
        scene.camera = Camera(glm.vec3(0.0), glm.vec3(0.0, 0.0, -1.0), fov_y=0.6, height=self.height)


class ForwardRoof(Roof):
    """By the forward skeleton."""

    skeleton = "forward"


class FlatRoof(Roof):
    """By parallel rays."""

    height = 4.0


def shown(backend: VulkanBackend | OpenGLBackend, game: type[Game], **settings: str) -> Picture:
    with closing(session_of(backend, EXTENT, game=game, **{**FOG, **settings})) as session:
        return frames_of(session, 2)[-1][..., :3]


def assert_shafts(picture: Picture) -> None:
    """The left half is in the shade, up to the columns of froxels at the edge; the right half has the sun's light."""
    encoded = picture.astype(np.float64) / 255.0
    light = np.where(encoded > 0.04045, ((encoded + 0.055) / 1.055) ** 2.4, encoded / 12.92)
    shade, sunny = light[:, : EXTENT[0] // 2 - 24], light[:, EXTENT[0] // 2 + 24 :]
    right = SUN / (4.0 * np.pi) * (1.0 - np.exp(-DENSITY * FAR))
    assert shade.max() < 0.02 * right
    assert np.allclose(sunny, right, rtol=0.03)


@pytest.mark.parametrize("game", [Roof, ForwardRoof, FlatRoof])
def test_air_in_the_shade_is_dark(backend: VulkanBackend, game: type[Game]) -> None:
    assert_shafts(shown(backend, game))


def test_it_is_so_with_cascades_of_their_own_rates(backend: VulkanBackend) -> None:
    assert_shafts(shown(backend, Roof, **{"shadows.rate": "8"}))


def test_tiles_meet_without_a_seam(backend: VulkanBackend) -> None:
    enable = ("shadows", "volumetric_fog")
    settings = {"volumetric_fog.density": "0.1", "volumetric_fog.detail": "1"}
    with closing(session_of(backend, EXTENT, game=Company, enable=enable, **settings)) as session:
        at_once = frames_of(session, 1)[-1][..., :3].astype(int)
        tiled = np.concatenate(list(TiledScreenshot(session, TileGrid(EXTENT, 2, 2, 0)).rows())).astype(int)
    apart = np.abs(at_once - tiled).max(axis=2)
    assert np.median(apart) <= 1
    middle = EXTENT[0] // 2
    steps = [np.abs(picture[:, middle] - picture[:, middle - 1]).mean() for picture in (at_once, tiled)]
    assert steps[1] <= steps[0] + 1.0


def test_it_is_so_on_opengl() -> None:
    with closing(OpenGLBackend(validate=True)) as opengl:
        assert_shafts(shown(opengl, Roof))
        assert opengl.validation_messages == []
