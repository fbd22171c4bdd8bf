"""Surfaces with alpha masks: a fence of one masked quad looks like one of as many quads as it has posts."""

from __future__ import annotations

from contextlib import closing
from typing import ClassVar

import numpy as np
import pytest
from playing import Picture, frames_of
from pyglm import glm

from renderwright.engine.backends import make_backend
from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import BackendName, PlayOptions, PluginChoice, SettingChange
from renderwright.engine.scene import Image
from renderwright.engine.scene.camera import Camera
from renderwright.engine.scene.light import SpotLight
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box, plane
from renderwright.engine.scene.transform import Transform
from renderwright.engine.session import Session
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

EXTENT = (160, 90)
POSTS = 4
WIDTH = 2.0
COLOR = (0.2, 0.6, 0.1, 1.0)
UPRIGHT = glm.angleAxis(np.pi / 2, glm.vec3(1, 0, 0))

stripes = np.full((2 * POSTS, 2 * POSTS, 4), 255, np.uint8)
stripes[:, 1::2, 3] = 0
MASK = Image("stripes", stripes)


class Fence(Game):
    """A fence of one masked quad, with a box behind it, in the light of the sun and a lamp. It slides."""

    plugins = ("shadows", "tonemap")
    max_players = 2
    culling = None
    moves: ClassVar[float] = 0.0

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        places = (glm.vec3(0.3, 1.4, 3.0), glm.vec3(1.5, 1.0, 2.5))
        scene.cameras = [Camera(place, glm.vec3(0, 0.5, 0)) for place in places[: context.players]]
        scene.sun.direction = glm.vec3(0.3, -1.0, 0.5)
        scene.spawn(plane(20, 20), Material(roughness=0.9))
        scene.spawn(box(0.5), Material((0.8, 0.2, 0.1, 1)), Transform(glm.vec3(0.2, 0.3, -0.8)))
        scene.add_light(SpotLight(glm.vec3(-1, 2, 2), glm.vec3(0.5, -1, -1), intensity=20.0, casts_shadow=True))
        self.parts = self.fence()

    def fence(self) -> list[Transform]:
        material = Material(COLOR, base_color_image=MASK, alpha_mode="mask", double_sided=True)
        return [
            self.context.scene.spawn(plane(WIDTH, 1.0), material, Transform(glm.vec3(0, 0.5, 0), UPRIGHT)).transform
        ]

    def update(self, dt: float) -> None:
        for part in self.parts:
            part.position.x += self.moves * dt


class Posts(Fence):
    """The same fence of opaque posts."""

    def fence(self) -> list[Transform]:
        material = Material(COLOR, double_sided=True)
        step = WIDTH / (2 * POSTS)
        return [
            self.context.scene.spawn(
                plane(step, 1.0), material, Transform(glm.vec3((2 * post + 0.5) * step - WIDTH / 2, 0.5, 0), UPRIGHT)
            ).transform
            for post in range(POSTS)
        ]


def pictures_of(backend: Backend, game: type[Game], *plugins: str, frames: int = 2, players: int = 1) -> list[Picture]:
    clock = FixedStepClock(game.step, frame=1.0 / 60.0)
    choice = PluginChoice(enable=plugins, settings=(SettingChange("tonemap", "auto_exposure", "false"),))
    with closing(Session(game, backend, EXTENT, choice=choice, clock=clock, strict=True, players=players)) as session:
        return frames_of(session, frames)


def like(skeleton: str, game: type[Fence], **changes: object) -> type[Fence]:
    return type(game.__name__, (game,), {"skeleton": skeleton, **changes})


def share_of_other_texels(one: Picture, other: Picture) -> float:
    """The share of texels that differ by more than the rounding of an edge's position."""
    return float((np.abs(one.astype(int) - other.astype(int)).max(axis=2) > 8).mean())


@pytest.mark.parametrize("skeleton", ["deferred", "forward"])
def test_a_mask_has_the_holes_of_its_image(backend: VulkanBackend, skeleton: str) -> None:
    masked, posts = (pictures_of(backend, like(skeleton, game))[-1] for game in (Fence, Posts))
    assert share_of_other_texels(masked, posts) < 0.004
    without = like(skeleton, Posts, fence=lambda self: [])
    assert share_of_other_texels(masked, pictures_of(backend, without)[-1]) > 0.03, "the fence and its shadows are seen"


@pytest.mark.parametrize("skeleton", ["deferred", "forward"])
def test_masks_are_culled_and_hidden_like_all_surfaces(backend: VulkanBackend, skeleton: str) -> None:
    plain = pictures_of(backend, like(skeleton, Fence))[-1]
    for changes in ({"culling": 1, "occlusion": None}, {"culling": 1, "occlusion": 1}):
        culled = pictures_of(backend, like(skeleton, Fence, **changes), frames=4)[-1]
        assert np.array_equal(culled, plain), changes


def test_masks_have_the_motion_of_their_surface(backend: VulkanBackend) -> None:
    masked, posts, still = (
        pictures_of(backend, like("deferred", game, moves=moves), "motion_blur", "taa", frames=4)[-1]
        for game, moves in ((Fence, 3.0), (Posts, 3.0), (Fence, 0.0))
    )
    assert share_of_other_texels(masked, posts) < 0.02
    assert share_of_other_texels(masked, still) > 0.05


@pytest.mark.parametrize("skeleton", ["deferred", "forward"])
def test_masks_are_the_same_on_opengl(backend: VulkanBackend, skeleton: str) -> None:
    picture = pictures_of(backend, like(skeleton, Fence))[-1]
    with closing(make_backend(PlayOptions(Fence, backend=BackendName.OPENGL))) as opengl:
        other = pictures_of(opengl, like(skeleton, Fence))[-1]
    assert share_of_other_texels(picture, other) < 0.001


def test_a_scene_without_masks_has_the_nodes_of_opaque_surfaces_alone(backend: VulkanBackend) -> None:
    def nodes(session: Session) -> set[str]:
        frames_of(session, 1)
        assert session.runtime.plan is not None
        return {node.declaration.name for node in session.runtime.plan.graph.nodes}

    with closing(Session(Posts, backend, EXTENT)) as session:
        before = nodes(session)
        assert not [name for name in before if "masked" in name]
        added = session.context.scene.spawn(plane(1, 1), Material(alpha_mode="mask"))
        assert {"masked", "shadows/masked_cascade_0", "shadows/draw_masked_lamp_0"} <= nodes(session) - before
        session.context.scene.remove(added)
        assert nodes(session) == before
