"""The installed plugins with a user's preferences, each tried in the frame of a game."""

from __future__ import annotations

import logging
import os
from dataclasses import replace

from renderwright.engine.cli.plugin_preferences import applied_preferences, preferences_or_none
from renderwright.engine.games import find_game, game_identity, game_of_module
from renderwright.engine.options import PluginChoice
from renderwright.engine.plugin_trial import Trial, try_plugin
from renderwright.engine.plugins import PluginHost, PluginState
from renderwright.engine.plugins.discovery import report_misspelt
from renderwright.engine.preferences import SWITCHED_OFF
from renderwright.render.errors import RenderwrightError
from renderwright.render.graph.frame_graph import FrameGraph


class TriedPlugins:
    """Tries plugins in the frame of a game, by its name, with the user's preferences for it."""

    def __init__(self, game: str) -> None:
        self.game = game
        self._defaults = find_game(game).plugins
        remembered, identity = preferences_or_none(), game_identity(game)
        preferences = remembered.for_game(identity)
        self._of_game = remembered.games.get(identity, {})
        self._choice = applied_preferences(PluginChoice(), preferences).choice
        self._host = PluginHost(FrameGraph(), remembered=self._choice.remembered)
        report_misspelt(self.names, os.environ)
        on = dict.fromkeys((*self._defaults, *self._choice.enable))
        self._of_frame = [one for one in on if one in self.names and not self.is_switched_off(one)]
        # The host has reported two plugins of one name; the frame of each trial would do so again.
        self._found = [replace(plugin, others=()) for plugin in map(self._host.found, self.names)]

    @property
    def names(self) -> tuple[str, ...]:
        """The installed plugins, sorted by name."""
        return tuple(status.name for status in self._host.plugins())

    def is_switched_off(self, name: str) -> bool:
        """Whether the preferences disable a plugin."""
        return name in self._choice.disable

    def enabling(self, name: str) -> str:
        """The command that switches on a plugin that is switched off."""
        own = name in self._of_game and self._of_game[name].enabled is False
        return f"renderwright plugins enable {name}" + (f" --game {self.game}" if own else "")

    def unimported(self, name: str) -> Trial:
        """A plugin that is switched off, without an import."""
        return self._switched_off(Trial(self._host.status(name)))

    def tried(self, name: str) -> Trial:
        """Import a plugin and try it. The state in ``Trial.status`` is the one that the game starts with, the reason
        is why the plugin is off or adds nothing to the frame. Raises ``UsageError`` if no plugin has that name.
        """
        for other in self._of_frame:
            self._host.load(other, logging.INFO)  # the trial tells what is wrong with it
        status = self._host.load(name, logging.INFO)  # the command prints the reason itself
        if status.reason:
            trial = Trial(status, status.reason)
        else:
            # The host has reported the remembered values that are no longer valid.
            left_out = self._host.left_out
            valid = tuple([change for change in self._choice.remembered if change not in left_out])
            choice = replace(self._choice, remembered=valid)
            trial = try_plugin(self.game, name, choice, self._found)
            on = not trial.fault and name in (*self._defaults, *self._choice.enable)
            state = PluginState.ENABLED if on else PluginState.AVAILABLE
            status = replace(status, state=state, reason=trial.fault, traceback=trial.status.traceback)
            trial = replace(trial, status=status)
        return self._switched_off(trial) if self.is_switched_off(name) else trial

    def own_game(self, trial: Trial) -> str:
        """The game that brings a plugin for its own frame, '' for a plugin that could be in the frame that it was tried
        in, and for one that cannot be in its game's either."""
        name = trial.status.name
        game = game_of_module(self._host.found(name).module)
        if not trial.fault or trial.status.failed or game in ("", game_identity(self.game)):
            return ""
        try:
            return "" if try_plugin(game, name, found=self._found).fault else game
        except RenderwrightError:
            return ""

    def _switched_off(self, trial: Trial) -> Trial:
        reason = trial.status.reason or SWITCHED_OFF
        return replace(trial, status=replace(trial.status, state=PluginState.DISABLED, reason=reason))
