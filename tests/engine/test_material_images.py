"""Images on surfaces: the right way up, in the right colour space."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest
from playing import frames_of
from pyglm import glm

from benchmarks.quality.effects.images import Floor, Isotropic
from benchmarks.quality.play import played
from renderwright.engine.backends import make_backend
from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import BackendName, PlayOptions, PluginChoice
from renderwright.engine.scene.image import Image, Wrap
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.mesh import Mesh
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


class Tiled(Poster):
    """The picture three times in each direction, beyond the edges as its image says."""

    wrap = ("clamp", "mirror")

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        [entity] = context.scene
        vertices = entity.mesh.vertices.copy()
        vertices[:, 6:8] = vertices[:, 6:8] * 3.0 - 1.0
        entity.mesh = Mesh("tiled", vertices, entity.mesh.indices)
        image = Image("corners", CORNERS, wrap=self.wrap, filter="nearest")
        entity.material = replace(entity.material, emissive_image=image)


@pytest.mark.parametrize("wrap", [("clamp", "mirror"), ("mirror", "clamp"), ("repeat", "repeat")])
@pytest.mark.parametrize("name", [BackendName.VULKAN, BackendName.OPENGL])
def test_images_go_on_beyond_their_edges_as_they_say(name: BackendName, wrap: tuple[Wrap, Wrap]) -> None:
    modes = {"repeat": "wrap", "clamp": "edge", "mirror": "symmetric"}
    side = len(CORNERS)
    expected = np.pad(CORNERS, ((0, 0), (side, side), (0, 0)), mode=modes[wrap[0]])  # type: ignore[call-overload]
    expected = np.pad(expected, ((side, side), (0, 0), (0, 0)), mode=modes[wrap[1]])  # type: ignore[call-overload]
    game = type("Tiles", (Tiled,), {"wrap": wrap})
    off = PluginChoice(disable=("bloom", "shadows", "tonemap"))
    with closing(make_backend(PlayOptions(game, backend=name))) as backend:
        session = Session(game, backend, (96, 96), choice=off, clock=FixedStepClock(game.step, frame=1 / 60))
        try:
            shown = frames_of(session, 1)[-1].astype(int)
        finally:
            session.close()
    middles = np.arange(4, 48, 8)
    seen, wanted = shown[np.ix_(2 * middles, 2 * middles)], expected[np.ix_(middles, middles)]
    assert np.abs(seen[..., :3] - wanted[..., :3]).max() <= 3
