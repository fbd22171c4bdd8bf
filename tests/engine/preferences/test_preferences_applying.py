"""Preferences before the command line."""

from __future__ import annotations

from renderwright.engine.options import PluginChoice, SettingChange
from renderwright.engine.preferences import PluginPreference, apply_preferences

PREFERENCES = {
    "fog": PluginPreference(enabled=True, settings={"density": 0.2}),
    "bloom": PluginPreference(enabled=False),
    "taa": PluginPreference(settings={"blend": 0.1}),
}
INSTALLED = ("bloom", "fog", "ssao", "taa")
REMEMBERED = (SettingChange("fog", "density", 0.2), SettingChange("taa", "blend", 0.1))


def test_preferences_switch_plugins_and_set_values_also_of_plugins_that_are_off() -> None:
    applied = apply_preferences(PluginChoice(), PREFERENCES, INSTALLED, {})
    assert applied.choice == PluginChoice(("fog",), ("bloom",), (), REMEMBERED)
    assert applied.summary == "fog on, bloom off, 2 settings"
    assert applied.missing == ()


def test_the_command_line_precedes_preferences() -> None:
    changes = (SettingChange("fog", "density", "0.9"),)
    given = PluginChoice(("bloom", "ssao"), ("fog",), changes)
    assert apply_preferences(given, PREFERENCES, INSTALLED, {}).choice == PluginChoice(
        ("bloom", "ssao"), ("fog",), changes, REMEMBERED
    )


def test_a_plugin_that_is_gone_is_left_out_and_named() -> None:
    applied = apply_preferences(PluginChoice(), PREFERENCES, ("bloom", "taa"), {})
    assert applied.choice == PluginChoice((), ("bloom",), (), REMEMBERED[1:])
    assert (applied.summary, applied.missing) == ("bloom off, 1 setting", ("fog",))


def test_the_environment_precedes_preferences() -> None:
    environment = {"RENDERWRIGHT_BLOCK_PLUGINS": "fog"}
    applied = apply_preferences(PluginChoice(), PREFERENCES, INSTALLED, environment)
    assert (applied.choice.enable, applied.choice.disable) == ((), ("bloom",))
    assert applied.missing == ()


def test_no_preferences_are_no_change() -> None:
    choice = PluginChoice(("fog",))
    applied = apply_preferences(choice, {}, INSTALLED, {})
    assert (applied.choice, applied.summary) == (choice, "")
