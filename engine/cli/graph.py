"""``framewright graph``: compile a game's or a skeleton's frame graph and print the plan."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from engine.cli import parameters

if TYPE_CHECKING:
    from engine.options import SettingChange


@click.command()
@click.argument("source", metavar="GAME|FILE.yaml")
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "dot", "mermaid"]), default="text", show_default=True
)
@click.option(
    "--resolution",
    "resolutions",
    type=parameters.named_size,
    multiple=True,
    metavar="NAME=WxH",
    help="Fix an auto-resolution; repeatable.",
)
@click.option(
    "--count",
    "counts",
    type=parameters.counts,
    multiple=True,
    metavar="DIMENSION=N,..",
    help="Instances of the multiplexing dimensions.",
)
@click.option("--order", default="declared", metavar="POLICY", show_default=True, help="declared, or random:SEED.")
@click.option(
    "--size", type=parameters.size, default="1280x720", metavar="WxH", show_default=True, help="Size of the output."
)
@parameters.plugin_options
def graph(
    source: str,
    form: str,
    resolutions: tuple[tuple[str, tuple[int, int]], ...],
    counts: tuple[tuple[tuple[str, int], ...], ...],
    order: str,
    size: tuple[int, int],
    enable: tuple[tuple[str, ...], ...],
    disable: tuple[tuple[str, ...], ...],
    settings: tuple[SettingChange, ...],
) -> None:
    """Print the plan of a game, or of a skeleton graph by itself.

    No GPU is needed: sizes in memory come from a documented model.
    """
    from engine.options import PlanOptions
    from engine.planning import plan_of
    from render import inspect

    options = PlanOptions(
        source=source,
        size=size,
        resolutions=resolutions,
        counts=tuple(pair for pairs in counts for pair in pairs),
        order=order,
        plugins=parameters.plugin_choice(enable, disable, settings),
    )
    plan = plan_of(options)
    match form:
        case "json":
            text = json.dumps(inspect.plan_to_json(plan), indent=2)
        case "dot":
            text = inspect.plan_to_dot(plan)
        case "mermaid":
            text = inspect.plan_to_mermaid(plan)
        case _:
            text = inspect.plan_to_text(plan)
    print(text.rstrip("\n"))
