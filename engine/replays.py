"""The input script of a played game, and what it says beside its input."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from renderwright.engine.game import Game
from renderwright.engine.game_class import input_map
from renderwright.engine.input.mapping import InputMap
from renderwright.engine.options import PlayOptions

if TYPE_CHECKING:
    from renderwright.engine.input.replay import ReplaySource

SPLIT_SCREEN = "split_screen"
"""The plugin that shows several players."""


def find_replay(game: type[Game], options: PlayOptions) -> ReplaySource | None:
    """The input script of the options. Raises ``AssetError`` with file, line and column."""
    return None if options.replay is None else replay_of(game, options.replay)


def replay_of(game: type[Game], script: Path | str) -> ReplaySource:
    """An input script for a game: a path, or its text if it has lines. Raises ``AssetError`` with its place in it."""
    from renderwright.engine.input.replay import ReplaySource, load_replay

    if isinstance(script, str) and "\n" in script:
        return replay_in(game, script)
    return ReplaySource(load_replay(script, _names(game), game.max_players), game.step)


def replay_in(game: type[Game], text: str, file: str = "<text>") -> ReplaySource:
    """An input script for a game by its text. Raises ``AssetError`` with its place in it, where ``file`` names it."""
    from renderwright.engine.input.replay import ReplaySource, parse_replay

    return ReplaySource(parse_replay(text, file, _names(game), game.max_players), game.step)


def _names(game: type[Game]) -> InputMap | None:
    return input_map(game) if game.controls else None


def as_recorded(options: PlayOptions, source: ReplaySource | None) -> PlayOptions:
    """The options, with the seed and the players of the input script where they say nothing."""
    if source is None:
        return options
    script, plugins = source.replay, options.plugins
    players = options.players or script.players
    recorded = (script.players, *(event.players for event in script.events))
    several = options.players is None and any(number is not None and number > 1 for number in recorded)
    if several and SPLIT_SCREEN not in plugins.disable:
        plugins = replace(plugins, enable=tuple(dict.fromkeys([*plugins.enable, SPLIT_SCREEN])))
    seed = script.seed if options.seed is None else options.seed
    return replace(options, seed=seed, players=players, plugins=plugins)
