"""Preferences as a change of a game's choice of plugins."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from renderwright.engine.options import PluginChoice, SettingChange
from renderwright.engine.plugins.discovery import refusal
from renderwright.engine.preferences.values import PluginPreference

SWITCHED_OFF = "switched off in the preferences"
"""The reason of a plugin that preferences disable."""


@dataclass(frozen=True)
class Applied:
    """A choice of plugins with preferences, and a summary of these preferences, '' if there are none.

    ``missing`` are the plugins of preferences that are not installed.
    """

    choice: PluginChoice
    summary: str = ""
    missing: tuple[str, ...] = ()


def apply_preferences(
    choice: PluginChoice,
    preferences: Mapping[str, PluginPreference],
    installed: Collection[str],
    environment: Mapping[str, str],
) -> Applied:
    """Apply a game's preferences, by plugin, before a ``choice`` of the command line, which takes precedence.

    Plugins that are not ``installed``, or that the environment refuses, are left out.
    """
    known = {name: each for name, each in preferences.items() if name in installed and not refusal(name, environment)}
    enabled = tuple(name for name, each in known.items() if each.enabled and name not in choice.disable)
    disabled = tuple(name for name, each in known.items() if each.enabled is False and name not in choice.enable)
    remembered = tuple(
        SettingChange(name, key, value) for name, each in known.items() for key, value in each.settings.items()
    )
    words = [*(f"{name} on" for name in enabled), *(f"{name} off" for name in disabled)]
    if remembered:
        words.append("1 setting" if len(remembered) == 1 else f"{len(remembered)} settings")
    applied = replace(
        choice,
        enable=tuple(dict.fromkeys([*enabled, *choice.enable])),
        disable=tuple(dict.fromkeys([*disabled, *choice.disable])),
        remembered=(*remembered, *choice.remembered),
    )
    return Applied(applied, ", ".join(words), tuple(name for name in preferences if name not in installed))
