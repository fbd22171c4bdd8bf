"""Preferences as values: which one holds in a game, and edits."""

from __future__ import annotations

from renderwright.engine.preferences import PluginPreference, Preferences

ON, OFF = PluginPreference(enabled=True), PluginPreference(enabled=False)


def _dense(density: float, **more: object) -> PluginPreference:
    return PluginPreference(settings={"density": density, **more})


def test_a_games_own_preference_precedes_that_for_all_games_key_by_key() -> None:
    preferences = Preferences(
        version=1,
        all_games={"fog": PluginPreference(enabled=True, settings={"density": 0.1, "steps": 4}), "bloom": OFF},
        games={"marbles": {"fog": _dense(0.7)}, "duel": {"fog": OFF}},
    )
    assert preferences.for_game("marbles") == {
        "fog": PluginPreference(enabled=True, settings={"density": 0.7, "steps": 4}),
        "bloom": OFF,
    }
    assert preferences.for_game("duel")["fog"].enabled is False
    assert preferences.for_game("other") == preferences.all_games


def test_a_change_keeps_the_rest() -> None:
    preferences = Preferences(version=1).with_plugin(None, "fog", ON).with_plugin(None, "fog", _dense(0.2))
    preferences = preferences.with_plugin(None, "fog", _dense(0.3, steps=2)).with_plugin("marbles", "bloom", OFF)
    assert preferences.all_games == {"fog": PluginPreference(enabled=True, settings={"density": 0.3, "steps": 2})}
    assert preferences.games == {"marbles": {"bloom": OFF}}
    assert preferences.with_plugin(None, "fog", OFF).all_games["fog"].settings == {"density": 0.3, "steps": 2}


def test_preferences_are_forgotten_by_plugin_and_by_game() -> None:
    preferences = Preferences(
        version=1, all_games={"fog": ON, "bloom": OFF}, games={"marbles": {"fog": OFF}, "duel": {"fog": OFF, "taa": ON}}
    )
    assert preferences.without("marbles", "fog").games == {"duel": {"fog": OFF, "taa": ON}}
    assert preferences.without("duel", None).games == {"marbles": {"fog": OFF}}
    without_fog = preferences.without(None, "fog")
    assert (without_fog.all_games, without_fog.games) == ({"bloom": OFF}, {"duel": {"taa": ON}})
    assert preferences.without(None, None) == Preferences(version=1)
