"""Remembered values of settings, which may be older than the plugin."""

from __future__ import annotations

import logging
from collections.abc import Iterable

from pydantic import BaseModel

from renderwright.engine.options import SettingChange
from renderwright.engine.plugins.settings import changed_settings
from renderwright.render.errors import UsageError

_log = logging.getLogger("renderwright.plugins")


def with_remembered(
    plugin: str, settings: BaseModel | None, remembered: Iterable[SettingChange]
) -> tuple[BaseModel | None, tuple[tuple[SettingChange, UsageError], ...]]:
    """A plugin's settings with the remembered values, and those that are no longer valid with their errors."""
    errors: list[tuple[SettingChange, UsageError]] = []
    for change in remembered:
        if change.plugin != plugin:
            continue
        try:
            settings = changed_settings(plugin, settings, change.key, change.value)
        except UsageError as error:
            errors.append((change, error))
    return settings, tuple(errors)


def report_left_out(plugin: str, problems: Iterable[UsageError]) -> None:
    """Warn of the remembered values of a plugin that are no longer valid."""
    for problem in problems:
        _log.warning(
            "a remembered setting is left out: %.500s\n  renderwright plugins reset %s forgets it",
            problem.message,
            plugin,
        )
