"""``framewright play``: run a game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from engine.cli import parameters

if TYPE_CHECKING:
    from engine.options import SettingChange


@click.command(short_help="Play a game, in a window or headless.")
@click.argument("game")
@click.option("--backend", type=click.Choice(["vulkan", "null"]), default="vulkan", show_default=True)
@click.option("--device", metavar="NAME", default="", help="Part of the GPU's name. [default: FRAMEWRIGHT_DEVICE]")
@click.option("--size", type=parameters.size, metavar="WxH", help="Size of the picture in pixels.")
@click.option("--headless", is_flag=True, help="Open no window.")
@click.option("--frames", type=click.IntRange(min=1), metavar="N", help="Stop after N frames.")
@click.option(
    "--screenshot", type=click.Path(path_type=Path, dir_okay=False), metavar="PNG", help="Save the last frame."
)
@click.option(
    "--replay",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="YAML",
    help="Play a recorded input script.",
)
@parameters.plugin_options
@click.option("--validate", is_flag=True, help="Switch the Vulkan validation layer on; a message is an error.")
@click.option("--strict", is_flag=True, help="A failing plugin ends the game (for plugin authors).")
@click.option("--no-alias", is_flag=True, help="Give every texture and buffer memory of its own (for debugging).")
@click.option(
    "--record", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Write the Vulkan commands down."
)
@click.option("--verify", is_flag=True, help="Check the synchronisation of every plan before it runs.")
@click.option(
    "--queues",
    type=parameters.queues,
    metavar="Q,..",
    default="graphics,compute,copy",
    envvar="FRAMEWRIGHT_QUEUES",
    help="Use only these queues of the GPU. [default: FRAMEWRIGHT_QUEUES, or all that it has]",
)
@click.option(
    "--poison",
    type=click.Choice(["zero", "nan", "infinity", "ones", "mixed"]),
    is_flag=False,
    flag_value="mixed",
    help="Fill memory when what lies there is done with; pictures must not change. [alone: mixed]",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of everything random.")
def play(
    game: str,
    backend: str,
    device: str,
    size: tuple[int, int] | None,
    headless: bool,
    frames: int | None,
    screenshot: Path | None,
    replay: Path | None,
    enable: tuple[tuple[str, ...], ...],
    disable: tuple[tuple[str, ...], ...],
    settings: tuple[SettingChange, ...],
    validate: bool,
    strict: bool,
    no_alias: bool,
    record: Path | None,
    verify: bool,
    queues: tuple[str, ...],
    poison: str | None,
    seed: int,
) -> int:
    """Play GAME: an installed game's name, MODULE:CLASS, or path/to/file.py:CLASS.

    Without a display the game runs headless.
    """
    from engine import app
    from engine.options import BackendName, PlayOptions
    from render.runtime.poison import Poison

    return app.play(
        PlayOptions(
            game=game,
            backend=BackendName(backend),
            device=device,
            size=size,
            headless=headless,
            frames=frames,
            screenshot=screenshot,
            replay=replay,
            plugins=parameters.plugin_choice(enable, disable, settings),
            validate=validate,
            strict=strict,
            seed=seed,
            alias=not no_alias,
            record=record,
            verify=verify,
            queues=queues,
            poison=Poison(poison) if poison is not None else None,
        )
    )
