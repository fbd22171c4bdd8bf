"""Preferences as values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, StrictBool, StringConstraints

Name = Annotated[str, StringConstraints(max_length=4096, pattern=r"^[^\x00-\x1f\x7f-\x9f]+$")]
"""A name that a message can show: not empty, without control characters."""


class PluginPreference(BaseModel):
    """A user's preference for one plugin: on, off, or None for the game's own choice, and values of settings by key."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    enabled: StrictBool | None = None
    settings: dict[Name, Any] = {}

    def over(self, other: PluginPreference) -> PluginPreference:
        """This preference where it says something, else ``other``."""
        enabled = other.enabled if self.enabled is None else self.enabled
        return PluginPreference(enabled=enabled, settings={**other.settings, **self.settings})


PluginPreferences = dict[Name, PluginPreference]
"""Preferences by plugin."""


class Preferences(BaseModel):
    """All preferences of a user. Those for one game, by ``game_identity``, take precedence over ``all_games``.

    A game of None is all games, here and in the methods.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: Literal[1]
    all_games: PluginPreferences = {}
    games: dict[Name, PluginPreferences] = {}

    def for_game(self, game: str) -> Mapping[str, PluginPreference]:
        """The preferences that hold in a game, by plugin."""
        merged = dict(self.all_games)
        for plugin, preference in self.games.get(game, {}).items():
            merged[plugin] = preference.over(merged.get(plugin, PluginPreference()))
        return merged

    def with_plugin(self, game: str | None, plugin: str, change: PluginPreference) -> Preferences:
        """These preferences with a change for one plugin; what the change leaves open stays."""
        own = self._own(game)
        return self._with_own(game, {**own, plugin: change.over(own.get(plugin, PluginPreference()))})

    def without(self, game: str | None, plugin: str | None) -> Preferences:
        """These preferences without those for a plugin (None: all plugins), in one game or everywhere."""
        if game is None:
            everywhere = self._with_own(None, _without(self.all_games, plugin))
            for name, own in self.games.items():
                everywhere = everywhere._with_own(name, _without(own, plugin))
            return everywhere
        return self._with_own(game, _without(self._own(game), plugin))

    def _own(self, game: str | None) -> PluginPreferences:
        return self.all_games if game is None else self.games.get(game, {})

    def _with_own(self, game: str | None, own: PluginPreferences) -> Preferences:
        if game is None:
            return Preferences(version=1, all_games=own, games=self.games)
        games = {name: preferences for name, preferences in {**self.games, game: own}.items() if preferences}
        return Preferences(version=1, all_games=self.all_games, games=games)


def _without(preferences: PluginPreferences, plugin: str | None) -> PluginPreferences:
    return {name: preference for name, preference in preferences.items() if plugin is not None and name != plugin}
