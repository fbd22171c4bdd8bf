"""``renderwright play``: run a game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from renderwright.engine.cli import parameters
from renderwright.engine.cli.plugin_preferences import with_preferences
from renderwright.engine.cli.whole_number import WholeNumber

if TYPE_CHECKING:
    from renderwright.engine.dumps.dump import Dump
    from renderwright.engine.options import SettingChange


@click.command(short_help="Play a game, in a window or headless.")
@click.argument("game")
@click.option(
    "--backend",
    type=click.Choice(parameters.ALL_BACKENDS),
    help="[default: RENDERWRIGHT_BACKEND, else vulkan, else opengl where there is no Vulkan driver]",
)
@click.option("--device", metavar="NAME", default="", help="Part of the GPU's name. [default: RENDERWRIGHT_DEVICE]")
@click.option("--size", type=parameters.size, metavar="WxH", help="Size of the picture in pixels.")
@click.option(
    "--headless", is_flag=True, help="Open no window; save the last frame, to out/GAME.png without --screenshot."
)
@click.option("--frames", type=WholeNumber(min=1), metavar="N", help="Stop after N frames.")
@click.option(
    "--screenshot",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="PNG",
    help="Save the last frame. [default: headless out/GAME.png, in a window none]",
)
@click.option(
    "--dump",
    "dumps",
    type=parameters.dump,
    multiple=True,
    metavar="RESOURCE[@KEY=VALUE,..]:FILE",
    help="Save a texture or buffer as .png, .npy or .exr. Keys: after=NODE, frame=N, view, eye, sample, mip, layer; "
    "repeatable.",
)
@click.option(
    "--replay",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="YAML",
    help="Play a recorded input script.",
)
@click.option(
    "--user-files",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Where games keep best times and the like. [default: RENDERWRIGHT_DATA_DIR, or the user's data folder; "
    "headless and with --replay nothing is kept]",
)
@parameters.plugin_options
@click.option("--trace-plugins", is_flag=True, help="Print the times of all calls of plugins' hooks at the end.")
@click.option("--times", is_flag=True, help="Print the times of nodes and plugins on GPU and CPU at the end.")
@click.option(
    "--trace",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write a timeline of the frames as Chrome trace JSON, which Perfetto opens.",
)
@click.option(
    "--renderdoc",
    type=WholeNumber(min=0),
    metavar="N",
    help="Have RenderDoc capture frame N, counted from 0, where it has launched the game.",
)
@click.option("--reload", is_flag=True, help="Use shaders, plugins and other files as soon as they change on the disk.")
@click.option(
    "--validate", is_flag=True, help="Enable the validation layer or OpenGL's debug messages; any message is an error."
)
@click.option("--strict", is_flag=True, help="Failing plugins and reported mistakes end the game (for authors).")
@click.option("--no-alias", is_flag=True, help="Do not alias memory (for debugging).")
@parameters.order_option
@click.option(
    "--record", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Record the command stream."
)
@click.option("--verify", is_flag=True, help="Check the synchronisation of every plan before it runs.")
@click.option(
    "--check",
    type=click.Choice(["commands", "nan"]),
    is_flag=False,
    flag_value="commands",
    help="Report contents that nodes leave undefined; with nan also nodes that write NaN or infinity. "
    "[alone: commands]",
)
@click.option(
    "--check-values",
    is_flag=True,
    help="Report the first node that makes NaN or infinity, with resource, view and texel: --check nan.",
)
@click.option(
    "--verify-recording",
    "recording",
    flag_value="verified",
    help="Record stable nodes in each frame as well, and report those whose commands change.",
)
@click.option(
    "--no-kept-recording", "recording", flag_value="always", help="Record all nodes in each frame (for debugging)."
)
@click.option(
    "--queues",
    type=parameters.queues,
    metavar="Q,..",
    default="graphics,compute,copy",
    envvar="RENDERWRIGHT_QUEUES",
    help="Use only these queues of the GPU. [default: RENDERWRIGHT_QUEUES, or all]",
)
@click.option(
    "--poison",
    type=click.Choice(["zero", "nan", "infinity", "ones", "mixed"]),
    is_flag=False,
    flag_value="mixed",
    help="Fill memory at the end of each live range; pictures must not change. [alone: mixed]",
)
@click.option(
    "--dynamic-resolution",
    "milliseconds",
    type=click.FloatRange(min=0.0, min_open=True),
    metavar="MS",
    help="Dynamic resolution, down to half, while GPU frames take longer than this.",
)
@parameters.played_views_option
@parameters.ssaa_option
@parameters.vr_option
@parameters.multiview_option
@parameters.layouts_option
@parameters.fullscreen_option
@click.option(
    "--tiles",
    type=parameters.tiles,
    metavar="CxR",
    help="Render the screenshot in tiles (columns x rows); opens no window.",
)
@parameters.tile_border_option
@click.option(
    "--hang-after",
    type=click.FloatRange(min=0.0, min_open=True),
    metavar="SECONDS",
    help="End the game when the GPU makes no progress for so long. [default: 10, or 60 on software drivers]",
)
@click.option("--no-preferences", is_flag=True, help="Ignore the preferences of `renderwright plugins`.")
@parameters.seed_option
def play(
    game: str,
    backend: str | None,
    device: str,
    size: tuple[int, int] | None,
    headless: bool,
    frames: int | None,
    screenshot: Path | None,
    dumps: tuple[Dump, ...],
    replay: Path | None,
    user_files: Path | None,
    enable: tuple[tuple[str, ...], ...],
    disable: tuple[tuple[str, ...], ...],
    settings: tuple[SettingChange, ...],
    trace_plugins: bool,
    times: bool,
    trace: Path | None,
    renderdoc: int | None,
    reload: bool,
    validate: bool,
    strict: bool,
    no_alias: bool,
    order: str,
    record: Path | None,
    verify: bool,
    check: str | None,
    check_values: bool,
    recording: str | None,
    queues: tuple[str, ...],
    poison: str | None,
    milliseconds: float | None,
    ssaa: str | None,
    tiles: tuple[int, int] | None,
    tile_border: int,
    views: int | None,
    vr: bool,
    no_multiview: bool,
    unified_layouts: bool | None,
    fullscreen: str,
    hang_after: float | None,
    no_preferences: bool,
    seed: int | None,
) -> int:
    """Play GAME: an installed game's name, MODULE:CLASS, or path/to/file.py:CLASS. The class
    may be left out if there is one.

    Without a display the game runs headless: 60 frames, or those of --replay, or --frames N of
    them. The last one is saved to out/GAME.png in the current folder, or to the file of
    --screenshot.
    """
    from renderwright.engine import app
    from renderwright.engine.options import BackendName, PlayOptions
    from renderwright.render.runtime.checks.level import CheckLevel
    from renderwright.render.runtime.checks.poison import Poison
    from renderwright.render.runtime.recording import Recording
    from renderwright.render.types.fullscreen import Fullscreen

    choice = parameters.frame_choice(enable, disable, settings, views=views, ssaa=ssaa, vr=vr)
    return app.play(
        PlayOptions(
            game=game,
            backend=BackendName(backend) if backend is not None else None,
            device=device,
            size=size,
            headless=headless,
            frames=frames,
            screenshot=screenshot,
            replay=replay,
            plugins=choice if no_preferences else with_preferences(choice, game),
            players=views,
            validate=validate,
            strict=strict,
            seed=seed,
            alias=not no_alias,
            order=order,
            record=record,
            verify=verify,
            check=CheckLevel.NAN if check_values else CheckLevel(check) if check is not None else None,
            recording=Recording(recording) if recording is not None else Recording.KEPT,
            queues=queues,
            multiview=not no_multiview,
            unified_layouts=unified_layouts,
            fullscreen=Fullscreen(fullscreen),
            poison=Poison(poison) if poison is not None else None,
            frame_time=milliseconds / 1000.0 if milliseconds is not None else None,
            tiles=tiles,
            tile_border=tile_border,
            hang_after=hang_after,
            trace_plugins=trace_plugins,
            dumps=dumps,
            times=times,
            trace=trace,
            renderdoc=renderdoc,
            reload=reload,
            user_files=user_files,
            own_choice=choice if reload and not no_preferences else None,
        )
    )
