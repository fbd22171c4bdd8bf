"""Meshes and images that appear while a game runs: what is drawn before they are there, and after."""

from __future__ import annotations

import numpy as np
import pytest
from playing import frames_of
from pyglm import glm

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PluginChoice
from renderwright.engine.renderer.gpu_geometry import GpuGeometry
from renderwright.engine.renderer.material_images import MaterialImages
from renderwright.engine.renderer.material_textures import KEPT_FRAMES, images_of
from renderwright.engine.scene.image import Image
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box, plane
from renderwright.engine.scene.sky import Sky
from renderwright.engine.scene.transform import Transform
from renderwright.engine.session import Session
from renderwright.render.backend.null import NullBackend
from renderwright.render.backend.opengl import OpenGLBackend
from renderwright.render.backend.vulkan.backend import VulkanBackend


def frame(backend: NullBackend) -> None:
    """Time goes on, and what is on its way arrives."""
    backend.begin_frame(0)
    backend.end_frame(0, [], None)


def test_the_first_meshes_are_waited_for_and_later_ones_come() -> None:
    backend = NullBackend()
    geometry = GpuGeometry(backend, stream=True)
    first, second = box(1.0), plane(1.0, 1.0)
    assert geometry.update([first])
    assert list(geometry.ranges) == [first]
    before = geometry.vertices
    assert not geometry.update([first, second])
    assert (list(geometry.ranges), geometry.vertices) == ([first], before)
    frame(backend)
    assert geometry.update([first, second])
    assert list(geometry.ranges) == [first, second]
    assert geometry.vertices is not before
    geometry.close()
    assert backend.alive == ()


def test_a_mesh_that_was_gone_and_is_drawn_again_does_not_vanish() -> None:
    """What is on its way does not have it, so that is begun again."""
    backend = NullBackend()
    geometry = GpuGeometry(backend, stream=True)
    first, second, third = box(1.0), plane(1.0, 1.0), box(2.0)
    geometry.update([first, second])
    geometry.update([first, third])
    frame(backend)
    assert not geometry.update([first, second, third])
    assert list(geometry.ranges) == [first, second]
    frame(backend)
    assert geometry.update([first, second, third])
    assert list(geometry.ranges) == [first, second, third]
    geometry.close()
    assert backend.alive == ()


def test_without_streaming_the_frame_waits() -> None:
    backend = NullBackend()
    geometry = GpuGeometry(backend)
    meshes = [box(1.0), plane(1.0, 1.0)]
    assert geometry.update(meshes[:1])
    assert geometry.update(meshes)
    assert list(geometry.ranges) == meshes
    geometry.close()


def image(name: str) -> Image:
    return Image(name, np.zeros((2, 2, 4), np.uint8))


def test_images_on_their_way_are_stood_in_for_and_leave_no_trace() -> None:
    backend = NullBackend()
    alive = backend.alive
    images = MaterialImages(backend, stream=True)
    first = images_of(Material(base_color_image=image("first")))
    second = images_of(Material(emissive_image=image("second"), normal_image=image("normal")))
    images.update([first])
    assert images._textures.shown(first) == first
    images.update([first, second])
    arriving = [each is not None for each in images._textures.shown(second)]
    assert images._textures.shown(second) != second
    assert arriving == [each is not None for each in second]
    frame(backend)
    images.update([first, second])
    assert images._textures.shown(second) == second
    for _ in range(KEPT_FRAMES + 1):
        images.update([first])
    assert not any("second" in each for each in backend.alive)
    images.close()
    assert backend.alive == alive


@pytest.mark.parametrize("stream", [True, False])
def test_what_all_uploads_need_is_there_before_the_first(stream: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    backend = NullBackend()
    prepared: list[bool] = []
    monkeypatch.setattr(backend, "prepare_streaming", lambda: prepared.append(True))
    images = MaterialImages(backend, stream=stream)
    assert prepared == [True] * stream
    images.close()


class Reveal(Game):
    """A black plane over all of the view gets a glowing image, and then a box of another colour in front of it."""

    side = 512
    """Of the image, which is small: less than a frame may upload."""

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.sun = None
        scene.sky = Sky((0, 0, 0), (0, 0, 0), (0, 0, 0))
        scene.camera.position, scene.camera.target = glm.vec3(0, 0, 1), glm.vec3(0)
        scene.camera.fov_y = 2.0 * np.arctan(0.5)
        upright = Transform(rotation=glm.angleAxis(glm.radians(90.0), glm.vec3(1, 0, 0)))
        dark = Material(base_color=(0, 0, 0, 1), roughness=1.0)
        self.wall = scene.spawn(plane(1.0, 1.0), dark, upright)
        self.steps = 0

    def update(self, dt: float) -> None:
        self.steps += 1
        if self.steps == 2:
            red = np.full((self.side, self.side, 4), (255, 0, 0, 255), np.uint8)
            glow = {"emissive": (1, 1, 1), "emissive_image": Image("red", red)}
            self.wall.material = Material(base_color=(0, 0, 0, 1), roughness=1.0, **glow)
            green = Material(base_color=(0, 0, 0, 1), roughness=1.0, emissive=(0, 1, 0))
            self.context.scene.spawn(box(0.4), green, Transform(position=glm.vec3(0, 0, 0.1)))


class LargeReveal(Reveal):
    side = 2048


@pytest.mark.vulkan
@pytest.mark.parametrize("open_device", [VulkanBackend, OpenGLBackend])
@pytest.mark.parametrize("game", [Reveal, LargeReveal])
@pytest.mark.parametrize("stream", [True, False])
def test_a_game_shows_what_has_come(
    open_device: type[VulkanBackend | OpenGLBackend], game: type[Reveal], stream: bool
) -> None:
    backend = open_device(validate=True)
    off = PluginChoice(disable=("bloom", "shadows", "tonemap"))
    clock = FixedStepClock(game.step, frame=game.step)
    session = Session(game, backend, (32, 32), choice=off, clock=clock, stream=stream)
    seen = [(tuple(shown[2, 2, :3]), tuple(shown[16, 16, :3])) for shown in frames_of(session, 12)]
    session.close()
    backend.close()
    red, green, black = (255, 0, 0), (0, 255, 0), (0, 0, 0)
    assert seen[0] == (black, black)
    assert seen[1] == ((black if stream and game is LargeReveal else red), green)  # the box is small
    assert seen[-1] == (red, green)
    assert set(seen[1:]) <= {(black, green), (red, green)}
    assert [message.text for message in backend.validation_messages] == []
