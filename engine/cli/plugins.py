"""``renderwright plugins``: installed plugins, their states and their preferences."""

from __future__ import annotations

import json
from dataclasses import replace
from textwrap import wrap
from typing import TYPE_CHECKING

import click

from renderwright.engine.cli.plugin_info import as_data, info, version_of
from renderwright.engine.cli.plugin_preferences import disable, enable, reset, set_values

_WIDTH = 100

if TYPE_CHECKING:
    from renderwright.engine.plugins import PluginStatus


@click.group()
def plugins() -> None:
    """List installed plugins, switch them, change their settings."""


for _command in (info, enable, disable, set_values, reset):
    plugins.add_command(_command)


@plugins.command(short_help="Try a plugin again that has failed.")
@click.argument("name")
@click.option(
    "--game", default="marbles", metavar="GAME", show_default=True, help="The game in whose frame the plugin is tried."
)
def retry(name: str, game: str) -> int:
    """Try the plugin NAME in a game's frame, and say what keeps it out.

    Nothing remembers over games that a plugin has failed: the next game tries it anew. While a game runs in a window,
    the plugin's key does, which `play` prints, and in code session.plugins.retry(NAME).
    """
    from renderwright.engine.cli.tried_plugins import TriedPlugins

    tried = TriedPlugins(game)
    if tried.is_switched_off(name):
        print(f"{name} is switched off; {tried.enabling(name)}")
        return 1
    trial = tried.tried(name)
    status = trial.status
    print(_as_text(status, with_settings=False))
    if status.traceback:
        print(status.traceback.rstrip())
    elif not status.reason:
        print(f"{name} can be in the frame of {game}. A failure while it runs lasts as long as the game.")
        for reason in filter(None, (node.reason for node in trial.nodes)):
            print(f"  ! {reason}")
    return 1 if status.reason else 0


@plugins.command("list", short_help="List the installed plugins.")
@click.option("--all", "with_settings", is_flag=True, help="Print the settings of each plugin as well.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text, with the settings.")
@click.option(
    "--game", default="marbles", metavar="GAME", show_default=True, help="The game in whose frame each plugin is tried."
)
def list_plugins(with_settings: bool, as_json: bool, game: str) -> None:
    """List the installed plugins, with the reason if one is not in a game's frame.

    A plugin that a game brings for its own frame has that game. A plugin that the preferences switch off is not
    imported.
    """
    from renderwright.engine.cli.tried_plugins import TriedPlugins

    tried = TriedPlugins(game)
    trials = [tried.unimported(name) if tried.is_switched_off(name) else tried.tried(name) for name in tried.names]
    own_games = [tried.own_game(trial) for trial in trials]
    statuses = [
        replace(trial.status, reason="") if game else trial.status
        for trial, game in zip(trials, own_games, strict=True)
    ]
    listed = list(zip(statuses, own_games, strict=True))
    if as_json:
        print(json.dumps([{**as_data(status), "own_game": game} for status, game in listed], indent=2))
    elif listed:
        separator = "\n\n" if with_settings else "\n"
        print(separator.join(_as_text(status, with_settings, game) for status, game in listed))
    else:
        print("No plugins are installed.")


def _as_text(status: PluginStatus, with_settings: bool, own_game: str = "") -> str:
    """A line for the plugin, a line with its summary, lines with a long reason, and a line for each setting."""
    from renderwright.engine.plugins import describe_settings

    origin = f" of {status.distribution}" if status.distribution else ""
    lines = [f"{status.name} {version_of(status)}{origin}, {status.state}"]
    if own_game:
        lines[0] += f" in its own game, {own_game}"
    details = status.reason.splitlines()
    if len(details) == 1 and len(lines[0]) + len(status.reason) < _WIDTH:
        lines[0] += f": {details.pop()}"
    elif details:
        lines[0] += ", but not in the frame:" if status.state == "available" else ":"
    for number, detail in enumerate(details):
        first = "    " if number else "  ! "
        # Paths stay whole, so that a terminal can open them.
        lines += wrap(
            detail.strip(),
            _WIDTH,
            initial_indent=first,
            subsequent_indent="    ",
            break_long_words=False,
            break_on_hyphens=False,
        )
    if status.info:
        lines.append(f"  {status.info.summary}")
    if with_settings and status.settings is not None:
        for setting in describe_settings(type(status.settings)):
            lines.append(f"    {setting}" + (f" - {setting.description}" if setting.description else ""))
    return "\n".join(lines)
