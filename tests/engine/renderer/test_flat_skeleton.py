"""The flat skeleton: sprites without lighting and depth, in every kind of view and on both backends."""

from __future__ import annotations

import logging
from contextlib import closing

import numpy as np
import pytest
from playing import frames_of
from sprite_scenes import CARDS, EXTENT, Bare, Flat, MovingFull, composed
from test_sprite_pictures import session_of, shown

from renderwright.engine.game import Game, GameContext
from renderwright.engine.scene.light import PointLight
from renderwright.engine.scene.material import ALPHA_MODES, Material
from renderwright.engine.scene.primitives import box
from renderwright.engine.screenshot.grid import TileGrid
from renderwright.engine.screenshot.tiled import TiledScreenshot
from renderwright.render.backend.null import NullBackend
from renderwright.render.backend.opengl import OpenGLBackend
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan


class FlatFlat(Flat):
    """The cards by the flat skeleton."""

    skeleton = "flat"


class FlatBare(Bare):
    """Nothing by the flat skeleton."""

    skeleton = "flat"


class FlatFull(MovingFull):
    """Every kind of sprite by the flat skeleton."""

    skeleton = "flat"


class FlatCrowd(FlatFull):
    """With many surfaces of all kinds and many lamps, which it does not draw."""

    culling = 1
    occlusion = 1

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        for mode in ALPHA_MODES:
            context.scene.spawn(box(1.0), Material(alpha_mode=mode))
        for _ in range(40):
            context.scene.add_light(PointLight())


def names_of(game: type[Game], *enable: str) -> tuple[set[str], set[str]]:
    """The nodes and the textures of a game's frame."""
    with closing(session_of(game, NullBackend(), *enable)) as session:
        session.step()
        session.render(session.backend.create_target(EXTENT))
        assert session.runtime.plan is not None
        graph = session.runtime.plan.graph
        nodes = {node.declaration.name for node in graph.nodes}
        return nodes, {resource.resource.root for resource in graph.resources}


def test_its_frame_has_sprites_and_nothing_of_surfaces() -> None:
    nodes, resources = names_of(FlatFlat)
    assert {"sprite_data", "world_sprites", "compose", "present"} <= nodes
    assert "screen_sprites" not in nodes
    assert nodes.isdisjoint({"opaque", "depth_only", "sky", "forward_opaque", "deferred_lighting", "scene_buffers"})
    assert "hdr_lit" in resources
    assert resources.isdisjoint({"depth", "albedo", "normal", "motion_vectors", "scene_instances"})
    assert names_of(FlatCrowd) == names_of(FlatFull)
    empty, _ = names_of(FlatBare)
    assert not any("sprite" in name for name in empty)


def test_layers_are_blended_over_black_and_nothing_is_hidden(backend: VulkanBackend) -> None:
    black = np.zeros((EXTENT[1], EXTENT[0], 3), np.uint8)
    assert np.array_equal(shown(FlatBare, backend), black), "entities are not drawn"
    right = composed(black, CARDS, np.zeros(black.shape[:2], np.bool_), behind=99.0)
    error = np.abs(shown(FlatFlat, backend) - right)
    assert error.max() <= 2.0
    assert (right.max(axis=-1) > 60).sum() > 1200


def test_plugins_that_need_depth_say_so_and_stay_out(caplog: pytest.LogCaptureFixture) -> None:
    class Lenient(FlatFull):
        plugins = ("tonemap", "bloom", "fog", "ssao", "outline")

    with caplog.at_level(logging.WARNING, "renderwright.plan"), closing(session_of(Lenient, NullBackend())) as session:
        session.step()
        session.render(session.backend.create_target(EXTENT))
        assert session.runtime.plan is not None
        nodes = {node.declaration.name for node in session.runtime.plan.graph.nodes}
    assert any(name.startswith("bloom/") for name in nodes)
    assert any(name.startswith("tonemap/") for name in nodes)
    assert not any(name.startswith(("fog/", "ssao/", "outline/")) for name in nodes)
    for plugin in ("fog", "ssao", "outline"):
        (message,) = [text for text in caplog.messages if f'plugin "{plugin}" adds nothing' in text]
        assert "needs `depth`, which nobody creates" in message


@pytest.mark.parametrize(
    "enable", [("bloom",), ("split_screen",), ("ssaa", "fxaa"), ("vr",), ("split_screen", "vr", "bloom")]
)
def test_every_kind_of_view_on_both_backends(backend: VulkanBackend, enable: tuple[str, ...]) -> None:
    players = 2 if "split_screen" in enable else 1
    right = shown(FlatFull, backend, *enable, players=players)
    assert right.std() > 10
    with closing(OpenGLBackend(validate=True)) as other:
        ours = shown(FlatFull, other, *enable, players=players)
        assert other.validation_messages == []
    assert (np.abs(right.astype(int) - ours) <= 2).mean() > 0.98


def test_tiles_of_a_screenshot_show_the_whole(backend: VulkanBackend) -> None:
    with closing(session_of(FlatFull, backend, extent=(48, 32))) as session:
        frames_of(session, 1)
        tiled = np.concatenate(list(TiledScreenshot(session, TileGrid(EXTENT, 3, 2, 4)).rows()))
    whole = shown(FlatFull, backend, frames=1).astype(int)
    assert (np.abs(tiled - whole) <= 2).mean() > 0.99
