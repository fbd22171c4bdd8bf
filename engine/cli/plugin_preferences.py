"""``renderwright plugins enable``, ``disable``, ``set`` and ``reset``: preferences, remembered for each user."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any

import click

from renderwright.engine.cli import parameters

if TYPE_CHECKING:
    from renderwright.engine.options import PluginChoice, SettingChange
    from renderwright.engine.preferences import Applied, PluginPreference, Preferences

_game_option = click.option("--game", metavar="GAME", help="For this game only; it precedes the choice for all games.")


@click.command()
@click.argument("name")
@_game_option
def enable(name: str, game: str | None) -> None:
    """Switch the plugin NAME on from the next game on."""
    _switch(name, game, True)


@click.command()
@click.argument("name")
@_game_option
def disable(name: str, game: str | None) -> None:
    """Switch the plugin NAME off from the next game on. A plugin that is off is not imported."""
    _switch(name, game, False)


@click.command("set")
@click.argument("changes", type=parameters.setting, nargs=-1, required=True, metavar="NAME.KEY=VALUE...")
@_game_option
def set_values(changes: tuple[SettingChange, ...], game: str | None) -> None:
    """Set the setting KEY of the plugin NAME from the next game on. Of several, none is set if one is wrong."""
    from renderwright.engine.preferences import PluginPreference

    values = [_checked_value(change) for change in changes]

    def with_all(own: Preferences, identity: str | None) -> Preferences:
        for change, value in zip(changes, values, strict=True):
            own = own.with_plugin(identity, change.plugin, PluginPreference(settings={change.key: value}))
        return own

    _change(game, with_all)
    for change, value in zip(changes, values, strict=True):
        print(f"{change.plugin}.{change.key} is {value} in {game or 'all games'}.")


@click.command()
@click.argument("name", required=False)
@_game_option
def reset(name: str | None, game: str | None) -> None:
    """Forget the preferences for the plugin NAME, or for all plugins."""
    from renderwright.engine.preferences import Preferences, preferences_file, save_preferences

    if name is None and game is None:
        # A file that cannot be read is replaced as well.
        save_preferences(preferences_file(), Preferences(version=1))
    else:
        if name is not None:
            _require_known(name)
        _change(game, lambda own, identity: own.without(identity, name))
    where = f" in {game}" if game else ", those for all games and those of each game,"
    print(f"The preferences for {name or 'all plugins'}{where} are forgotten.")


def preferences_or_none() -> Preferences:
    """The user's preferences; none, with a warning, if the file cannot be used."""
    import logging

    from renderwright.engine.preferences import Preferences, load_preferences, preferences_file
    from renderwright.render.errors import UsageError

    try:
        return load_preferences(preferences_file())
    except UsageError as error:
        logging.getLogger("renderwright.preferences").warning("the preferences are left out: %s", error)
        return Preferences(version=1)


def with_preferences(choice: PluginChoice, game: str) -> PluginChoice:
    """A choice of plugins with the user's preferences for a game, which are said in one line."""
    from renderwright.engine.games import game_identity
    from renderwright.engine.messages import say
    from renderwright.engine.preferences import preferences_file
    from renderwright.render.errors import UsageError

    try:
        identity = game_identity(game)
    except UsageError:
        return choice  # the game is looked for again, and reported then
    preferences = preferences_or_none().for_game(identity)
    if not preferences:
        return choice
    applied = applied_preferences(choice, preferences)
    if applied.summary:
        say(f"Preferences: {applied.summary} ({preferences_file()}; --no-preferences plays without them).")
    if applied.missing:
        names = ", ".join(applied.missing)
        say(f"Preferences for plugins that are not installed are left out: {names}")
    return applied.choice


def applied_preferences(choice: PluginChoice, preferences: Mapping[str, PluginPreference]) -> Applied:
    """A choice with a game's preferences for the installed plugins."""
    import os

    from renderwright.engine.plugins import find_plugins
    from renderwright.engine.preferences import apply_preferences

    return apply_preferences(choice, preferences, {plugin.name for plugin in find_plugins()}, os.environ)


def _switch(name: str, game: str | None, on: bool) -> None:
    from renderwright.engine.preferences import PluginPreference

    _require_installed(name, lambda near: f"{'enable' if on else 'disable'} {near}")
    changed = _change(game, lambda own, identity: own.with_plugin(identity, name, PluginPreference(enabled=on)))
    print(f"{name} is {'on' if on else 'off'} in {game or 'all games'}.")
    if game is None:
        others = [each for each in changed.games if changed.for_game(each).get(name, PluginPreference()).enabled != on]
        for other in others:
            print(f"  It stays {'off' if on else 'on'} in {other}; renderwright plugins reset {name} --game {other}")


def _change(game: str | None, edit: Callable[[Preferences, str | None], Preferences]) -> Preferences:
    from renderwright.engine.games import game_identity
    from renderwright.engine.preferences import load_preferences, preferences_file, save_preferences

    identity = None if game is None else game_identity(game)
    file = preferences_file()
    changed = edit(load_preferences(file), identity)
    save_preferences(file, changed)
    return changed


def _require_installed(name: str, command: Callable[[str], str], others: Collection[str] = ()) -> None:
    """Raise ``UsageError`` unless a plugin is installed or one of the ``others``.

    ``command`` is what to type for another name.
    """
    from renderwright.engine.plugins import find_plugins
    from renderwright.engine.plugins.unknown import unknown_plugin
    from renderwright.render.suggest import nearest

    names = {*others, *(plugin.name for plugin in find_plugins())}
    if name not in names:
        near = nearest(name.partition(".")[0], names)
        typed = f"\nrenderwright plugins {command(near)}" if near else ""
        error = unknown_plugin(name, names)
        error.hint += typed
        raise error


def _require_known(name: str) -> None:
    """Raise ``UsageError`` unless a plugin is installed or there are preferences for it."""
    from renderwright.engine.preferences import load_preferences, preferences_file

    preferences = load_preferences(preferences_file())
    remembered = {plugin for own in (preferences.all_games, *preferences.games.values()) for plugin in own}
    _require_installed(name, lambda near: f"reset {near}", remembered)


def _checked_value(change: SettingChange) -> Any:
    """The value as the plugin's settings model has it, in plain types. Imports the plugin."""
    from pydantic_core import to_jsonable_python

    from renderwright.engine.plugins import PluginHost
    from renderwright.render.errors import UsageError
    from renderwright.render.graph.frame_graph import FrameGraph
    from renderwright.render.suggest import nearest

    _require_installed(change.plugin, lambda near: f"set {near}.{change.key}={change.value}")
    host = PluginHost(FrameGraph())
    known = host.load(change.plugin).settings
    try:
        settings = host.set(change.plugin, change.key, change.value).settings
    except UsageError as error:
        near = nearest(change.key, type(known).model_fields) if known is not None else ""
        if near and near != change.key:
            error.hint += f"\nrenderwright plugins set {change.plugin}.{near}={change.value}"
        raise
    assert settings is not None
    return to_jsonable_python(settings.model_dump()[change.key], inf_nan_mode="constants")
