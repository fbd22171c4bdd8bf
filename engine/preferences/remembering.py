"""Remembering how a plugin is in a running game."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel
from pydantic_core import to_jsonable_python

from renderwright.engine.plugins.settings import changed_from_defaults
from renderwright.engine.plugins.status import PluginState, PluginStatus
from renderwright.engine.preferences.file import load_preferences, preferences_file, save_preferences
from renderwright.engine.preferences.values import PluginPreference


def remember_plugin(game: str, status: PluginStatus) -> str:
    """Have a game, by its identity, begin with a plugin as it is now: on or off, and with its settings.

    Returns what was done, in words. Raises ``UsageError`` if the file of preferences cannot be used.
    """
    file = preferences_file()
    preference = PluginPreference(enabled=status.state is PluginState.ENABLED, settings=_changed(status.settings))
    before = load_preferences(file)
    save_preferences(file, before.without(game, status.name).with_plugin(game, status.name, preference))
    count = len(preference.settings)
    settings = f" with {count} setting{'s' if count > 1 else ''}" if count else ""
    return f"{game} begins with {status.name} {'on' if preference.enabled else 'off'}{settings}: {file}"


def _changed(settings: BaseModel | None) -> dict[str, Any]:
    """The settings that differ from their defaults, in plain types."""
    if settings is None:
        return {}
    plain = to_jsonable_python(
        settings.model_dump(include=set(changed_from_defaults(settings))), inf_nan_mode="constants"
    )
    assert isinstance(plain, dict)
    return plain
