"""``framewright plugins``: what is installed, and in what state."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from engine.plugins import PluginStatus


@click.group()
def plugins() -> None:
    """Look at the installed plugins."""


@plugins.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def list_plugins(as_json: bool) -> None:
    """List the installed plugins with their settings."""
    from engine.plugins import PluginHost
    from render.graph.frame_graph import FrameGraph

    host = PluginHost(FrameGraph())
    statuses = [host.load(status.name) for status in host.plugins()]
    if as_json:
        print(json.dumps([_as_data(status) for status in statuses], indent=2))
    elif statuses:
        _print_table(statuses)
    else:
        print("No plugins are installed.")


def _as_data(status: PluginStatus) -> dict[str, Any]:
    from dataclasses import asdict

    from engine.plugins import describe_settings

    return {
        "name": status.name,
        "state": status.state,
        "reason": status.reason,
        "version": status.info.version if status.info else status.version,
        "summary": status.info.summary if status.info else "",
        "backends": list(status.info.backends) if status.info else [],
        "distribution": status.distribution,
        "settings": [asdict(setting) for setting in describe_settings(type(status.settings))]
        if status.settings
        else [],
    }


def _print_table(statuses: list[PluginStatus]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from engine.plugins import describe_settings

    table = Table("plugin", "state", "version", "summary and settings", box=None, header_style="bold", pad_edge=False)
    for status in statuses:
        lines = [status.info.summary if status.info else "", status.reason]
        if status.settings is not None:
            lines += [f"  {setting}" for setting in describe_settings(type(status.settings))]
        version = status.info.version if status.info else status.version
        table.add_row(status.name, str(status.state), version, Text("\n".join(line for line in lines if line)))
    Console(soft_wrap=False).print(table)
