"""The panel in frames of a game: what it draws and does, and that nothing of it stays."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from types import SimpleNamespace

import numpy as np
import pytest

from renderwright.engine.panel.node import NODE
from renderwright.render.backend.opengl import OpenGLBackend
from renderwright.render.backend.vulkan.backend import VulkanBackend
from tests.engine.panel.panel_user import EXTENT, LEFT, TABS, TOP, Boxes, Player, listen, touch

pytestmark = pytest.mark.vulkan


@pytest.fixture
def player(backend: VulkanBackend) -> Iterator[Player]:
    player = Player(backend)
    yield player
    player.close()


def test_it_lies_over_the_picture_and_leaves_nothing(player: Player) -> None:
    before, nodes, heap = player.frames(), player.nodes(), player.session.runtime.heap_bytes
    player.panel.switch(EXTENT)
    over = player.frames()
    panel = np.abs(over.astype(int) - before.astype(int)).max(axis=2) > 8
    assert panel[TOP + 4 : 280, LEFT + 4 : 460].mean() > 0.9
    assert not panel[:, : LEFT - 2].any()
    assert player.nodes() - nodes == {NODE}
    player.panel.switch(EXTENT)
    assert np.array_equal(player.frames(), before)
    assert player.nodes() == nodes
    assert player.session.runtime.heap_bytes == heap


def test_messages_from_before_it_was_opened_are_among_the_messages(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    logging.getLogger("renderwright.plugins").warning("a plugin is quarantined")
    player.frames()
    player.panel.switch(EXTENT)
    told = []
    monkeypatch.setattr("renderwright.engine.panel.messages_tab.alarm", told.append)
    player.tab("messages")
    assert set(told) == {"a plugin is quarantined"}


def test_a_click_switches_a_plugin(player: Player) -> None:
    player.panel.switch(EXTENT)
    player.frames()
    assert player.session.plugins.is_enabled("bloom")
    player.click(17, 60)
    assert not player.session.plugins.is_enabled("bloom")
    player.click(17, 60)
    assert player.session.plugins.is_enabled("bloom")


def test_settings_are_changed_and_remembered(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    player.panel.switch(EXTENT)
    before = player.frames()
    player.click(45, 60)  # opens the first plugin
    left = touch(monkeypatch, "slider_float", {"intensity": 0.9})
    player.frames()
    assert not left
    touch(monkeypatch, "small_button", {"remember for this game": None})
    player.frames()
    (status,) = player.remembered
    assert (status.name, status.settings.intensity) == ("bloom", 0.9)  # type: ignore[union-attr]
    player.panel.switch(EXTENT)
    assert not np.array_equal(player.frames(), before)


def test_a_value_that_the_plugin_refuses_is_told_on_the_tab(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    player.panel.switch(EXTENT)
    player.click(45, 60)
    touch(monkeypatch, "slider_float", {"intensity": -3.0})
    told = listen(monkeypatch)
    player.frames()
    assert any("bloom.intensity cannot be -3.0" in text for text in told)


def test_a_plugin_that_failed_is_told_and_retried(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    player.panel.switch(EXTENT)
    player.session.plugins.quarantine("bloom", ValueError("on purpose"))
    player.frames()
    player.click(45, 60)
    told = listen(monkeypatch)
    player.frames()
    assert any("on purpose" in text for text in told)
    touch(monkeypatch, "button", {"retry": None})
    player.frames()
    assert player.session.plugins.is_enabled("bloom")


def test_each_tab_draws_something_of_its_own(player: Player) -> None:
    player.panel.switch(EXTENT)
    player.frames()
    pictures = [player.tab(name) for name in TABS]
    for number, one in enumerate(pictures):
        assert all(not np.array_equal(one, other) for other in pictures[number + 1 :])


def test_the_number_of_players_changes_and_all_are_shown(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    player.panel.switch(EXTENT)
    player.tab("frame")
    for players, shown in ((2, 2), (1, 1)):
        touch(monkeypatch, "slider_int", {"players": players})
        player.frames(4)
        assert player.session.context.players == players
        assert len([node for node in player.nodes() if node.startswith("compose")]) == shown
    player.session.plugins.disable("split_screen")
    touch(monkeypatch, "slider_int", {"players": 2})
    player.frames(4)
    assert len([node for node in player.nodes() if node.startswith("compose")]) == 1, "somebody has switched it off"


def test_players_choose_their_gamepads_and_save_a_replay(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    player.panel.switch(EXTENT)
    without = player.tab("frame")
    player.gamepads.connect(SimpleNamespace(name="Blue pad", guid="blue"))  # type: ignore[arg-type]
    assert not np.array_equal(player.frames(), without)
    offered: list[str] = []

    def second(current: int, names: list[str], *rest: object) -> int:
        offered.extend(names)
        return 1

    touch(monkeypatch, "combo", {"gamepad of player 1": second})
    touch(monkeypatch, "button", {"save a replay": None})
    player.frames(1)
    monkeypatch.undo()
    assert [name.partition("##")[0] for name in offered] == ["Blue pad", "none", "none", "none"]
    assert player.gamepads.names == ("", "Blue pad", "", "")
    assert player.replays == 1


def test_the_panel_says_where_a_replay_is_and_what_is_remembered(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = listen(monkeypatch)
    player.panel.switch(EXTENT)
    player.tab("frame")
    touch(monkeypatch, "button", {"save a replay": None})
    player.frames()
    assert "The replay is in a file." in told
    player.tab("plugins")
    player.click(45, 60)
    touch(monkeypatch, "small_button", {"remember for this game": None})
    player.frames()
    assert "remembered" in told


@pytest.mark.parametrize("skeleton", ["flat", "forward"])
def test_other_skeletons_have_it_as_well(skeleton: str, backend: VulkanBackend) -> None:
    game = type(f"Boxes{skeleton}", (Boxes,), {"skeleton": skeleton})
    player = Player(backend, game=game)
    before = player.frames()
    player.panel.switch(EXTENT)
    assert not np.array_equal(player.frames(), before)
    player.close()


def test_it_looks_alike_on_opengl(player: Player) -> None:
    opengl = OpenGLBackend()
    other = Player(opengl)
    pictures = []
    for each in (player, other):
        each.panel.switch(EXTENT)
        each.frames()
        pictures.append(each.tab("frame")[TOP : TOP + 45, LEFT:460].astype(int))  # without the device's name
    other.close()
    opengl.close()
    assert np.abs(pictures[0] - pictures[1]).max() <= 2


def test_it_stays_when_the_device_is_lost(backend: VulkanBackend) -> None:
    player = Player(backend)
    player.panel.switch(EXTENT)
    before = player.frames()
    another = VulkanBackend(validate=True)
    player.session.abandon()
    player.session.move_to(another)
    player.target = another.create_target(EXTENT)
    after = player.frames(3)
    player.panel.switch(EXTENT)
    player.frames(3)
    player.close()
    another.close()
    assert np.abs(after.astype(int) - before.astype(int)).max() <= 2
    assert another.validation_messages == []


def test_it_stays_within_a_window_that_becomes_smaller(player: Player) -> None:
    player.panel.switch((640, 360))
    player.panel.update((640, 360), 1 / 60)
    assert player.panel.covers(627, 347)
    for small in ((500, 400), (300, 200)):
        for _ in range(2):
            player.panel.update(small, 1 / 60)
        right, bottom = small[0] - 12, min(small[1] - 12, 348)
        assert player.panel.covers(right - 1, bottom - 1), "its grip"
        assert not player.panel.covers(right, bottom - 1)
        assert not player.panel.covers(right - 1, bottom)
    player.panel.update((640, 360), 1 / 60)
    assert player.panel.covers(287, 187), "it keeps its place in a larger one"
    assert not player.panel.covers(288, 187)
