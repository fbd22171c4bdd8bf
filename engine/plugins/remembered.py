"""Remembered values of settings, which may be older than the plugin."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import BaseModel

from renderwright.engine.options import SettingChange
from renderwright.engine.plugins.settings import changed_settings
from renderwright.render.errors import UsageError


def with_remembered(
    plugin: str, settings: BaseModel | None, remembered: Iterable[SettingChange]
) -> tuple[BaseModel | None, tuple[UsageError, ...]]:
    """A plugin's settings with the remembered values, and an error for each value that is no longer valid."""
    errors: list[UsageError] = []
    for change in remembered:
        if change.plugin != plugin:
            continue
        try:
            settings = changed_settings(plugin, settings, change.key, change.value)
        except UsageError as error:
            errors.append(error)
    return settings, tuple(errors)
