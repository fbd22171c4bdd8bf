"""An edit of the file of preferences: plugins are switched and settings changed as it says now."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from renderwright.engine.options import PluginChoice, SettingChange
from renderwright.engine.plugins import PluginHost
from renderwright.engine.preferences import SWITCHED_OFF, load_preferences
from renderwright.engine.preferences.values import PluginPreference

NOTHING = PluginPreference()


@dataclass(frozen=True)
class PreferencesPlace:
    """The ``file`` of preferences, the ``game`` that they are for (``game_identity``), and the ``choice`` of the
    command line, which takes precedence."""

    file: Path
    game: str
    choice: PluginChoice

    def load(self) -> Mapping[str, PluginPreference]:
        """The preferences that hold in the game, by plugin. Raises ``UsageError`` for an invalid file."""
        return load_preferences(self.file).for_game(self.game)


class PreferencesInUse:
    """The preferences that a running game has. ``default`` are the plugins that are on without any."""

    def __init__(self, place: PreferencesPlace, host: PluginHost, default: Collection[str]) -> None:
        self.place = place
        self.host = host
        self.default = default
        self.values = place.load()


class PreferencesEdit:
    """An edit of the preferences ``in_use``."""

    def __init__(self, in_use: PreferencesInUse) -> None:
        self._in_use = in_use
        self._host = in_use.host
        self._choice = in_use.place.choice
        self._before = in_use.values
        self._remembered = in_use.host.remembered
        self._undo: list[Callable[[], object]] = []

    def apply(self, paths: Iterable[Path]) -> bool:
        """Do what the file says and did not say before. Raises ``UsageError`` for an invalid file or value."""
        after = self._in_use.place.load()
        if after == self._before:
            return False
        self._in_use.values = after
        self._host.remembered = tuple(
            SettingChange(name, key, value) for name, each in after.items() for key, value in each.settings.items()
        )
        installed = {status.name for status in self._host.plugins()}
        try:
            for name in sorted((self._before.keys() | after.keys()) & installed):
                old, new = self._before.get(name, NOTHING), after.get(name, NOTHING)
                self._set(name, old.settings, new.settings)
                self._switch(name, old.enabled, new.enabled)
        except BaseException:
            self.take_back()
            raise
        return True

    def _set(self, name: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
        """Change the settings of a plugin that has been imported; another one begins with those remembered."""
        settings = self._host.status(name).settings
        if self._host.loaded(name) is None or settings is None:
            return
        chosen = {change.key for change in self._choice.settings if change.plugin == name}
        defaults = type(settings)().model_dump()
        now = settings.model_dump()
        for key in sorted((old.keys() | new.keys()) - chosen):
            if old.get(key) != new.get(key) and (key in new or key in defaults):
                self._host.set(name, key, new[key] if key in new else defaults[key])
                self._undo.append(partial(self._host.set, name, key, now[key]))

    def _switch(self, name: str, old: bool | None, new: bool | None) -> None:
        if old == new or name in self._choice.enable or name in self._choice.disable:
            return
        on, wanted = self._host.is_enabled(name), name in self._in_use.default if new is None else new
        if wanted and not on:
            self._undo.append(partial(self._host.disable, name, SWITCHED_OFF))
            self._host.enable(name)
        elif on and not wanted:
            self._host.disable(name, SWITCHED_OFF)
            self._undo.append(partial(self._host.enable, name))

    def take_back(self) -> None:
        """Undo what has been done, last things first."""
        self._in_use.values, self._host.remembered = self._before, self._remembered
        for undo in reversed(self._undo):
            undo()
        self._undo.clear()

    def keep(self) -> tuple[str, ...]:
        """Say nothing."""
        return ()
