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


def report_left_out(plugin: str, invalid: Iterable[tuple[SettingChange, UsageError]], *, strict: bool) -> None:
    """Warn of the values of a plugin that it does not take.

    One that the game has set raises ``UsageError`` if ``strict``; remembered ones may be older than the plugin.
    """
    for change, problem in invalid:
        if change.set_at is None:
            _log.warning(
                "a remembered setting is left out: %.500s\n  renderwright plugins reset %s forgets it",
                problem.message,
                plugin,
            )
        elif strict:
            raise UsageError(problem.message, hint=problem.hint, where=change.set_at)
        else:
            hint = problem.hint.replace("\n", "\n  ")
            _log.warning("%s: a setting of the game is left out: %.500s\n  %s", change.set_at, problem.message, hint)
