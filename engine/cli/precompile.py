"""``renderwright precompile``: compile shaders ahead of time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from renderwright.engine.precompile import Precompiled


@click.command()
@click.argument("plugins", nargs=-1, metavar="[PLUGIN]...")
def precompile(plugins: tuple[str, ...]) -> None:
    """Compile the shaders of installed PLUGINs ahead of time.

    The plugins then need no glslc where they are played.

    The compiled shaders go to the folder "compiled" beside the plugin's GLSL, for its wheel to include. Without PLUGIN
    the shaders of renderwright itself are compiled, as its wheels are built.
    """
    from rich.console import Console
    from rich.progress import Progress

    from renderwright.engine.precompile import precompile as compile_ahead

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("playing every variant", total=1.0)
        results = compile_ahead(plugins, lambda done: progress.update(task, completed=done))
    for result in results:
        print(_in_words(result))


def _in_words(result: Precompiled) -> str:
    compiled = f"{result.shaders} compiled shaders are in {result.folder / 'compiled'}"
    if not result.shipped:
        return compiled
    if not result.shaders:
        return f"nothing to do: all {result.shipped} shaders of {result.folder} come compiled with renderwright"
    return f"{compiled}; {result.shipped} more come compiled with renderwright"
