"""Blended surfaces: each view shows what compositing its layers from back to front gives."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import Any

import numpy as np
import pytest
from layered_scenes import (
    LAYERS,
    Curtain,
    LampLit,
    Layer,
    Layers,
    Painted,
    Panes,
    from_the_front,
    of_skeleton,
    over,
    picture_of,
    session_of,
)
from playing import Picture, frames_of
from pyglm import glm

from renderwright.engine.backends import make_backend
from renderwright.engine.options import BackendName, PlayOptions, SettingChange
from renderwright.engine.renderer import blended
from renderwright.engine.renderer.geometry import draw_scene
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box, plane
from renderwright.engine.scene.transform import Transform
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

BOTH = pytest.mark.parametrize("skeleton", ["deferred", "forward"])


def assert_shows(picture: Picture, layers: Sequence[Layer]) -> None:
    """The whole picture has the colour of the layers from back to front."""
    apart = np.abs(picture[..., :3].astype(int) - over(layers))
    assert apart.max() <= 1, (picture[0, 0], over(layers))


@BOTH
def test_layers_are_composited_from_back_to_front(backend: VulkanBackend, skeleton: str) -> None:
    assert_shows(picture_of(backend, of_skeleton(skeleton, Layers)), from_the_front(LAYERS))


@BOTH
def test_each_view_has_an_order_of_its_own(backend: VulkanBackend, skeleton: str) -> None:
    picture = picture_of(backend, of_skeleton(skeleton, Layers), "split_screen", players=2)
    width = picture.shape[1]
    assert_shows(picture[6:-6, : width // 2 - 4], from_the_front(LAYERS))
    assert_shows(picture[6:-6, width // 2 + 4 : -4], from_the_front(LAYERS)[::-1])


@pytest.mark.parametrize("views", ["vr", "ssaa"])
def test_eyes_and_samples_show_the_same_layers(backend: VulkanBackend, views: str) -> None:
    at_rest = [SettingChange("vr", "poses", "still"), SettingChange("vr", "fill", "false")]
    picture = picture_of(backend, Layers, views, settings=at_rest if views == "vr" else ())
    width = picture.shape[1]
    for part in (picture[24:30, width // 4 - 3 : width // 4 + 3], picture[24:30, -width // 4 - 3 : -width // 4 + 3]):
        assert_shows(part, from_the_front(LAYERS))


@BOTH
def test_opaque_surfaces_hide_what_is_behind_them(backend: VulkanBackend, skeleton: str) -> None:
    picture = picture_of(backend, of_skeleton(skeleton, Curtain))
    middle = picture[picture.shape[0] // 2, picture.shape[1] // 2, :3]
    assert np.abs(middle.astype(int) - over([], (0.0, 1.0, 1.0))).max() <= 1
    assert_shows(picture[:, :10], from_the_front(LAYERS))


@BOTH
def test_sheets_may_be_unlit_and_have_colours_of_vertices(backend: VulkanBackend, skeleton: str) -> None:
    assert_shows(picture_of(backend, of_skeleton(skeleton, Painted)), from_the_front(LAYERS))


def test_the_last_of_many_lamps_lights_them(backend: VulkanBackend) -> None:
    alone = picture_of(backend, LampLit).astype(int)
    among_many = picture_of(backend, type("AmongMany", (LampLit,), {"others": 40})).astype(int)
    assert alone[..., :3].max() > 80
    assert np.abs(alone - among_many).max() <= 1


def test_a_sheet_that_moves_changes_its_place_in_the_order(backend: VulkanBackend) -> None:
    with closing(session_of(backend, Layers)) as session:
        frames_of(session, 1)
        game = session.runner.game
        assert isinstance(game, Layers)
        game.sheets[0].transform.position = glm.vec3(0, 0, -1.5)
        game.sheets[0].snap()
        order = from_the_front([Layer(-1.5, LAYERS[0].glow, LAYERS[0].alpha), *LAYERS[1:]])
        assert_shows(frames_of(session, 2)[-1], order)


def test_a_camera_that_turns_around_sees_the_other_order(backend: VulkanBackend) -> None:
    with closing(session_of(backend, Layers)) as session:
        frames_of(session, 2)
        first = session._scene.blended.draws[0]
        camera = session.context.scene.camera
        camera.position, camera.target = glm.vec3(0.1, 0, 2.9), glm.vec3(0.1, 0, 0)
        session.context.scene.snap_cameras()
        frames_of(session, 1)
        assert session._scene.blended.draws[0] is first, "moving along keeps the order"
        camera.position, camera.target = glm.vec3(0, 0, -3), glm.vec3(0)
        session.context.scene.snap_cameras()
        assert_shows(frames_of(session, 1)[-1], from_the_front(LAYERS)[::-1])


@BOTH
def test_the_alpha_of_images_counts(backend: VulkanBackend, skeleton: str) -> None:
    picture = picture_of(backend, of_skeleton(skeleton, Panes))
    halves = (from_the_front(LAYERS), [layer for layer in from_the_front(LAYERS) if layer in LAYERS[::2]])
    for part in (picture[:, :16], picture[:, -16:]):
        assert min(np.abs(part[..., :3].astype(int) - over(half)).max() for half in halves) <= 1
    assert not np.array_equal(picture[0, 0], picture[0, -1])


def test_back_faces_show_only_with_two_sides(backend: VulkanBackend) -> None:
    class Boxed(Layers):
        layers = ()
        sides = False

        def setup(self, context: object) -> None:
            super().setup(self.context)
            color = (0.0, 0.0, 0.0, 0.5)
            material = Material(color, 1.0, 1.0, (1.0, 0.0, 0.0), double_sided=self.sides, alpha_mode="blend")
            self.context.scene.spawn(box(1.5), material, Transform())

    both = type("BothSides", (Boxed,), {"sides": True})
    layer = Layer(0.0, (1.0, 0.0, 0.0), 0.5)
    for game, count in ((Boxed, 1), (both, 2)):
        picture = picture_of(backend, game)
        middle = picture[20:34, 40:56]
        assert np.abs(middle[..., :3].astype(int) - over([layer] * count)).max() <= 1


@BOTH
def test_blended_surfaces_are_the_same_on_opengl(backend: VulkanBackend, skeleton: str) -> None:
    with closing(make_backend(PlayOptions(Layers, backend=BackendName.OPENGL))) as opengl:
        for game in (Layers, Panes):
            own = of_skeleton(skeleton, game)
            apart = picture_of(opengl, own).astype(int) - picture_of(backend, own)
            assert np.abs(apart).max() <= 1, game


def test_a_scene_without_blended_surfaces_has_none_of_their_nodes(backend: VulkanBackend) -> None:
    class Plain(Layers):
        layers = ()

    def nodes() -> set[str]:
        frames_of(session, 1)
        assert session.runtime.plan is not None
        return {node.declaration.name for node in session.runtime.plan.graph.nodes}

    with closing(session_of(backend, Plain)) as session:
        before = nodes()
        added = session.context.scene.spawn(plane(1, 1), Material(alpha_mode="blend"))
        assert nodes() - before == {"blended", "sorted_draws", "blended_draws"}
        session.context.scene.remove(added)
        assert nodes() == before


def test_frames_in_which_nothing_changes_keep_their_draws(
    backend: VulkanBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[int] = []

    def draw(*arguments: Any, **options: Any) -> None:
        drawn.append(1)
        draw_scene(*arguments, **options)

    monkeypatch.setattr(blended, "draw_scene", draw)
    with closing(session_of(backend, Layers)) as session:
        frames_of(session, 6)
        assert drawn
        drawn.clear()
        frames_of(session, 6, still=True)
        assert drawn == []
