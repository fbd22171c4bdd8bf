"""``renderwright precompile``: compile shaders ahead of time."""

from __future__ import annotations

import click


@click.command()
@click.argument("plugins", nargs=-1, metavar="[PLUGIN]...")
def precompile(plugins: tuple[str, ...]) -> None:
    """Compile the shaders of installed PLUGINs, so that they need no glslc where they are played.

    They go to the folder "compiled" beside the plugin's GLSL, for its wheel to include. Without PLUGIN the shaders of
    renderwright itself are compiled, as its wheels are built.
    """
    from renderwright.engine.precompile import precompile as compile_ahead

    for result in compile_ahead(plugins):
        print(f"{result.shaders} compiled shaders are in {result.folder / 'compiled'}")
