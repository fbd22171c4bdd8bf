"""``renderwright precompile``: compile shaders ahead of time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from renderwright.engine.precompile import Precompiled


@click.command()
@click.argument("names", nargs=-1, metavar="[PLUGIN|GAME]...")
def precompile(names: tuple[str, ...]) -> None:
    """Compile the shaders of PLUGINs and GAMEs ahead of time.

    They then need no glslc where they are played. A game is named as for `renderwright play`. Its shaders are the
    surface functions of its materials, and those of plugins in its package.

    The compiled shaders go to the folder "compiled" beside the GLSL, for a wheel to include. Without a name the shaders
    of renderwright itself are compiled, as its wheels are built.
    """
    from renderwright.engine.messages import share_progress
    from renderwright.engine.precompile import precompile as compile_ahead

    with share_progress("playing every variant", "compiling the shaders") as progress:
        results = compile_ahead(names, progress)
    for result in results:
        print(_in_words(result))


def _in_words(result: Precompiled) -> str:
    compiled = f"{result.shaders} compiled shaders are in {result.folder / 'compiled'}"
    if not result.shipped:
        return compiled
    if not result.shaders:
        return f"nothing to do: all {result.shipped} shaders of {result.folder} come compiled with renderwright"
    return f"{compiled}; {result.shipped} more come compiled with renderwright"
