"""Mirrors: where the camera behind the glass stands, what it shows, and at which rate."""

from __future__ import annotations

import dataclasses
import math
from contextlib import closing

import numpy as np
import pytest
from pyglm import glm

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PluginChoice, SettingChange
from renderwright.engine.scene import Camera, Material, Sky, Transform
from renderwright.engine.scene.primitives import box
from renderwright.engine.session import Session
from renderwright.engine.views import Rectangle, View
from renderwright.plugins.mirrors import Mirror
from renderwright.render.backend.opengl import OpenGLBackend
from renderwright.render.backend.vulkan.backend import VulkanBackend
from tests.playing import frames_of

GLASS = Mirror(glm.vec3(1.0, 1.5, -2.0), math.pi, 3.0, 2.0).glass()
"""It faces +Z."""


def place(matrix: glm.mat4, position: glm.vec3) -> glm.vec2:
    clip = matrix * glm.vec4(position, 1.0)
    return glm.vec2(clip.x / clip.w, clip.y / clip.w)


def test_a_ray_meets_the_glass_where_its_picture_shows_the_thing() -> None:
    eye, thing = glm.vec3(-0.5, 1.2, 3.0), glm.vec3(2.0, 2.2, 1.0)
    shot = GLASS.camera(eye, (64, 64), 0.0)
    image = glm.vec3(thing.x, thing.y, 2.0 * GLASS.middle.z - thing.z)
    share = (GLASS.middle.z - eye.z) / (image.z - eye.z)
    met = eye + (image - eye) * share
    assert glm.distance(place(shot.view_projection, thing), place(shot.view_projection, met)) < 1e-4
    corners = [
        place(shot.view_projection, GLASS.middle + x * GLASS.right + y * GLASS.up) for x in (-1, 1) for y in (-1, 1)
    ]
    assert max(abs(abs(side) - 1.0) for corner in corners for side in corner) < 1e-4, "the glass fills the picture"
    behind = shot.view_projection * glm.vec4(GLASS.middle - 0.1 * GLASS.out, 1.0)
    assert behind.z > behind.w, "what is behind the glass is in front of the near plane"


@pytest.mark.parametrize(
    ("eye", "target", "seen"),
    [
        ((1.0, 1.5, 2.0), (1.0, 1.5, -2.0), True),
        ((1.0, 1.5, 2.0), (1.0, 1.5, 6.0), False),
        ((1.0, 1.5, 2.0), (9.0, 1.5, 2.0), False),
        ((1.0, 1.5, -4.0), (1.0, 1.5, -2.0), False),
    ],
)
def test_who_sees_a_mirror(eye: tuple[float, ...], target: tuple[float, ...], seen: bool) -> None:
    camera = Camera(glm.vec3(*eye), glm.vec3(*target))
    found = GLASS.seen_by(View.of(camera, Rectangle(0, 0, 160, 90)))
    assert (found < math.inf) == seen


class Reflected(Game):
    """A mirror ahead, and behind the camera a red box on the right and a blue one on the left."""

    plugins = ("mirrors",)
    every = 1

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.sun, scene.sky = None, Sky(intensity=0.0)
        scene.camera = Camera(glm.vec3(0, 0, 0), glm.vec3(0, 0, -1))
        scene.spawn(box((4.0, 3.0, 0.02)), Material((0, 0, 0, 1), roughness=1.0), Transform(glm.vec3(0, 0, -2.02)))
        self.red = scene.spawn(box(1.0), Material(emissive=(1, 0, 0)), Transform(glm.vec3(1.2, 0, 2.0)))
        scene.spawn(box(1.0), Material(emissive=(0, 0, 1)), Transform(glm.vec3(-1.2, 0, 2.0)))
        scene.placed.add(Mirror(glm.vec3(0, 0, -2.0), math.pi, 4.0, 3.0, self.every))


def colours(picture: np.ndarray) -> tuple[bool, bool]:
    """Whether the left half is blue somewhere and the right one red."""
    half = picture.shape[1] // 2
    left, right = picture[:, :half].astype(int), picture[:, half:].astype(int)
    return bool((left[..., 2] - left[..., 0] > 100).any()), bool((right[..., 0] - right[..., 2] > 100).any())


@pytest.mark.vulkan
@pytest.mark.parametrize("skeleton", ["deferred", "forward"])
def test_a_mirror_shows_what_is_behind_the_eye(backend: VulkanBackend, skeleton: str) -> None:
    game = type("InSkeleton", (Reflected,), {"skeleton": skeleton})
    with closing(Session(game, backend, (96, 54), strict=True)) as session:
        assert colours(frames_of(session, 2)[-1]) == (True, True)
        session.plugins.disable("mirrors")
        assert colours(frames_of(session, 1)[-1]) == (False, False)


@pytest.mark.vulkan
@pytest.mark.parametrize("skeleton", ["deferred", "forward"])
def test_both_backends_show_the_same_in_a_mirror(backend: VulkanBackend, skeleton: str) -> None:
    game, pictures = type("InSkeleton", (Reflected,), {"skeleton": skeleton}), []
    with closing(OpenGLBackend(validate=True)) as opengl:
        for device in (opengl, backend):
            with closing(Session(game, device, (96, 54), strict=True)) as session:
                pictures.append(frames_of(session, 2)[-1][..., :3].astype(int))
        assert opengl.validation_messages == []
    ours, right = pictures
    assert colours(ours) == colours(right) == (True, True)
    assert (np.abs(ours - right) <= 1).mean() > 0.99


@pytest.mark.vulkan
def test_each_eye_has_a_picture_of_its_own(backend: VulkanBackend) -> None:
    choice = PluginChoice(enable=("vr",), settings=(SettingChange("vr", "poses", "still"),))
    with closing(Session(Reflected, backend, (160, 90), choice=choice, strict=True)) as session:
        picture = frames_of(session, 2)[-1]
    for eye in (picture[:, :80], picture[:, 80:]):
        assert colours(eye) == (True, True)


class Two(Reflected):
    """Two players, one of whom looks away from the mirror."""

    max_players = 2

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        context.scene.cameras.append(Camera(glm.vec3(0, 0, 0), glm.vec3(0, 5, -0.1)))


@pytest.mark.vulkan
def test_each_player_sees_what_is_in_the_own_view(backend: VulkanBackend) -> None:
    choice = PluginChoice(enable=("split_screen",))
    with closing(Session(Two, backend, (192, 54), choice=choice, strict=True, players=2)) as session:
        picture = frames_of(session, 2)[-1]
    assert colours(picture[:, :96]) == (True, True)
    assert colours(picture[:, 96:]) == (False, False)


@pytest.mark.vulkan
def test_without_mirrors_the_plugin_adds_nothing(backend: VulkanBackend) -> None:
    class Removed(Reflected):
        def setup(self, context: GameContext) -> None:
            super().setup(context)
            context.scene.placed.clear()

    pictures, nodes = [], []
    for enable in ((), ("mirrors",)):
        choice = PluginChoice(enable=enable, disable=() if enable else ("mirrors",))
        with closing(Session(Removed, backend, (96, 54), choice=choice, strict=True)) as session:
            pictures.append(frames_of(session, 2)[-1])
            assert session.runtime.plan is not None
            nodes.append([node.declaration.name for node in session.runtime.plan.graph.nodes])
    assert nodes[0] == nodes[1]
    assert (pictures[0] == pictures[1]).all()


@pytest.mark.vulkan
def test_a_mirror_has_a_rate_of_its_own(backend: VulkanBackend) -> None:
    game = type("Slow", (Reflected,), {"every": 4})
    clock = FixedStepClock(Reflected.step, frame=Reflected.step)
    with closing(Session(game, backend, (96, 54), strict=True, clock=clock)) as session:
        frames_of(session, 6)
        changes, before = [], frames_of(session, 1)[-1]
        for _ in range(8):
            session.runner.game.red.transform.position.y += 0.15  # type: ignore[attr-defined]
            now = frames_of(session, 1)[-1]
            changes.append(bool((now != before).any()))
            before = now
    assert sum(changes) == 2
    first = changes.index(True)
    assert changes[first + 4]


def test_mirrors_compare_by_value() -> None:
    table = Mirror.table()
    mirror = Mirror(glm.vec3(0, 1, 0))
    table.add(mirror)
    rows = table.rows(1.0)
    assert table.rows(0.5) is rows
    mirror.position.x += 1.0
    assert table.rows(1.0) is not rows
    assert dataclasses.is_dataclass(table.rows(1.0).value[0])  # type: ignore[index]
