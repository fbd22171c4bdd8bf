"""The skeleton's file is edited while a game runs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from edited_plugins import NAME, EditedGame, Empty, PluginFiles
from hand_driven import HandDriven

from renderwright.engine.game import GameContext
from renderwright.engine.plugins import PluginState
from renderwright.engine.scene.camera import Camera
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box
from renderwright.engine.skeleton import shipped_skeletons
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

FLAT = shipped_skeletons()["flat"].read_text(encoding="utf-8")
FORWARD = shipped_skeletons()["forward"].read_text(encoding="utf-8")
BRIGHT = FLAT.replace("clear: [0, 0, 0, 1]}", "clear: [0.2, 0.4, 0.6, 1]}", 1)


@pytest.fixture
def skeleton(files: PluginFiles) -> Path:
    path = files.folder / "own.yaml"
    path.write_text(FLAT, encoding="utf-8")
    return path


def game_with(skeleton: Path) -> type[Empty]:
    class Own(Empty):
        def setup(self, context: GameContext) -> None:
            context.scene.camera.position.z = 3.0
            context.scene.spawn(box(1.0), Material(emissive=(1, 2, 3)))

    Own.skeleton = str(skeleton)
    return Own


@pytest.fixture
def game(backend: VulkanBackend, skeleton: Path) -> Iterator[EditedGame]:
    game = EditedGame(backend, game_with(skeleton))
    yield game
    game.close()


def test_another_clear_colour_is_in_the_next_frame(game: EditedGame, skeleton: Path) -> None:
    assert BRIGHT != FLAT
    before = game.frame()
    game.edit(skeleton, BRIGHT)
    assert before not in game.frames(2)
    assert game.lines == ["reload: skeleton: own.yaml in use"]
    game.edit(skeleton, FLAT)
    assert game.frames(2) == [before] * 2


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("sinks: [image]", "sinks: [image", "own.yaml"),
        ("rgba16_sfloat", "rgba17_sfloat", "rgba17_sfloat"),
        ("hdr_opaque: {to: hdr}", "hdr_opaque: {to: hdx}", "`hdr`, which nobody creates"),
    ],
)
def test_a_broken_skeleton_leaves_the_picture(game: EditedGame, skeleton: Path, old: str, new: str, told: str) -> None:
    before = game.frame()
    nodes = game.session.graph.node_names
    assert old in FLAT
    game.edit(skeleton, FLAT.replace(old, new))
    assert game.frames(3) == [before] * 3
    assert told in game.notice
    assert sorted(game.session.graph.node_names) == sorted(nodes)
    game.session.toggle(NAME)
    assert game.frame() != before
    game.session.toggle(NAME)
    game.edit(skeleton, FLAT)
    assert game.frames(2) == [before] * 2
    assert game.notice == ""


def test_another_kind_of_skeleton(game: EditedGame, skeleton: Path) -> None:
    flat = game.frame()
    game.edit(skeleton, FORWARD)
    forward = game.frames(3)[-1]
    assert forward != flat
    assert "forward_opaque" in game.session.graph.node_names
    assert game.notice == ""
    game.edit(skeleton, FLAT)
    assert game.frames(2) == [flat] * 2
    assert "forward_opaque" not in game.session.graph.node_names


def test_a_resize_during_the_trial_stays(backend: VulkanBackend, skeleton: Path) -> None:
    worker = HandDriven()
    game = EditedGame(backend, game_with(skeleton), worker=worker)
    try:
        game.frame()
        game.edit(skeleton, FLAT.replace("hdr_opaque: {to: hdr}", "hdr_opaque: {to: hdx}"))
        game.frame()
        game.target.resize((32, 20))
        game.frame()
        worker.wait()
        shown = game.frames(3)[-1]
        assert game.notice
    finally:
        game.close()
    skeleton.write_text(FLAT, encoding="utf-8")
    other = EditedGame(backend, game_with(skeleton), extent=(32, 20))
    try:
        assert other.frame() == shown
    finally:
        other.close()


def test_a_plugin_that_the_skeleton_had_no_place_for_is_tried_again(backend: VulkanBackend, skeleton: Path) -> None:
    class Pair(Empty):
        plugins = ("split_screen",)
        max_players = 2

        def setup(self, context: GameContext) -> None:
            context.players = 2
            context.scene.cameras = [Camera((0, 0, 3)), Camera((0, 0, 4))]

    single = FLAT.replace("    multiplex: [view, eye, sample, tile]\n", "")
    assert single != FLAT
    skeleton.write_text(single, encoding="utf-8")
    Pair.skeleton = str(skeleton)
    game = EditedGame(backend, Pair)
    try:
        game.frames(3)
        assert game.session.plugins.status("split_screen").state is PluginState.QUARANTINED
        game.edit(skeleton, single.replace("[0, 0, 0, 1]", "[0.2, 0, 0, 1]"))
        game.frames(6)
        assert game.session.plugins.status("split_screen").state is PluginState.QUARANTINED
        assert 'no node multiplexes over the dimension "view"' in game.notice
        assert "it stays out of the frame" in game.notice
        game.edit(skeleton, FLAT)
        game.frames(6)
        assert game.session.plugins.status("split_screen").state is PluginState.ENABLED
        assert game.notice == ""
        assert game.lines[-1] == "reload: split_screen: in the frame again"
    finally:
        game.close()
