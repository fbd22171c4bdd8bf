"""Particles collide with what the views of players show, as they do one by one with a ground in a reference."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from particle_scenes import SPARKS, Yard, living, session_of
from playing import frames_of
from pyglm import glm

from benchmarks.quality.particle_reference import Source, simulated
from renderwright.engine.backends import make_backend
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import BackendName, PlayOptions, SettingChange
from renderwright.engine.scene import Camera, Material, Transform
from renderwright.engine.scene.primitives import box, plane
from renderwright.plugins.particles import Collision, Emitter, Particles
from renderwright.render import UsageError
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

RATE, SEED = 300.0, 5
HEIGHT = 0.6
STEPS = 72
HAIL = replace(SPARKS, lifetime=(0.8, 1.1), direction=(0.2, -1.0, 0.1), collision=Collision(0.6, 0.2, distance=0.02))
NO_LINE = SettingChange("split_screen", "separator", "0")


class Hail(Game):
    """Sparks that fall onto a ground, seen from above."""

    plugins: Sequence[str] = ()
    max_players = 2
    particles = HAIL

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.spawn(plane(20, 20), Material((0.1, 0.1, 0.1, 1.0)))
        scene.cameras[:] = [Camera(glm.vec3(x, 5.0, 4.0), glm.vec3(x, 0.0, 0.0)) for x in self.places()]
        scene.snap_cameras()
        scene.placed.add(Emitter(self.particles, glm.vec3(0.0, HEIGHT, 0.0), rate=RATE, seed=SEED))

    def places(self) -> tuple[float, float]:
        """Where the cameras are."""
        return 0.5, 0.5


class ForwardHail(Hail):
    """The same by the forward skeleton."""

    skeleton = "forward"


class SeenBySecond(Hail):
    """The first player looks elsewhere."""

    def places(self) -> tuple[float, float]:
        return 300.0, 0.5


def fallen(backend: Backend, game: type[Game], *enable: str, steps_a_frame: int = 1, **options: object) -> np.ndarray:
    """The particles after all steps."""
    with closing(session_of(backend, game, *enable, frame=game.step * steps_a_frame, **options)) as session:
        frames_of(session, STEPS // steps_a_frame)
        return living(session)


def assert_as_in_the_reference(found: np.ndarray, particles: Particles = HAIL) -> None:
    places = [np.array([0.0, HEIGHT, 0.0])] * (STEPS + 1)
    expected = simulated(Source(particles, RATE, SEED, places), Hail.step)
    assert len(found) == len(expected) > 150
    found = found[np.argsort(found["age"])]
    expected = sorted(expected, key=lambda one: one.age)
    for name in ("position", "velocity"):
        right = np.array([getattr(one, name) for one in expected])
        wrong = np.abs(found[name] - right).max(axis=1) > 2e-3
        # Where a step ends on the ground to a hair, rounding decides in which one a particle collides.
        assert wrong.mean() < 0.02, name
    assert found["position"][:, 1].min() > 0.02 - 1e-3


def bounced(found: np.ndarray) -> np.ndarray:
    """The particles that fly up."""
    return found[found["velocity"][:, 1] > 0.5]


@pytest.mark.parametrize("game", [Hail, ForwardHail])
def test_particles_bounce_as_in_the_reference(backend: VulkanBackend, game: type[Game]) -> None:
    found = fallen(backend, game)
    assert len(bounced(found)) > 30
    assert_as_in_the_reference(found)


def test_so_they_do_on_opengl() -> None:
    with closing(make_backend(PlayOptions(Hail, backend=BackendName.OPENGL))) as opengl:
        assert_as_in_the_reference(fallen(opengl, Hail))


def test_so_they_do_in_frames_of_several_steps(backend: VulkanBackend) -> None:
    assert_as_in_the_reference(fallen(backend, Hail, steps_a_frame=4))


@pytest.mark.parametrize("game", [Hail, SeenBySecond])
def test_what_one_of_the_players_sees_is_enough(backend: VulkanBackend, game: type[Game]) -> None:
    found = fallen(backend, game, "split_screen", players=2, extent=(192, 54), settings=(NO_LINE,))
    assert_as_in_the_reference(found)


def test_several_eyes_and_samples_let_them_bounce_once(backend: VulkanBackend) -> None:
    assert_as_in_the_reference(fallen(backend, Hail, "vr", "ssaa", settings=(SettingChange("vr", "poses", "still"),)))


def test_without_a_view_of_the_ground_they_fall_through_it(backend: VulkanBackend) -> None:
    assert fallen(backend, SeenBySecond)["position"][:, 1].min() < -0.5


def test_those_that_die_end_at_the_ground(backend: VulkanBackend) -> None:
    mortal = replace(HAIL, collision=Collision(dies=True))
    found = fallen(backend, type("Mortal", (Hail,), {"particles": mortal}))
    assert len(found) > 20
    assert len(bounced(found)) == 0
    assert found["position"][:, 1].min() > -1e-3
    assert found["age"].max() < 0.6


class Wall(Hail):
    """Sparks that fly at a box, and over it."""

    particles = replace(
        HAIL, gravity=(0, 0, 0), direction=(1, 0, 0), spread=0.0, drag=0.0, radius=0.3, collision=Collision(1.0, 0.0)
    )

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        context.scene.spawn(box(0.6), Material(), Transform(glm.vec3(1.3, 0.3, 0.0)))
        context.scene.cameras[:] = [Camera(glm.vec3(-3.0, 1.5, 1.0), glm.vec3(1.0, 0.6, 0.0))] * 2
        context.scene.snap_cameras()


def test_they_bounce_off_walls_and_pass_above(backend: VulkanBackend) -> None:
    found = fallen(backend, Wall)
    low, high = (found[keep] for keep in (found["position"][:, 1] < 0.55, found["position"][:, 1] > 0.65))
    assert (low["velocity"][:, 0] < 0.0).sum() > 10
    assert low["position"][:, 0].max() < 1.0 + 1e-3
    assert (high["velocity"][:, 0] > 0.0).all()
    assert high["position"][:, 0].max() > 1.5


class Mixed(Yard):
    """Particles that collide, and others."""

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        self.plain = context.scene.placed.add(Emitter(SPARKS))


def test_only_scenes_with_such_particles_have_the_node(backend: VulkanBackend) -> None:
    def nodes() -> set[str]:
        frames_of(session, 1)
        assert session.runtime.plan is not None
        return {node.declaration.name for node in session.runtime.plan.graph.nodes}

    with closing(session_of(backend, Mixed)) as session:
        before = nodes()
        emitter = session.context.scene.placed.add(Emitter(HAIL))
        assert nodes() - before == {"particle_emitters_colliding", "particles/collide"}
        session.context.scene.placed.remove(emitter)
        assert nodes() == before


@pytest.mark.parametrize(
    ("name", "value"),
    [("restitution", 1.5), ("friction", -0.1), ("distance", float("nan")), ("thickness", 0.0), ("distance", "near")],
)
def test_values_that_collisions_cannot_have_are_refused_by_name(name: str, value: Any) -> None:
    with pytest.raises(UsageError, match=rf"Collision\.{name} cannot be ") as refused:
        Collision(**{name: value})
    assert refused.value.where is not None
    assert refused.value.where.file == __file__


def test_a_collision_that_is_none_is_refused() -> None:
    with pytest.raises(UsageError, match=r"Particles\.collision cannot be 0\.5"):
        Particles(collision=0.5)  # type: ignore[arg-type]
