"""What is compiled ahead by the names that a user gives: plugins and games, with the folders of their GLSL."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from renderwright.engine.entry_points import GAMES
from renderwright.engine.games import find_game, game_names
from renderwright.engine.plugins.discovery import FoundPlugin
from renderwright.engine.plugins.loading import PluginLoader
from renderwright.engine.precompile.game_surfaces import GameSurfaces, game_surfaces
from renderwright.engine.precompile.own_skeletons import plugins_of_game
from renderwright.render.errors import UsageError
from renderwright.render.files import package_data_advice
from renderwright.render.suggest import did_you_mean


@dataclass(frozen=True)
class Named:
    """The plugins, the games with surface functions, and the folders of GLSL, each once."""

    plugins: tuple[str, ...]
    games: tuple[GameSurfaces, ...]
    folders: tuple[Path, ...]


def named_of(names: Sequence[str], installed: Mapping[str, FoundPlugin]) -> Named:
    """What the names stand for. A game brings the plugins of its package.

    Raises ``UsageError`` for an unknown name and for a plugin or game without shaders; propagates what a game raises.
    """
    found = [_game(name, installed) if _is_game(name) else _plugin(name, installed) for name in names]
    return Named(
        tuple(dict.fromkeys(plugin for one in found for plugin in one.plugins)),
        tuple([game for one in found for game in one.games]),
        tuple(dict.fromkeys(folder for one in found for folder in one.folders)),
    )


def _is_game(name: str) -> bool:
    return name in game_names() or ":" in name or name.endswith(".py")


def _plugin(name: str, installed: Mapping[str, FoundPlugin]) -> Named:
    if name not in installed:
        known = (*installed, *game_names())
        raise UsageError(f'unknown plugin or game "{name}"', hint=did_you_mean(name, known))
    folder = _shader_folder(installed[name])
    if not folder.is_dir():
        raise UsageError(
            f'plugin "{name}" has no shaders of its own, so there is nothing to compile',
            hint=f"they would be in {folder}{package_data_advice(folder)}",
        )
    return Named((name,), (), (folder,))


def _game(name: str, installed: Mapping[str, FoundPlugin]) -> Named:
    game = find_game(name)
    points = importlib.metadata.entry_points(group=GAMES)
    module = next((point.module for point in points if point.name == name), game.__module__)
    brought = [*plugins_of_game(module), *([name] if name in installed else [])]
    folders = {plugin: _shader_folder(installed[plugin]) for plugin in brought}
    plugins = tuple([plugin for plugin, folder in folders.items() if folder.is_dir()])
    found = game_surfaces(game, module)
    if not plugins and not found.surfaces:
        raise UsageError(
            f'game "{name}" has no shaders of its own, so there is nothing to compile',
            hint="they would be functions of its materials (SurfaceShader), or in plugins of its package",
        )
    games = (found,) if found.surfaces else ()
    return Named(plugins, games, (*[folders[plugin] for plugin in plugins], *found.folders))


def _shader_folder(plugin: FoundPlugin) -> Path:
    return PluginLoader().load(plugin).shader_path
