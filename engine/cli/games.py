"""``renderwright games``: the installed games."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from renderwright.engine.game import Game


@click.command(short_help="List the installed games.")
def games() -> None:
    """List the games that `renderwright play NAME` plays, each with its skeleton, its players and its plugins.

    Each is imported; one that cannot be is listed with the reason.
    """
    from renderwright.engine.games import find_game, game_names
    from renderwright.render.errors import RenderwrightError

    for name in game_names():
        try:
            print(_as_text(name, find_game(name)))
        except RenderwrightError as error:
            first, *rest = str(error).split("\n")
            print("\n".join([f"{name}, broken: {first}", *rest]))
    if not game_names():
        print("No games are installed; renderwright new game NAME writes one.")


def _as_text(name: str, game: type[Game]) -> str:
    from renderwright.engine.players import players_in_words

    players = "1 player" if game.max_players == 1 else players_in_words(game)
    plugins = f"with {', '.join(game.plugins)}" if game.plugins else "without plugins"
    summary = (game.__doc__ or game.title).strip().split("\n")[0]
    return f"{name}: {summary}\n  {players}, {game.skeleton}, {plugins}"
