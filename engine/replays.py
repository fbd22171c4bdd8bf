"""The input script of a played game, and what it says beside its input."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from renderwright.engine.clock import HEADLESS_FRAME, FixedStepClock
from renderwright.engine.game import Game
from renderwright.engine.game_class import input_map
from renderwright.engine.input.mapping import InputMap
from renderwright.engine.options import PlayOptions
from renderwright.engine.players import possible_players, with_views_of_all

if TYPE_CHECKING:
    from renderwright.engine.input.replay import ReplaySource


def find_replay(game: type[Game], options: PlayOptions) -> ReplaySource | None:
    """The input script of the options. Raises ``AssetError`` with file, line and column."""
    return None if options.replay is None else replay_of(game, options.replay)


def replay_of(game: type[Game], script: Path | str) -> ReplaySource:
    """An input script for a game: a path, or its text if it has lines. Raises ``AssetError`` with its place in it."""
    from renderwright.engine.input.replay import ReplaySource, load_replay

    if isinstance(script, str) and "\n" in script:
        return replay_in(game, script)
    return ReplaySource(load_replay(script, _names(game), possible_players(game)), game.step)


def replay_in(game: type[Game], text: str, file: str = "<text>") -> ReplaySource:
    """An input script for a game by its text. Raises ``AssetError`` with its place in it, where ``file`` names it."""
    from renderwright.engine.input.replay import ReplaySource, parse_replay

    return ReplaySource(parse_replay(text, file, _names(game), possible_players(game)), game.step)


def _names(game: type[Game]) -> InputMap | None:
    return input_map(game) if game.controls else None


def frames_until_the_end(source: ReplaySource, step_seconds: float) -> int:
    """The frames of 1/60 s, at least one, that play an input script to its end in a game with such steps."""
    return max(1, FixedStepClock(step_seconds, frame=HEADLESS_FRAME).frames_for(source.length))


def as_recorded(options: PlayOptions, source: ReplaySource | None) -> PlayOptions:
    """The options, with the seed and the players of the input script where they say nothing."""
    if source is None:
        return options
    script, plugins = source.replay, options.plugins
    players = options.players or script.players
    recorded = (script.players, *(event.players for event in script.events))
    if options.players is None:
        plugins = with_views_of_all(plugins, max(number or 1 for number in recorded))
    seed = script.seed if options.seed is None else options.seed
    return replace(options, seed=seed, players=players, plugins=plugins)
