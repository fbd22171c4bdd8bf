"""Function keys that switch plugins while a game runs. The table belongs to the game: ``GameContext.plugin_keys``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from renderwright.engine.game_class import input_map
from renderwright.engine.input.mapping import InputMap
from renderwright.engine.messages import say
from renderwright.engine.plugins.status import PluginState, PluginStatus
from renderwright.render.errors import UsageError
from renderwright.render.suggest import did_you_mean

if TYPE_CHECKING:
    from renderwright.engine.game import Game
    from renderwright.engine.session import Session

SHIFT = "shift+"
_FUNCTION_KEYS = tuple(f"f{number}" for number in range(1, 13))
PLUGIN_KEYS = (*_FUNCTION_KEYS, *(SHIFT + key for key in _FUNCTION_KEYS))
"""Keys that can switch plugins."""
_SHIPPED = "renderwright"
"""The distribution of the shipped plugins."""


def default_keys(game: type[Game] | Game, installed: Iterable[PluginStatus]) -> dict[str, str]:
    """The initial table, key to plugin: the game's ``plugins`` in their order, then the user's, then the shipped ones.

    The last two are sorted by name. The shipped ones are nearly as many as there are keys, so that the user's would
    have none behind them. Keys in the game's ``controls`` are left to the game. Plugins beyond the last key have none;
    one that is on takes the last key of those that are off.
    """
    statuses = {status.name: status for status in installed}
    users = [name for name in sorted(statuses) if statuses[name].distribution != _SHIPPED]
    names = dict.fromkeys([*(name for name in game.plugins if name in statuses), *users, *sorted(statuses)])
    taken = _keys_of(input_map(game))
    free = [key for key in PLUGIN_KEYS if key.removeprefix(SHIFT) not in taken]
    table = dict(zip(free, names, strict=False))
    on = [name for name in names if statuses[name].state is PluginState.ENABLED]
    spare = [key for key, name in table.items() if name not in on and name not in game.plugins]
    without = [name for name in on if name not in table.values()]
    table.update(zip(reversed(spare), without, strict=False))
    return table


def check_keys(table: Mapping[str, str], installed: Iterable[PluginStatus]) -> None:
    """Raise ``UsageError`` for a key that cannot switch plugins, and for a plugin that is not installed."""
    known = [status.name for status in installed]
    for key, name in table.items():
        if key not in PLUGIN_KEYS:
            raise UsageError(
                f'plugin_keys: "{key}" cannot switch a plugin', hint=f"use f1 to f12; {did_you_mean(key, PLUGIN_KEYS)}"
            )
        if name not in known:
            raise UsageError(f'plugin_keys: {key} is for the unknown plugin "{name}"', hint=did_you_mean(name, known))


def switch_plugins(session: Session, keys: Sequence[str]) -> None:
    """Switch the plugins of pressed keys on or off. One that has failed is tried again."""
    for key in keys:
        name = session.context.plugin_keys.get(key)
        if name is None:
            continue
        if session.plugins.status(name).failed:
            say(f"{name} is tried again")
        try:
            say(f"{name} is {'on' if session.toggle(name) else 'off'}")
        except UsageError as error:
            say(f"{name} stays off: {error.message}")


def keys_in_words(table: Mapping[str, str], installed: Iterable[PluginStatus]) -> str:
    """The table in one sentence, and how many of the ``installed`` plugins are not in it where keys have run out."""
    if not table:
        return "No key switches plugins."
    without = sum(status.name not in table.values() for status in installed)
    keys = ", ".join(f"{shown_key(key)} {table[key]}" for key in sorted(table, key=PLUGIN_KEYS.index))
    text = f"Plugins are switched on and off with {keys}."
    if without and any(key.startswith(SHIFT) for key in table):
        text += f" {without} more {'has' if without == 1 else 'have'} no key: the panel switches all."
    return text


def shown_key(key: str) -> str:
    """A function key as people write it, such as Shift+F1."""
    return f"Shift+{key.removeprefix(SHIFT).upper()}" if key.startswith(SHIFT) else key.upper()


def _keys_of(controls: InputMap) -> frozenset[str]:
    actions = (key for keys in controls.actions.values() for key in keys)
    axes = (key for axis in controls.axes.values() for key in (*axis.negative, *axis.positive))
    return frozenset((*actions, *axes))
