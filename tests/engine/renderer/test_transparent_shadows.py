"""The sun's shadows on transparent surfaces: those that an opaque surface at the same place has."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from typing import ClassVar

import numpy as np
import pytest
from playing import Picture, frames_of
from pyglm import glm

from renderwright.engine.backends import make_backend
from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import BackendName, PlayOptions, PluginChoice, SettingChange
from renderwright.engine.scene import Camera, Material, Transform
from renderwright.engine.scene.primitives import box, plane
from renderwright.engine.session import Session
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

BOTH = pytest.mark.parametrize("skeleton", ["deferred", "forward"])
EXTENT = (128, 72)
BLENDED = Material((0.7, 0.7, 0.7, 1.0), roughness=1.0, alpha_mode="blend")


class Table(Game):
    """A table above a dark ground in the sun, with beams over its left half."""

    plugins: Sequence[str] = ()
    surface: ClassVar[Material] = BLENDED
    beams = True

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.sun.direction = glm.vec3(0.0, -1.0, -0.2)
        scene.camera = Camera(glm.vec3(0.0, 4.0, 3.0), glm.vec3(0.0, 0.5, 0.0))
        scene.snap_cameras()
        scene.spawn(plane(30, 30), Material((0.05, 0.05, 0.05, 1.0)))
        scene.spawn(plane(4.0, 2.4), self.surface, Transform(glm.vec3(0.0, 0.5, 0.0)))
        if self.beams:
            wood = Material((0.3, 0.2, 0.1, 1.0))
            for z in (-0.9, 0.9):
                beam = Transform(glm.vec3(-1.1, 1.5, z), scale=glm.vec3(2.0, 0.1, 0.5))
                scene.spawn(box(1.0), wood, beam)


class Opaque(Table):
    surface = replace(BLENDED, alpha_mode="opaque")


class Bare(Table):
    beams = False


def of_skeleton(skeleton: str, game: type[Game]) -> type[Game]:
    return type(f"{game.__name__}In{skeleton.title()}", (game,), {"skeleton": skeleton})


def session_of(backend: Backend, game: type[Game], *plugins: str, **settings: str) -> Session:
    changes = tuple(SettingChange("shadows", key, value) for key, value in settings.items())
    choice = PluginChoice(enable=plugins, settings=changes)
    clock = FixedStepClock(game.step, frame=1.0 / 60.0)
    return Session(game, backend, EXTENT, choice=choice, clock=clock, strict=True)


def picture_of(backend: Backend, game: type[Game], *plugins: str, **settings: str) -> Picture:
    with closing(session_of(backend, game, *plugins, **settings)) as session:
        return frames_of(session, 3)[-1][..., :3].astype(int)


@pytest.mark.parametrize("rate", ["1", "16"])
@pytest.mark.parametrize("plugins", [(), ("oit",)], ids=["sorted", "oit"])
@BOTH
def test_a_blended_surface_has_the_shadow_of_an_opaque_one(
    backend: VulkanBackend, skeleton: str, plugins: Sequence[str], rate: str
) -> None:
    shown = picture_of(backend, of_skeleton(skeleton, Table), "shadows", *plugins, rate=rate)
    right = picture_of(backend, Opaque, "shadows", rate=rate)  # the forward one has no normals at edges
    table = on_the_table(lit := picture_of(backend, of_skeleton(skeleton, Table), *plugins))
    shade = (lit - shown)[table].max(axis=1) > 60
    assert 0.1 < shade.mean() < 0.5, "beams shade a part of the table"
    apart = np.abs(shown - right)[table].max(axis=1)
    assert apart.mean() < 1.0
    assert (apart > 8).mean() < 0.1, "edges may be softer or harder by a texel of the map"


def test_so_it_is_on_opengl(backend: VulkanBackend) -> None:
    with closing(make_backend(PlayOptions(Table, backend=BackendName.OPENGL))) as opengl:
        apart = picture_of(opengl, Table, "shadows") - picture_of(backend, Table, "shadows")
    assert np.abs(apart).mean() < 0.1


class OnTheGround(Bare):
    """A sheet that lies on the ground in the evening, seen from far away."""

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        scene = context.scene
        scene.sun.direction = glm.vec3(-1.0, -0.35, -0.3)
        scene.camera = Camera(glm.vec3(0.0, 12.0, 18.0), glm.vec3(0.0))
        scene.snap_cameras()
        scene.entities[1].transform.position = glm.vec3(0.0, 0.001, 0.0)
        scene.entities[1].transform.scale = glm.vec3(3.0)


@pytest.mark.parametrize("settings", [{}, {"size": "128"}, {"distance": "300"}])
def test_an_opaque_surface_does_not_shade_what_lies_on_it(backend: VulkanBackend, settings: dict[str, str]) -> None:
    lit = picture_of(backend, OnTheGround)
    assert on_the_table(lit).mean() > 0.03
    assert np.array_equal(picture_of(backend, OnTheGround, "shadows", **settings), lit)


def test_beyond_their_distance_there_are_no_shadows(backend: VulkanBackend) -> None:
    table = on_the_table(lit := picture_of(backend, Table))
    assert np.array_equal(picture_of(backend, Table, "shadows", distance="1")[table], lit[table])


def test_a_sun_without_shadows_lights_everything(backend: VulkanBackend) -> None:
    class Shadowless(Table):
        def setup(self, context: GameContext) -> None:
            super().setup(context)
            context.scene.sun.casts_shadow = False

    assert np.array_equal(picture_of(backend, Shadowless, "shadows"), picture_of(backend, Table))


def test_a_scene_without_transparency_has_the_plan_of_one_that_never_had_any(backend: VulkanBackend) -> None:
    """The maps are read by no more nodes than without transparent surfaces."""

    def readers(game: type[Game]) -> set[str]:
        with closing(session_of(backend, game, "shadows")) as session:
            frames_of(session, 1)
            assert session.runtime.plan is not None
            nodes = session.runtime.plan.graph.nodes
            return {node.id.split("[")[0] for node in nodes if any(use.name == "sun_maps" for use in node.uses)}

    assert readers(Opaque) == {"shadows/fit"}
    assert readers(Table) == {"shadows/fit", "blended"}


def on_the_table(lit: Picture) -> np.ndarray:
    """Where the white table is, in a picture without shadows."""
    return lit.min(axis=2) > 130
