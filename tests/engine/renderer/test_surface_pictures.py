"""Surfaces beyond metal and roughness: each looks like a plain one that amounts to the same, on both backends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest
from playing import SHADERS, Picture, frames_of
from pyglm import glm

from renderwright.engine.backends import make_backend
from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import BackendName, PlayOptions, PluginChoice
from renderwright.engine.scene import Coat, Image, Sheen, Specular
from renderwright.engine.scene.camera import Camera
from renderwright.engine.scene.entity import Entity
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.mesh import Mesh
from renderwright.engine.scene.primitives import box, plane, sphere
from renderwright.engine.scene.scene import Scene
from renderwright.engine.session import Session
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

EXTENT = (128, 72)
RED = (0.8, 0.1, 0.05, 1.0)
BALL = sphere(0.7)

checks = np.zeros((2, 2, 4), np.uint8)
checks[...] = 255
checks[0, 0, :3] = checks[1, 1, :3] = 20
CHECKS = Image("checks", checks, filter="nearest")
"""A picture of four texels."""


def colored(mesh: Mesh, color: tuple[float, ...]) -> Mesh:
    return replace(mesh, colors=np.tile(np.float32(color), (len(mesh.vertices), 1)))


class Stage(Game):
    """A ball over a floor in the light of sun and sky, and a box of another kind beside it."""

    plugins = ("shadows",)
    max_players = 2
    place: Callable[[Scene], object]
    culling = None

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        eyes = (glm.vec3(0.4, 1.4, 2.6), glm.vec3(-1.2, 1.0, 2.4))
        scene.cameras = [Camera(eye, glm.vec3(0, 0.5, 0)) for eye in eyes[: context.players]]
        scene.spawn(plane(8, 8), Material(roughness=0.9))
        ball = type(self).place(scene)
        if isinstance(ball, Entity):
            ball.transform.position = glm.vec3(0, 0.7, 0)


def picture(backend: Backend, place: Callable[[Scene], object], skeleton: str = "deferred", **more: object) -> Picture:
    """The last of two frames. ``place`` spawns what is to be shown and may return the ball."""
    game = type("Placed", (Stage,), {"skeleton": skeleton, "place": staticmethod(place)})
    clock = FixedStepClock(game.step, frame=1.0 / 60.0)
    with closing(Session(game, backend, EXTENT, clock=clock, strict=True, shaders=SHADERS, **more)) as session:  # type: ignore[arg-type]
        return frames_of(session, 2)[-1]


def ball(material: Material, mesh: Mesh = BALL) -> Callable[[Scene], Entity]:
    return lambda scene: scene.spawn(mesh, material)


def apart(one: Picture, other: Picture) -> int:
    """The largest difference of a channel."""
    return int(np.abs(one.astype(int) - other.astype(int)).max())


def others(one: Picture, other: Picture) -> float:
    """The share of texels that differ by more than the rounding of an edge's position."""
    return float((np.abs(one.astype(int) - other.astype(int)).max(axis=2) > 8).mean())


@pytest.fixture(scope="module")
def opengl() -> Iterator[Backend]:
    with closing(make_backend(PlayOptions(Stage, backend=BackendName.OPENGL))) as made:
        yield made


SKELETONS = pytest.mark.parametrize("skeleton", ["deferred", "forward"])


@SKELETONS
def test_vertex_colours_multiply_the_base_colour(backend: VulkanBackend, skeleton: str) -> None:
    half = Material((1.0, 0.2, 0.1, 1.0), roughness=0.4)
    coloured = picture(backend, ball(half, colored(BALL, (0.8, 0.5, 0.5, 1.0))), skeleton)
    assert apart(coloured, picture(backend, ball(Material(RED, roughness=0.4)), skeleton)) <= 2
    assert apart(coloured, picture(backend, ball(half), skeleton)) > 20


@SKELETONS
def test_layers_that_do_nothing_change_nothing(backend: VulkanBackend, skeleton: str) -> None:
    plain = Material(RED, roughness=0.4)
    without = Material(
        RED, roughness=0.4, specular=Specular(), coat=Coat(strength=0.0), sheen=Sheen(color=(0.0, 0.0, 0.0))
    )
    assert apart(picture(backend, ball(without), skeleton), picture(backend, ball(plain), skeleton)) <= 1


@SKELETONS
def test_unlit_surfaces_show_their_colour(backend: VulkanBackend, skeleton: str) -> None:
    shown = picture(backend, ball(Material((0.5, 0.25, 0.75, 1.0), unlit=True)), skeleton)
    middle = shown[36, 60].astype(int)
    nearby = shown[30:40, 55:65, :3].reshape(-1, 3).astype(int)
    assert np.abs(nearby - middle[:3]).max() <= 1  # of dither
    emits = Material((0, 0, 0, 1), metallic=1.0, roughness=1.0, emissive=(0.5, 0.25, 0.75))
    assert np.abs(picture(backend, ball(emits), skeleton)[36, 60].astype(int) - middle).max() <= 2


@SKELETONS
def test_a_surface_without_specular_reflects_nothing_beside_its_colour(backend: VulkanBackend, skeleton: str) -> None:
    black = (0.0, 0.0, 0.0, 1.0)
    none = picture(backend, ball(Material(black, specular=Specular(strength=0.0))), skeleton)
    assert none[34:40, 58:64, :3].max() <= 1
    usual = picture(backend, ball(Material(black)), skeleton)
    assert usual[34:40, 58:64, :3].max() > 3
    same = picture(backend, ball(Material(black, specular=Specular(ior=1.0))), skeleton)
    assert same[34:40, 58:64, :3].max() < usual[34:40, 58:64, :3].min()


def test_a_higher_index_of_refraction_and_a_coat_reflect_more(backend: VulkanBackend) -> None:
    black = (0.0, 0.0, 0.0, 1.0)
    sums = [
        int(picture(backend, ball(material))[25:45, 50:70, :3].astype(int).sum())
        for material in (
            Material(black, roughness=0.3),
            Material(black, roughness=0.3, specular=Specular(ior=1.8)),
            Material(black, roughness=0.3, specular=Specular(ior=2.4)),
            Material(black, roughness=0.3, coat=Coat(roughness=0.3), specular=Specular(ior=1.0)),
        )
    ]
    assert sums[0] < sums[1] < sums[2]
    # A coat over a black surface that reflects nothing ahead is such a surface itself, but for the light of the edges.
    assert sums[3] == pytest.approx(sums[0], rel=0.25)


def test_coloured_specular_tints_the_reflection(backend: VulkanBackend) -> None:
    black = (0.0, 0.0, 0.0, 1.0)
    shown = picture(backend, ball(Material(black, roughness=0.6, specular=Specular(color=(1.0, 0.0, 0.0)))))
    red, green, _ = shown[36, 60, :3].astype(int)
    assert red > green + 2


def test_sheen_lights_the_edges(backend: VulkanBackend) -> None:
    cloth = Material((0.02, 0.02, 0.02, 1.0), roughness=1.0)
    sheen = replace(cloth, sheen=Sheen((1.0, 0.2, 0.2), 0.4))
    more = picture(backend, ball(sheen)).astype(int) - picture(backend, ball(cloth)).astype(int)
    edge, middle = more[20:50, 36:92, 0].max(), more[36, 60, 0]
    assert edge > middle + 15


@SKELETONS
def test_images_of_the_second_coordinates(backend: VulkanBackend, skeleton: str) -> None:
    square = plane(1.6, 1.6)
    apart_uvs = replace(square, second_uvs=(square.uvs * 0.75).astype(np.float32))

    def wall(mesh: Mesh, **more: object) -> Callable[[Scene], object]:
        material = Material(base_color_image=CHECKS, roughness=0.9, **more)  # type: ignore[arg-type]
        return lambda scene: setattr(scene.spawn(mesh, material).transform, "position", glm.vec3(0, 0.5, 0))

    vertices = square.vertices.copy()
    vertices[:, 6:8] *= 0.75
    second = picture(backend, wall(apart_uvs, second_uv=frozenset({"base_color_image"})), skeleton)
    assert others(second, picture(backend, wall(Mesh("part", vertices, square.indices)), skeleton)) < 0.002
    assert others(second, picture(backend, wall(apart_uvs), skeleton)) > 0.008


def every_kind(scene: Scene) -> None:
    """A row of boxes of all kinds, plain ones between them."""
    materials = [
        Material(RED),
        Material(RED, unlit=True),
        Material(RED, coat=Coat(image=CHECKS)),
        Material(RED, sheen=Sheen()),
        Material(RED, alpha_mode="mask", coat=Coat(0.5, 0.2)),
    ]
    for number, material in enumerate(materials):
        for row, mesh in enumerate((box(0.3), colored(box(0.3), (0.3, 1.0, 0.3, 1.0)))):
            entity = scene.spawn(mesh, material)
            entity.transform.position = glm.vec3(0.45 * (number - 2), 0.2 + 0.5 * row, 0.3 * row)


@SKELETONS
@pytest.mark.parametrize("views", ["split", "stereo", "samples"])
def test_every_kind_in_every_kind_of_view(backend: VulkanBackend, opengl: Backend, skeleton: str, views: str) -> None:
    plugins, players = {"split": ("split_screen",), "stereo": ("vr",), "samples": ("ssaa",)}[views], 1
    if views == "split":
        players = 2
    shown = picture(backend, every_kind, skeleton, choice=PluginChoice(enable=plugins), players=players)
    other = picture(opengl, every_kind, skeleton, choice=PluginChoice(enable=plugins), players=players)
    assert others(shown, other) < 0.002
    assert len(np.unique(shown.reshape(-1, shown.shape[-1]), axis=0)) > 200


def test_plain_scenes_have_the_plan_without_these_surfaces(backend: VulkanBackend) -> None:
    def nodes(session: Session) -> set[str]:
        frames_of(session, 1)
        assert session.runtime.plan is not None
        return {node.declaration.name for node in session.runtime.plan.graph.nodes}

    game = type("Placed", (Stage,), {"place": staticmethod(ball(Material(RED)))})
    with closing(Session(game, backend, EXTENT)) as session:
        before = nodes(session)
        assert not [name for name in before if "attributes" in name or "layers" in name]
        added = session.context.scene.spawn(colored(BALL, RED), Material())
        assert nodes(session) - before == {"surface_buffers", "attributes_opaque"}
        added.material = Material(unlit=True)
        assert nodes(session) - before == {"surface_buffers", "attributes_opaque", "layers_opaque"}
        session.context.scene.remove(added)
        assert nodes(session) == before


@pytest.mark.parametrize("skeleton", ["deferred", "forward"])
def test_a_mirrored_mesh_is_lit_from_the_same_side(backend: VulkanBackend, skeleton: str) -> None:
    def mirrored(scene: Scene) -> Entity:
        mirror = glm.scale(glm.vec3(-1.0, 1.0, 1.0))
        return scene.add(Entity(BALL.mirrored(), Material(RED, roughness=0.4), local=mirror))

    plain = picture(backend, ball(Material(RED, roughness=0.4)), skeleton)
    assert apart(picture(backend, mirrored, skeleton), plain) <= 8  # its triangles are others
