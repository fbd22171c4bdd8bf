"""Layers: a camera shows the entities that have one of its layers."""

from __future__ import annotations

import numpy as np
import pytest
from playing import Picture, frames_of
from pyglm import glm

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PluginChoice
from renderwright.engine.scene import Camera, Material, Transform
from renderwright.engine.scene.primitives import box, plane
from renderwright.engine.session import Session
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.errors import UsageError

pytestmark = pytest.mark.vulkan


class Yard(Game):
    """A box that is on layer 2, in front of others. It moves."""

    plugins = ("tonemap",)
    max_players = 2
    layers, hidden = 0xFFFFFFFF, False

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.cameras = [Camera(glm.vec3(0, 1.5, 4), glm.vec3(0, 0.5, 0)) for _ in range(context.players)]
        scene.camera.layers = self.layers
        scene.spawn(plane(8, 8), Material())
        scene.spawn(box(0.8), Material((0.1, 0.2, 0.9, 1)), Transform(glm.vec3(0.4, 0.4, -0.6)))
        self.box = scene.spawn(box(0.8), Material((0.9, 0.2, 0.1, 1)), Transform(glm.vec3(0, 0.5, 0.5)))
        self.box.layers = 2
        self.box.visible = not self.hidden

    def update(self, dt: float) -> None:
        self.box.transform.position.x += 2.0 * dt


class HiddenBox(Yard):
    hidden = True


class WithoutLayer(Yard):
    layers = ~2 & 0xFFFFFFFF


class Forward(WithoutLayer):
    skeleton = "forward"


class HiddenForward(HiddenBox):
    skeleton = "forward"


def picture(game: type[Game], backend: VulkanBackend, players: int = 1, enable: tuple[str, ...] = ()) -> Picture:
    clock = FixedStepClock(game.step, frame=game.step)
    choice = PluginChoice(enable=enable)
    session = Session(game, backend, (64, 48), clock=clock, players=players, choice=choice)
    shown = frames_of(session, 3)[-1]
    session.close()
    return shown


@pytest.mark.parametrize(
    ("game", "hidden"), [(WithoutLayer, HiddenBox), (Forward, HiddenForward)], ids=["deferred", "forward"]
)
@pytest.mark.parametrize("enable", [(), ("motion_blur",)])
def test_an_entity_in_no_layer_of_the_camera_is_not_drawn(
    game: type[Game], hidden: type[Game], enable: tuple[str, ...], backend: VulkanBackend
) -> None:
    without = picture(hidden, backend, enable=enable)
    assert (picture(game, backend, enable=enable) == without).all()
    assert (picture(Yard, backend, enable=enable) != without).any()


def test_each_player_sees_the_layers_of_their_camera(backend: VulkanBackend) -> None:
    left, right = np.split(picture(WithoutLayer, backend, 2, ("split_screen",)), 2, axis=1)
    hidden, _ = np.split(picture(HiddenBox, backend, 2, ("split_screen",)), 2, axis=1)
    shown, other = np.split(picture(Yard, backend, 2, ("split_screen",)), 2, axis=1)
    assert (left == hidden).all()
    assert (right == other).all()
    assert (hidden != shown).any()


def test_a_mask_has_32_bits() -> None:
    with pytest.raises(UsageError, match=r"Camera\.layers cannot be -1"):
        Camera().layers = -1
    camera = Camera(layers=6)
    assert (camera.copy().layers, Camera.interpolate(Camera(), camera, 0.5).layers) == (6, 6)
