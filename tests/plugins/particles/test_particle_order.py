"""Blended particles hide what is behind them: each view has them sorted from back to front."""

from __future__ import annotations

from contextlib import closing

import numpy as np
import pytest
from particle_scenes import Fountain, Yard, session_of, state_of
from playing import frames_of
from pyglm import glm

from renderwright.engine.backends import make_backend
from renderwright.engine.game import GameContext
from renderwright.engine.options import BackendName, PlayOptions, SettingChange
from renderwright.plugins.particles import Emitter, Particles
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

STEP_OF_KEYS = 2.0 ** (1.0 / 2730.0)
"""Depths whose quotient is smaller may have one key."""


class Smoke(Fountain):
    """Sparks, and smoke that hides them."""

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        smoke = Particles((0.2, 0.6), (0.1, 2.0), spread=3.0, radius=1.0, additive=False, sizes=(0.3,))
        context.scene.placed.add(Emitter(smoke, glm.vec3(0.0, 1.0, 0.0), rate=3000.0))


def assert_sorted(backend: Backend) -> None:
    """The order of a frame's particles is that of their depths, and of their places where the keys are the same."""
    with closing(session_of(backend, Smoke, frame=Smoke.step)) as session:
        frames_of(session, 30)
        state = state_of(session)
        keys = np.frombuffer(backend.read_buffer(session.runtime.resource("particles/order")), np.uint32)
        camera = session.context.scene.camera
    keys = keys.reshape(-1, 2)
    assert np.array_equal(np.sort(keys[:, 1]), np.arange(len(state)))
    shown = state[keys[:, 1]]
    alive = shown["lifetime"] > 0.0
    assert alive.sum() > 500
    assert alive[: alive.sum()].all()
    # The frame shows the moment before the last step, or that of the birth.
    back = np.minimum(Smoke.step, shown["flown"][alive])[:, None]
    places = shown["position"][alive] - back * shown["velocity"][alive]
    depths = (places - np.array(camera.position)) @ np.array(camera.forward())
    assert (depths[1:] <= depths[:-1] * STEP_OF_KEYS).all()
    same = keys[1:, 0] == keys[:-1, 0]
    assert same.any()
    assert (keys[1:, 1] > keys[:-1, 1])[same].all()


def test_particles_are_sorted_by_depth(backend: VulkanBackend) -> None:
    assert_sorted(backend)


def test_so_they_are_on_opengl() -> None:
    with closing(make_backend(PlayOptions(Smoke, backend=BackendName.OPENGL))) as opengl:
        assert_sorted(opengl)


class TwoSides(Yard):
    """A red and a green particle, seen by two players from opposite sides."""

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        for camera, z in zip(context.scene.cameras, (4.0, -4.0), strict=True):
            camera.position, camera.target = glm.vec3(0.0, 3.0, z), glm.vec3(0.0, 3.0, 0.0)
        for color, z in (((1.0, 0.0, 0.0, 1.0), 0.5), ((0.0, 1.0, 0.0, 1.0), -0.5)):
            one = Particles((9.0, 9.0), (0.0, 0.0), gravity=(0, 0, 0), sizes=(1.0,), colors=(color,), additive=False)
            context.scene.placed.add(Emitter(one, glm.vec3(0.0, 3.0, z), rate=0.0, most=1)).burst(1)


def test_each_player_sees_the_particle_that_is_in_front(backend: VulkanBackend) -> None:
    no_line = SettingChange("split_screen", "separator", "0")
    options = {"players": 2, "settings": (no_line,), "extent": (192, 54)}
    with closing(session_of(backend, TwoSides, "split_screen", **options)) as session:
        picture = frames_of(session, 3)[-1][..., :3].astype(int)
    red, green = picture[27, 48], picture[27, 144]
    assert red[0] > 250 > 30 > red[1]
    assert green[1] > 250 > 30 > green[0]


def test_only_blended_particles_are_sorted(backend: VulkanBackend) -> None:
    def sorts() -> bool:
        frames_of(session, 1)
        assert session.runtime.plan is not None
        return any(node.declaration.name == "particles/sort_high" for node in session.runtime.plan.graph.nodes)

    with closing(session_of(backend, Fountain)) as session:
        assert not sorts()
        smoke = session.context.scene.placed.add(Emitter(Particles(additive=False)))
        assert sorts()
        session.context.scene.placed.remove(smoke)
        assert not sorts()
