"""``renderwright plugins``: installed plugins and their states."""

from __future__ import annotations

import json
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import click

_WIDTH = 100

if TYPE_CHECKING:
    from renderwright.engine.plugins import PluginStatus


@click.group()
def plugins() -> None:
    """Inspect the installed plugins."""


@plugins.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
@click.option(
    "--game", default="marbles", metavar="GAME", show_default=True, help="The game in whose frame each plugin is tried."
)
def list_plugins(as_json: bool, game: str) -> None:
    """List the installed plugins with their settings, and what keeps them out of a game's frame."""
    from dataclasses import replace

    from renderwright.engine.planning import fault_in_frame
    from renderwright.engine.plugins import PluginHost
    from renderwright.render.graph.frame_graph import FrameGraph

    host = PluginHost(FrameGraph())
    statuses = [host.load(status.name) for status in host.plugins()]
    statuses = [
        status if status.reason else replace(status, reason=fault_in_frame(game, status.name)) for status in statuses
    ]
    if as_json:
        print(json.dumps([_as_data(status) for status in statuses], indent=2))
    elif statuses:
        print("\n\n".join(_as_text(status) for status in statuses))
    else:
        print("No plugins are installed.")


def _as_data(status: PluginStatus) -> dict[str, Any]:
    from dataclasses import asdict

    from renderwright.engine.plugins import describe_settings

    return {
        "name": status.name,
        "state": status.state,
        "reason": status.reason,
        "version": _version(status),
        "summary": status.info.summary if status.info else "",
        "backends": list(status.info.backends) if status.info else [],
        "distribution": status.distribution,
        "settings": [asdict(setting) for setting in describe_settings(type(status.settings))]
        if status.settings
        else [],
    }


def _as_text(status: PluginStatus) -> str:
    """A line for the plugin, a line with its summary, lines with a long reason, and a line for each setting."""
    from renderwright.engine.plugins import describe_settings

    origin = f" of {status.distribution}" if status.distribution else ""
    lines = [f"{status.name} {_version(status)}{origin}, {status.state}"]
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
    for setting in describe_settings(type(status.settings)) if status.settings else ():
        lines.append(f"    {setting}" + (f" - {setting.description}" if setting.description else ""))
    return "\n".join(lines)


def _version(status: PluginStatus) -> str:
    return status.info.version if status.info else status.version
