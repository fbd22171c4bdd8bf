"""``renderwright plugins info``: all about one plugin."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from renderwright.engine.plugin_trial import Trial, TriedNode
    from renderwright.engine.plugins import PluginStatus


@click.command(short_help="Describe the plugin NAME.")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
@click.option(
    "--game", default="marbles", metavar="GAME", show_default=True, help="The game in whose frame the plugin is tried."
)
def info(name: str, as_json: bool, game: str) -> None:
    """Describe the plugin NAME: origin, hooks, settings with their values, nodes with their resources, and why it is
    not in a game's frame.
    """
    from renderwright.engine.cli.tried_plugins import TriedPlugins

    trial = TriedPlugins(game).tried(name)
    if as_json:
        print(json.dumps({**as_data(trial.status), "nodes": [asdict(node) for node in trial.nodes]}, indent=2))
    else:
        print("\n".join(_lines(trial, game)))


def as_data(status: PluginStatus) -> dict[str, Any]:
    """A plugin's status for JSON."""
    return {
        "name": status.name,
        "state": status.state,
        "reason": status.reason,
        "version": version_of(status),
        "summary": status.info.summary if status.info else "",
        "api": status.info.api if status.info else "",
        "backends": list(status.info.backends) if status.info else [],
        "distribution": status.distribution,
        "distribution_version": status.version,
        "file": status.file,
        "hooks": list(status.hooks),
        "surfaces": _surfaces_data(status),
        "settings": _settings_data(status),
    }


def version_of(status: PluginStatus) -> str:
    """The plugin's own version, or that of its distribution until it is imported."""
    return status.info.version if status.info else status.version


def _surfaces_data(status: PluginStatus) -> list[dict[str, Any]]:
    surfaces = status.info.surfaces if status.info else ()
    return [{"file": one.file, "parameters": dict(one.parameters), "images": list(one.images)} for one in surfaces]


def _settings_data(status: PluginStatus) -> list[dict[str, Any]]:
    from renderwright.engine.plugins import describe_settings

    if status.settings is None:
        return []
    values = status.settings.model_dump(mode="json")
    return [{**asdict(setting), "value": values[setting.key]} for setting in describe_settings(type(status.settings))]


def _lines(trial: Trial, game: str) -> list[str]:
    status = trial.status
    lines = [f"{status.name} {version_of(status)}, {status.state} in {game}"]
    lines += [f"  ! {line.strip()}" for line in status.reason.splitlines()]
    if status.info is not None:
        lines += [
            f"  {status.info.summary}",
            f"  API       {status.info.api}",
            f"  backends  {', '.join(status.info.backends) or 'all'}",
        ]
    for surface in _surfaces_data(status):
        values = [f"{name}={value}" for name, value in surface["parameters"].items()]
        lines.append(f"  surface   {surface['file']}: {', '.join([*values, *surface['images']]) or 'no parameters'}")
    lines.append(f"  origin    {status.distribution or 'no distribution'} {status.version}".rstrip())
    if status.file:
        lines += [f"  file      {status.file}", f"  hooks     {', '.join(status.hooks)}"]
    return [*lines, *_settings_lines(status), *_node_lines(trial, game)]


def _settings_lines(status: PluginStatus) -> list[str]:
    from renderwright.engine.plugins import describe_settings
    from renderwright.engine.plugins.settings import command_line_value

    if status.settings is None:
        return []
    values = status.settings.model_dump(mode="json")
    lines = ["settings"]
    for setting in describe_settings(type(status.settings)):
        value = values[setting.key]
        now = "" if value == setting.default else f", now {command_line_value(value)}"
        lines.append(f"  {setting}{now}" + (f" - {setting.description}" if setting.description else ""))
    return lines


def _node_lines(trial: Trial, game: str) -> list[str]:
    if not trial.nodes:
        return []
    lines = [f"nodes in {game}, with an empty scene"]
    for node in trial.nodes:
        lines.append(f"  {node.name}" + ("" if node.present else " (not in the frame)"))
        lines += [f"    ! {line.strip()}" for line in node.reason.splitlines()]
        lines += [f"    {verb:<9} {', '.join(names)}" for verb, names in _uses(node) if names]
    return lines


def _uses(node: TriedNode) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return (
        ("creates", node.creates),
        ("modifies", node.modifies),
        ("reads", node.reads),
        ("histories", node.histories),
        ("in chain", node.chains),
    )
