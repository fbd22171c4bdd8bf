"""Skeletons of installed games that bring plugins of their own, and the plugins that games bring."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from renderwright.engine.entry_points import GAMES
from renderwright.engine.game_class import skeleton_file
from renderwright.engine.games import find_game
from renderwright.engine.plugins.discovery import FoundPlugin, find_plugins


@dataclass(frozen=True)
class OwnSkeleton:
    """A game's skeleton, the plugins in the package of the game, and those that the game plays with."""

    path: str
    plugins: tuple[str, ...]
    beside: tuple[str, ...]


def own_skeletons(plugins: Collection[str]) -> tuple[OwnSkeleton, ...]:
    """The skeletons on which these plugins are played besides the shipped ones: those of the games that bring them.

    Only such games are imported.
    """
    played = [plugin for plugin in find_plugins() if plugin.name in plugins]
    found = []
    for point in sorted(importlib.metadata.entry_points(group=GAMES), key=lambda point: point.name):
        inside = _inside(point.module, played)
        if inside:
            game = find_game(point.name)
            path = str(skeleton_file(game))
            found.append(OwnSkeleton(path, inside, tuple(game.plugins)))
    return tuple(found)


def plugins_of_game(module: str) -> tuple[str, ...]:
    """The plugins in the package of a game, which is the module of its class."""
    return _inside(module, find_plugins())


def _inside(module: str, plugins: Iterable[FoundPlugin]) -> tuple[str, ...]:
    return tuple([plugin.name for plugin in plugins if plugin.module.startswith(f"{module}.")])
