"""How many players a game starts with, and how many it may have."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from renderwright.engine.options import PluginChoice
from renderwright.render.errors import SourceLocation, UsageError

if TYPE_CHECKING:
    from renderwright.engine.game import Game

SPLIT_SCREEN = "split_screen"
"""The plugin that shows several players."""


def check_players(game: Game, players: int, where: SourceLocation | None = None) -> None:
    """Raise ``UsageError`` if a game is not for so many players."""
    if players in possible_players(game):
        return
    broken = "min_players" if 0 < players < game.min_players else "max_players"
    raise UsageError(
        f'"{game.title}" does not support {players} player{"" if players == 1 else "s"}',
        hint=f"it is for {players_in_words(game)}: Game.{broken} is {getattr(game, broken)}{_mistyped(game, broken)}",
        where=where,
    )


def _mistyped(game: Game, attribute: str) -> str:
    """What the game has in the place of an attribute, for the end of a hint, '' if nothing."""
    from renderwright.engine.mistyped_parts import in_place_of  # which imports the game, and so this file

    part = in_place_of(type(game), attribute)
    return f"; {part} is no attribute of games: write {attribute}" if part else ""


def possible_players(game: type[Game] | Game) -> range:
    """The numbers of players that a game is for."""
    return range(game.min_players, game.max_players + 1)


def players_in_words(game: type[Game] | Game) -> str:
    """The numbers of players of a game, such as "2 to 4 players" or "one player"."""
    least, most = game.min_players, game.max_players
    if least == most:
        return "one player" if most == 1 else f"{most} players"
    return f"{least} to {most} players"


def with_views_of_all(choice: PluginChoice, players: int) -> PluginChoice:
    """The choice of plugins, with the split screen for several players unless it is disabled."""
    if players == 1 or SPLIT_SCREEN in choice.disable:
        return choice
    return replace(choice, enable=tuple(dict.fromkeys([*choice.enable, SPLIT_SCREEN])))
