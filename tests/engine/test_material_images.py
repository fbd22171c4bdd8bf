"""Images on surfaces: the right way up, in the right colour space."""

from __future__ import annotations

import numpy as np
import pytest
from playing import frames_of
from pyglm import glm

from benchmarks.quality.effects.images import Floor, Isotropic
from benchmarks.quality.play import played
from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PluginChoice
from renderwright.engine.scene.image import Image
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import plane
from renderwright.engine.scene.sky import Sky
from renderwright.engine.scene.transform import Transform
from renderwright.engine.session import Session
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

CORNERS = (
    np.array([[[255, 0, 0, 255], [0, 255, 0, 255]], [[0, 0, 255, 255], [128, 128, 128, 255]]], np.uint8)
    .repeat(8, axis=0)
    .repeat(8, axis=1)
)


class Poster(Game):
    """A glowing picture that fills the view, on a plane that stands upright; nothing else gives light."""

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.sun = None
        scene.sky = Sky((0, 0, 0), (0, 0, 0), (0, 0, 0))
        scene.camera.position, scene.camera.target = glm.vec3(0, 0, 1), glm.vec3(0)
        scene.camera.fov_y = 2.0 * np.arctan(0.5)
        material = Material(
            base_color=(0, 0, 0, 1), roughness=1.0, emissive=(1, 1, 1), emissive_image=Image("poster", CORNERS)
        )
        upright = Transform(rotation=glm.angleAxis(glm.radians(90.0), glm.vec3(1, 0, 0)))
        scene.spawn(plane(1.0, 1.0), material, upright)


class ForwardPoster(Poster):
    """The same by the forward skeleton."""

    skeleton = "forward"


@pytest.mark.parametrize("game", [Poster, ForwardPoster])
def test_an_emissive_image_is_shown_as_it_is(backend: VulkanBackend, game: type[Game]) -> None:
    off = PluginChoice(disable=("bloom", "shadows", "tonemap"))
    session = Session(game, backend, (64, 64), choice=off, clock=FixedStepClock(game.step, frame=1 / 60))
    try:
        shown = frames_of(session, 1)[-1].astype(int)
    finally:
        session.close()
    for (row, column), expected in {
        (16, 16): (255, 0, 0),
        (16, 48): (0, 255, 0),
        (48, 16): (0, 0, 255),
        (48, 48): (128, 128, 128),
    }.items():
        assert np.abs(shown[row, column, :3] - expected).max() <= 3


def test_a_game_chooses_its_anisotropic_filtering(monkeypatch: pytest.MonkeyPatch, backend: VulkanBackend) -> None:
    """It changes a floor at a low angle, up to what the device does."""

    def floor(game: type[Game], most: float) -> np.ndarray:
        monkeypatch.setattr(backend._device, "most_anisotropy", most)
        with played(game, backend, (64, 36)) as play:
            return play.picture()

    isotropic = floor(Isotropic, 16.0)
    assert np.abs(floor(Floor, 16.0) - isotropic).max() > 0.1
    assert np.array_equal(floor(Floor, 1.0), isotropic)
