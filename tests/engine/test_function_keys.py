"""Function keys switch plugins while a game runs, by a table that belongs to the game."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, ClassVar, cast

import pytest

from renderwright.engine import Game, GameContext
from renderwright.engine.plugin_keys import PLUGIN_KEYS, default_keys, keys_in_words, switch_plugins
from renderwright.engine.plugins import PluginHost, PluginState, PluginStatus
from renderwright.engine.session import Session
from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.errors import UsageError
from renderwright.render.graph.frame_graph import FrameGraph


class Switched:
    """A session with two plugins; ``fog`` may not be switched on."""

    def __init__(self) -> None:
        self.on = {"bloom": True, "fog": False}
        self.plugins = SimpleNamespace(status=lambda name: PluginStatus(name, PluginState.AVAILABLE))
        self.context = SimpleNamespace(plugin_keys={"f1": "bloom", "f2": "fog"})

    def toggle(self, name: str) -> bool:
        if name == "fog":
            raise UsageError('plugin "fog" is blocked', hint="unblock it")
        self.on[name] = not self.on[name]
        return self.on[name]


def test_each_press_switches_once_and_a_refusal_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    session = Switched()
    keys = ["f1", "f1", "f2", "f3", "f1"]
    switch_plugins(cast(Session, cast(Any, session)), keys)
    assert capsys.readouterr().err.splitlines() == [
        "bloom is off",
        "bloom is on",
        'fog stays off: plugin "fog" is blocked',
        "bloom is off",
    ]
    assert not session.on["bloom"]


class Tuned(Game):
    plugins = ("tonemap", "bloom")


def installed(*others: str) -> list[PluginStatus]:
    own = [PluginStatus(name, PluginState.AVAILABLE, "", "renderwright") for name in ("bloom", "fog", "tonemap", "vr")]
    return own + [PluginStatus(name, PluginState.AVAILABLE, "", "elsewhere") for name in others]


def test_the_plugins_of_the_game_come_first_in_its_order() -> None:
    assert default_keys(Tuned, installed()) == {"f1": "tonemap", "f2": "bloom", "f3": "fog", "f4": "vr"}


def test_the_users_plugins_come_before_the_shipped_ones_and_move_no_key_of_the_games() -> None:
    keys = default_keys(Tuned, installed("waves", "aurora"))
    assert keys == {"f1": "tonemap", "f2": "bloom", "f3": "aurora", "f4": "waves", "f5": "fog", "f6": "vr"}


def test_a_plugin_of_the_user_has_a_key_beside_all_shipped_ones() -> None:
    shipped = PluginHost(FrameGraph()).plugins()
    assert {status.distribution for status in shipped} == {"renderwright"}
    own = PluginStatus("zebra", PluginState.AVAILABLE, "", "my-plugins")
    assert default_keys(Tuned, [*shipped, own])["f3"] == "zebra"


def test_the_order_of_the_list_is_that_of_the_names() -> None:
    statuses = installed("waves", "aurora")
    assert default_keys(Tuned, reversed(statuses)) == default_keys(Tuned, statuses)


def test_the_thirteenth_plugin_has_a_key() -> None:
    keys = default_keys(Tuned, installed(*(f"p{number:02}" for number in range(9))))
    assert list(keys)[12] == "shift+f1"
    assert len(default_keys(Tuned, installed(*(f"p{number:02}" for number in range(99))))) == len(PLUGIN_KEYS)
    assert "Shift+F1 vr" in keys_in_words(keys, installed(*(f"p{number:02}" for number in range(9))))


def test_plugins_beyond_the_last_key_are_counted() -> None:
    few, many = (installed(*(f"p{number:02}" for number in range(count))) for count in (9, 40))
    assert "no key" not in keys_in_words(default_keys(Tuned, few), few)
    table = default_keys(Tuned, many)
    without = len(many) - len(table)
    assert without > 1
    assert keys_in_words(table, many).endswith(f". {without} more have no key: the panel switches all.")


def test_a_plugin_that_is_on_has_a_key_and_moves_none() -> None:
    others = [f"p{number:02}" for number in range(30)]
    statuses = {status.name: status for status in installed(*others)}
    before = default_keys(Tuned, statuses.values())
    for name in ("vr", "p25"):
        statuses[name] = replace(statuses[name], state=PluginState.ENABLED)
    after = default_keys(Tuned, statuses.values())
    assert {"vr", "p25"} <= set(after.values())
    assert {key for key in before if before[key] != after[key]} == {"shift+f11", "shift+f12"}


def test_keys_of_the_games_controls_are_left_to_it() -> None:
    class Helped(Tuned):
        controls: ClassVar[Any] = {"actions": {"help": ["f1"]}}

    keys = default_keys(Helped, installed())
    assert keys["f2"] == "tonemap"
    assert not {"f1", "shift+f1"} & set(keys)


def test_the_game_changes_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    class Own(Game):
        plugins = ()

        def setup(self, context: GameContext) -> None:
            context.plugin_keys.clear()
            context.plugin_keys["f9"] = "fog"

    session = Session(Own, NullBackend(), (64, 64))
    switch_plugins(session, ["f1", "f9"])
    assert capsys.readouterr().err.splitlines() == ["fog is on"]
    assert (
        keys_in_words(session.context.plugin_keys, session.plugins.plugins())
        == "Plugins are switched on and off with F9 fog."
    )
    session.close()


@pytest.mark.parametrize(
    ("key", "name", "message"),
    [("f13", "fog", '"f13" cannot switch a plugin'), ("f1", "fgo", 'f1 is for the unknown plugin "fgo"')],
)
def test_a_wrong_entry_is_refused_and_closes_the_game(key: str, name: str, message: str) -> None:
    closed = []

    class Wrong(Game):
        plugins = ()

        def setup(self, context: GameContext) -> None:
            context.plugin_keys[key] = name

        def close(self) -> None:
            closed.append(True)

    with pytest.raises(UsageError, match=message):
        Session(Wrong, NullBackend(), (64, 64))
    assert closed == [True]
