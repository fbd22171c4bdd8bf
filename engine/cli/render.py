"""``renderwright render``: films, frames and posters."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from renderwright.engine.cli import parameters
from renderwright.engine.cli.whole_number import WholeNumber

if TYPE_CHECKING:
    from renderwright.engine.options import SettingChange


@click.command(short_help="Render films, frames and posters, by one process or many.")
@click.argument("game")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    metavar="FILE",
    help="film.mp4, film.mkv (lossless), frames/%05d.png, frames/%05d.exr, or picture.png of one frame.",
)
@click.option(
    "--frames", type=parameters.frames, metavar="A-B", help="From frame A to B, from 0. [default: all of the replay]"
)
@click.option("--frame", type=WholeNumber(min=0), metavar="F", help="One frame: --frames F-F.")
@click.option(
    "--replay",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="YAML",
    help="Play an input script.",
)
@click.option("--size", type=parameters.size, metavar="WxH", default="1280x720", show_default=True, help="In pixels.")
@click.option("--tiles", type=parameters.tiles, metavar="CxR", help="Render the frame in tiles (columns x rows).")
@parameters.tile_border_option
@click.option("--resource", metavar="NAME", default="", help="A texture instead of the picture, as .exr.")
@parameters.plugin_options
@parameters.played_views_option
@parameters.farm_options
@click.option(
    "--warm-up",
    type=WholeNumber(min=0),
    metavar="N",
    help="Let each worker render N frames before its first, where frames take over textures. Near, not equal.",
)
@click.option("--verify", type=WholeNumber(min=1), metavar="N", help="Render N random frames again, and compare.")
@parameters.seed_option
@click.option("--strict", is_flag=True, help="Failing plugins and reported mistakes end the job.")
def render(
    game: str,
    out: Path,
    frames: range | None,
    frame: int | None,
    replay: Path | None,
    size: tuple[int, int],
    tiles: tuple[int, int] | None,
    tile_border: int,
    resource: str,
    enable: tuple[tuple[str, ...], ...],
    disable: tuple[tuple[str, ...], ...],
    settings: tuple[SettingChange, ...],
    views: int | None,
    workers: int,
    scheduler: str,
    anew: bool,
    backend: str | None,
    device: str,
    warm_up: int | None,
    verify: int | None,
    seed: int | None,
    strict: bool,
) -> int:
    """Render frames of GAME, as `renderwright play` shows them headless, without the preferences.

    After Ctrl-C or a crash the same command goes on from what is whole. The exit code is 3 if
    frames are missing in the end.
    """
    from renderwright.engine.farm import command
    from renderwright.engine.farm.job import RenderJob
    from renderwright.engine.farm.options import FarmOptions, RenderOptions
    from renderwright.engine.farm.replays import frames_of
    from renderwright.engine.options import BackendName

    job = RenderJob(
        game,
        frames_of(game, replay, frames, frame),
        size,
        replay,
        plugins=parameters.frame_choice(enable, disable, settings, views=views),
        players=views,
        seed=seed,
        backend=BackendName(backend) if backend is not None else None,
        device=device,
        strict=strict,
        resource=resource,
        tiles=tiles,
        tile_border=tile_border,
        warm_up=warm_up,
    )
    return command.render(RenderOptions(job, out, FarmOptions(workers, scheduler, anew), verify or 0))
