"""``renderwright capture``: play a game to a frame and capture it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from renderwright.engine.cli import parameters
from renderwright.engine.cli.plugin_preferences import with_preferences
from renderwright.engine.cli.whole_number import WholeNumber

if TYPE_CHECKING:
    from renderwright.engine.options import SettingChange

FRAME = 30
"""The frame that is captured by default: effects over several frames have settled."""

_FOLLOWING = 3
"""Frames behind the captured one, whose times are known where those of no earlier frame are."""


@click.command(short_help="Capture a frame: plan, pictures, times, reasons, as a page or as JSON.")
@click.argument("game", required=False, metavar="GAME")
@click.option(
    "--diff",
    "compared",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    nargs=2,
    metavar="A B",
    help="Compare two captures that were written before, instead of playing.",
)
@click.option(
    "--frame", type=WholeNumber(min=0), default=FRAME, metavar="N", show_default=True, help="The frame, from 0 on."
)
@click.option(
    "--html", "page", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Write a page to look at."
)
@click.option(
    "--json", "document", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Write the document."
)
@click.option(
    "--pixels",
    type=WholeNumber(min=0),
    default=160,
    metavar="N",
    show_default=True,
    help="The longer side of pictures, smaller where there are very many; 0 leaves them out.",
)
@click.option(
    "--replay",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="YAML",
    help="Play a recorded input script.",
)
@click.option("--size", type=parameters.size, metavar="WxH", help="Size of the picture in pixels. [default: 1280x720]")
@click.option(
    "--backend",
    type=click.Choice(parameters.DEVICE_BACKENDS),
    help="[default: RENDERWRIGHT_BACKEND, else vulkan, else opengl where there is no Vulkan driver]",
)
@click.option("--device", metavar="NAME", default="", help="Part of the GPU's name. [default: RENDERWRIGHT_DEVICE]")
@parameters.plugin_options
@parameters.played_views_option
@parameters.ssaa_option
@parameters.vr_option
@parameters.multiview_option
@parameters.layouts_option
@parameters.fullscreen_option
@parameters.order_option
@click.option(
    "--tiles", type=parameters.tiles, metavar="CxR", help="Capture a tile of a picture in tiles (columns x rows)."
)
@click.option(
    "--tile",
    type=WholeNumber(min=0),
    metavar="N",
    help="Which of them, from 0 on, line by line. [default: the middle one]",
)
@parameters.tile_border_option
@click.option(
    "--queues",
    type=parameters.queues,
    metavar="Q,..",
    default="graphics,compute,copy",
    envvar="RENDERWRIGHT_QUEUES",
    help="Use only these queues of the GPU. [default: RENDERWRIGHT_QUEUES, or all]",
)
@click.option("--no-alias", is_flag=True, help="Do not alias memory (for debugging).")
@click.option("--strict", is_flag=True, help="Failing plugins and reported mistakes end the game (for authors).")
@click.option("--no-preferences", is_flag=True, help="Ignore the preferences of `renderwright plugins`.")
@parameters.seed_option
def capture(
    game: str | None,
    compared: tuple[Path, Path] | None,
    frame: int,
    page: Path | None,
    document: Path | None,
    pixels: int,
    replay: Path | None,
    size: tuple[int, int] | None,
    backend: str | None,
    device: str,
    enable: tuple[tuple[str, ...], ...],
    disable: tuple[tuple[str, ...], ...],
    settings: tuple[SettingChange, ...],
    views: int | None,
    ssaa: str | None,
    vr: bool,
    no_multiview: bool,
    unified_layouts: bool | None,
    fullscreen: str,
    order: str,
    tiles: tuple[int, int] | None,
    tile: int | None,
    tile_border: int,
    queues: tuple[str, ...],
    no_alias: bool,
    strict: bool,
    no_preferences: bool,
    seed: int | None,
) -> int:
    """Play GAME without a window and capture a frame: its plan with reasons, pictures of each
    texture after each write, times, settings. GAME is as for `renderwright play`.

    With --diff nothing is played: two captures, as .json or .html, are compared. The page is one
    file that a browser opens without any network (page "Captures" of the documentation).
    """
    if page is None and document is None:
        what = "a capture needs a file" if compared is None else "a diff needs a file for what it finds"
        raise click.UsageError(f"{what}: --html FILE, --json FILE, or both")
    if tile is not None and tiles is None:
        raise click.UsageError("--tile N is for pictures in tiles: give --tiles CxR")
    if (game is None) == (compared is None):
        raise click.UsageError("give a game to capture, or two captures to compare: GAME, or --diff A B")
    from renderwright.engine import app
    from renderwright.engine.capture.files import PAGES, check_capture_file
    from renderwright.engine.options import BackendName, CaptureOptions, PlayOptions
    from renderwright.render.types.fullscreen import Fullscreen

    for file, suffixes in ((page, PAGES), (document, (".json",))):
        if file is not None:
            check_capture_file(file, suffixes)
    if compared is not None:
        _compare(*compared, page, document)
        return 0
    assert game is not None
    choice = parameters.frame_choice(enable, disable, settings, views=views, ssaa=ssaa, vr=vr)
    return app.play(
        PlayOptions(
            game=game,
            backend=BackendName(backend) if backend is not None else None,
            device=device,
            size=size,
            headless=True,
            frames=frame + 1 + _FOLLOWING,
            replay=replay,
            plugins=choice if no_preferences else with_preferences(choice, game),
            players=views,
            strict=strict,
            seed=seed,
            alias=not no_alias,
            order=order,
            queues=queues,
            multiview=not no_multiview,
            unified_layouts=unified_layouts,
            fullscreen=Fullscreen(fullscreen),
            capture=CaptureOptions(frame, page, document, pixels, tile),
            tiles=tiles,
            tile_border=tile_border,
        )
    )


def _compare(before: Path, after: Path, page: Path | None, document: Path | None) -> None:
    from renderwright.engine.capture.compared import compared_captures
    from renderwright.engine.capture.files import write_json, write_page
    from renderwright.engine.messages import say

    made = compared_captures(before, after)
    found = made["difference"]
    counts = [f"{len(found[what])} {what}" for what in ("nodes", "resources", "pictures", "settings")]
    for file, write in ((page, write_page), (document, write_json)):
        if file is not None:
            say(f"What differs is in {file}: {', '.join(counts)}, {write(file, made)}.")
