"""Particles move on the GPU as they do one by one in a reference, whatever frames are drawn."""

from __future__ import annotations

from contextlib import closing

import numpy as np
import pytest
from particle_scenes import SPARKS, STATE, Fountain, Yard, living, session_of
from playing import frames_of
from pyglm import glm

from benchmarks.quality.particle_reference import Source, simulated
from renderwright.engine.backends import make_backend
from renderwright.engine.game import GameContext
from renderwright.engine.options import BackendName, PlayOptions
from renderwright.plugins.particles import Emitter
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

STEPS = 84
"""Particles of the first steps have died, and their places are used again."""


def fountain_after(backend: Backend, steps_a_frame: int) -> np.ndarray:
    with closing(session_of(backend, Fountain, frame=Fountain.step * steps_a_frame)) as session:
        frames_of(session, STEPS // steps_a_frame)
        return living(session)


def assert_as_in_the_reference(found: np.ndarray) -> None:
    places = [np.array([-0.5 + Fountain.step * step, 0.2, 0.0]) for step in range(STEPS + 1)]
    expected = simulated(Source(SPARKS, 500.0, 7, places), Fountain.step)
    assert len(found) == len(expected) > 100
    for name in ("position", "velocity"):
        right = np.array([getattr(one, name) for one in expected])
        order = np.argsort([one.age for one in expected])
        assert np.allclose(found[np.argsort(found["age"])][name], right[order], atol=2e-4), name
    assert np.allclose(np.sort(found["age"]), np.sort([one.age for one in expected]), atol=1e-5)


def test_particles_are_those_of_the_reference(backend: VulkanBackend) -> None:
    assert_as_in_the_reference(fountain_after(backend, 1))


def test_so_they_are_on_opengl() -> None:
    with closing(make_backend(PlayOptions(Fountain, backend=BackendName.OPENGL))) as opengl:
        assert_as_in_the_reference(fountain_after(opengl, 2))


def test_the_frames_that_are_drawn_do_not_matter(backend: VulkanBackend) -> None:
    one = fountain_after(backend, 1)
    lasting = [name for name in STATE.names or () if name != "flown"]  # which tells of the frame's steps
    for steps_a_frame in (2, 7):
        assert np.array_equal(fountain_after(backend, steps_a_frame)[lasting], one[lasting])


def test_frames_without_a_step_change_nothing(backend: VulkanBackend) -> None:
    with closing(session_of(backend, Fountain)) as session:
        pictures = frames_of(session, 8)
        before = living(session)
        again = frames_of(session, 3, still=True)
        assert np.array_equal(living(session), before)
        assert np.array_equal(again[-1], pictures[-1])


class Bursts(Yard):
    """An emitter without a rate, and one that is removed."""

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        placed = context.scene.placed
        self.first = placed.add(Emitter(SPARKS, glm.vec3(0.0), rate=1000.0))
        self.second = placed.add(Emitter(SPARKS, glm.vec3(0.0), rate=0.0, most=10))


def test_a_burst_is_born_at_once_and_within_the_room(backend: VulkanBackend) -> None:
    with closing(session_of(backend, Bursts, frame=Bursts.step)) as session:
        game = session.runner.game
        assert isinstance(game, Bursts)
        frames_of(session, 2)
        assert set(living(session)["emitter"]) == {1}
        game.second.burst(4)
        frames_of(session, 1)
        assert (living(session)["emitter"] == 2).sum() == 4
        game.second.burst(25)
        frames_of(session, 1)
        assert (living(session)["emitter"] == 2).sum() == 10


def test_the_particles_of_an_emitter_go_with_it(backend: VulkanBackend) -> None:
    with closing(session_of(backend, Bursts, frame=Bursts.step)) as session:
        game = session.runner.game
        assert isinstance(game, Bursts)
        game.second.burst(10)
        frames_of(session, 4)
        placed = session.context.scene.placed
        placed.remove(game.first)
        placed.add(Emitter(SPARKS, glm.vec3(0.0), rate=200.0, most=40))
        frames_of(session, 1)
        assert set(living(session)["emitter"]) == {2, 3}, "the third has places of the first"


def test_a_scene_without_emitters_has_none_of_the_nodes(backend: VulkanBackend) -> None:
    def nodes() -> set[str]:
        frames_of(session, 1)
        assert session.runtime.plan is not None
        return {node.declaration.name for node in session.runtime.plan.graph.nodes}

    with closing(session_of(backend, Yard)) as session:
        before = nodes()
        emitter = session.context.scene.placed.add(Emitter())
        of_rows = {"particle_emitters", "particle_emitters_state", "particle_emitters_moving"}
        assert nodes() - before == {*of_rows, "particles/move", "particles/draw"}
        session.context.scene.placed.remove(emitter)
        assert nodes() == before


def test_emitters_of_a_game_do_nothing_without_the_plugin(backend: VulkanBackend) -> None:
    with closing(session_of(backend, Fountain, particles=False)) as session:
        with_emitter = frames_of(session, 3)[-1]
    with closing(session_of(backend, Yard, particles=False)) as session:
        assert np.array_equal(frames_of(session, 3)[-1], with_emitter)
