"""The command ``renderwright bench quality``."""

from __future__ import annotations

from pathlib import Path

import click

WIDE = 200
"""Console width for the Markdown table, whose rows must not wrap."""


@click.command("quality")
@click.argument("effects", nargs=-1, metavar="[EFFECT]...")
@click.option("--device", default="", help="Part of the name of the GPU to use.")
@click.option(
    "--pictures",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for PNG sheets of the compared pictures.",
)
@click.option("--markdown", is_flag=True, help="Print the table as Markdown.")
@click.option("--details", is_flag=True, help="Add tables for several settings of shadows and surfaces.")
def command(effects: tuple[str, ...], device: str, pictures: Path | None, markdown: bool, details: bool) -> None:
    """Compare effects with brute-force references.

    The tables have the error of all effects, or of each EFFECT, and its bound.

    On the software driver this takes some minutes.
    """
    from rich.console import Console

    from benchmarks.quality.effect_table import chosen_effects, effect_table
    from benchmarks.quality.pictures import PictureFolder
    from benchmarks.quality.tables import environment_table, shadow_table
    from renderwright.render.backend.vulkan.backend import VulkanBackend

    measured = chosen_effects(effects)
    console = Console(width=WIDE if markdown else None)
    backend = VulkanBackend(device, wait_seconds=120.0)
    try:
        keep = PictureFolder(pictures).keep if pictures else None
        console.print(effect_table(backend, measured, keep, markdown=markdown))
        if details:
            console.print(shadow_table(backend))
            console.print(environment_table(backend))
    finally:
        backend.close()
