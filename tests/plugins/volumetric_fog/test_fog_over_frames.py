"""Light that is averaged over frames: no bands in a still view, and the same air in a view that moves and turns."""

from __future__ import annotations

from contextlib import closing

import numpy as np
import pytest
from playing import frames_of
from pyglm import glm
from test_shafts import EXTENT, FOG, FlatRoof, ForwardRoof, Roof, assert_shafts
from view_scenes import session_of

from renderwright.engine.game import Game, GameContext
from renderwright.engine.scene import Camera, DirectionalLight, Material, Sky, Transform
from renderwright.engine.scene.primitives import box
from renderwright.render.backend.opengl import OpenGLBackend
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

FRAMES = 32
TEMPORAL = {"volumetric_fog.temporal": "true", "volumetric_fog.samples": "1"}
AIR = {
    "volumetric_fog.density": "0.05",
    "volumetric_fog.falloff": "0",
    "volumetric_fog.range": "60",
    "volumetric_fog.detail": "1",
}


class Fence(Game):
    """A long row of planks that the sun shines through, seen along it. The camera may move by ``speed`` a frame."""

    title = "Fence"
    plugins = ("shadows", "volumetric_fog")
    speed = 0.0
    frames = FRAMES

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.sky = Sky((0.0,) * 3, (0.0,) * 3, (0.0,) * 3)
        scene.sun = DirectionalLight(glm.vec3(0.8, -0.6, 0.5), (1.0, 1.0, 1.0), 3.0)
        black, plank = Material((0.0, 0.0, 0.0, 1.0), roughness=1.0), box((0.2, 6.0, 0.8))
        for number in range(30):
            scene.spawn(plank, black, Transform(glm.vec3(-2.0, 2.0, 2.0 - 1.6 * number)))
        self.left = self.frames
        self.look()

    def update(self, dt: float) -> None:
        self.left = max(self.left - 1, 0)
        self.look()

    def look(self) -> None:
        """It ends at the same place, however fast it comes."""
        away = self.speed * self.left
        place = glm.vec3(1.0 + away, 1.2, 4.0 + 3.0 * away)
        self.context.scene.camera = Camera(place, place + glm.vec3(-0.05 + 2.0 * away, 0.1, -1.0), fov_y=0.9)


def last(backend: VulkanBackend | OpenGLBackend, game: type[Game], frames: int, **settings: str) -> np.ndarray:
    """The last of some frames, by one step a frame."""
    with closing(session_of(backend, EXTENT, game=game, **settings)) as session:
        return frames_of(session, frames)[-1][..., :3].astype(int)


def error(picture: np.ndarray, right: np.ndarray) -> float:
    return float(np.abs(picture - right).mean())


def moving(speed: float) -> type[Fence]:
    return type("Moving", (Fence,), {"speed": speed})


def test_a_sample_a_frame_becomes_the_mean_of_many(backend: VulkanBackend) -> None:
    right = last(backend, Fence, 2, **AIR, **{"volumetric_fog.samples": "32"})
    once = error(last(backend, Fence, 2, **AIR, **{"volumetric_fog.samples": "1"}), right)
    assert once > 0.5
    assert error(last(backend, Fence, FRAMES, **AIR, **TEMPORAL), right) < 0.2 * once


def test_air_stays_where_it_is_when_the_view_moves(backend: VulkanBackend) -> None:
    right = last(backend, Fence, 2, **AIR, **{"volumetric_fog.samples": "32"})
    once = error(last(backend, Fence, 2, **AIR, **{"volumetric_fog.samples": "1"}), right)
    for speed in (0.005, 0.02):
        shown = last(backend, moving(speed), FRAMES + 1, **AIR, **TEMPORAL)
        assert error(shown, right) < once, speed


@pytest.mark.parametrize("game", [Roof, ForwardRoof, FlatRoof])
def test_air_in_the_shade_is_dark(backend: VulkanBackend, game: type[Game]) -> None:
    assert_shafts(last(backend, game, 8, **FOG, **TEMPORAL).astype(np.uint8))


def test_it_is_the_same_on_opengl(backend: VulkanBackend) -> None:
    played = moving(0.02)
    with closing(OpenGLBackend(validate=True)) as opengl:
        shown = last(opengl, played, 8, **AIR, **TEMPORAL)
        assert opengl.validation_messages == []
    assert np.abs(shown - last(backend, played, 8, **AIR, **TEMPORAL)).max() <= 2


def test_the_range_may_change(backend: VulkanBackend) -> None:
    """Slices are elsewhere then, and the light of the last frame is found all the same."""
    with closing(session_of(backend, EXTENT, game=Fence, **AIR, **TEMPORAL)) as session:
        before = frames_of(session, FRAMES)[-1][..., :3].astype(int)
        session.plugins.set("volumetric_fog", "range", "20")
        after = frames_of(session, 1)[-1][..., :3].astype(int)
    right = last(backend, Fence, 2, **{**AIR, "volumetric_fog.range": "20", "volumetric_fog.samples": "32"})
    assert error(after, right) < 0.2 * error(before, right)
