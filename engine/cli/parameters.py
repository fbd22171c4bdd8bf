"""Parsers of command-line values, and options that several commands share.

A parser is the ``type`` of a click option: it converts text to a value or raises ``click.BadParameter``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from renderwright.engine.cli.whole_number import WholeNumber
from renderwright.render.errors import UsageError

if TYPE_CHECKING:
    from renderwright.engine.dumps.dump import Dump
    from renderwright.engine.options import PluginChoice, SettingChange

F = TypeVar("F", bound=Callable[..., Any])

DEVICE_BACKENDS = ("vulkan", "opengl")
"""The backends that render texels, as ``--backend`` names them. Importing ``BackendName`` takes long."""

ALL_BACKENDS = (*DEVICE_BACKENDS, "null")
"""Every ``BackendName``."""


def size(text: str) -> tuple[int, int]:
    """``1280x720`` as (1280, 720); both are at least 1."""
    return _two_numbers(text, "a size such as 1280x720")


def tiles(text: str) -> tuple[int, int]:
    """``4x3`` as (columns, rows); both are at least 1."""
    return _two_numbers(text, "a number of tiles such as 4x4")


def frames(text: str) -> range:
    """``0-599`` as the frames from 0 to 599."""
    first, _, last = text.partition("-")
    if not (first.isdecimal() and last.isdecimal()) or int(last) < int(first):
        raise click.BadParameter(f'"{text}" is not a range of frames such as 0-599')
    return range(int(first), int(last) + 1)


def _two_numbers(text: str, expected: str) -> tuple[int, int]:
    first, _, second = text.lower().partition("x")
    if not (first.isdecimal() and second.isdecimal()) or int(first) < 1 or int(second) < 1:
        raise click.BadParameter(f'"{text}" is not {expected}')
    return int(first), int(second)


def named_size(text: str) -> tuple[str, tuple[int, int]]:
    """``shadow_map=2048x2048`` as (name, extent)."""
    name, equals, extent = text.partition("=")
    if not (name and equals):
        raise click.BadParameter(f'"{text}" is not a named size such as shadow_map=2048x2048')
    return name, size(extent)


def names(text: str) -> tuple[str, ...]:
    """``a,b`` as a tuple of names."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def queues(text: str) -> tuple[str, ...]:
    """``graphics,compute`` as queue classes. The graphics queue is always included."""
    from renderwright.render.sync.queues import ALL_QUEUES, GRAPHICS

    chosen = {GRAPHICS, *names(text)}
    unknown = sorted(chosen - set(ALL_QUEUES))
    if unknown:
        raise click.BadParameter(f'"{unknown[0]}" is not a queue class; known: {", ".join(ALL_QUEUES)}')
    return tuple(queue for queue in ALL_QUEUES if queue in chosen)


def counts(text: str) -> tuple[tuple[str, int], ...]:
    """``view=2,eye=2`` as (dimension, count) pairs; every count is at least 1."""
    pairs = []
    for part in names(text):
        dimension, _, count = part.partition("=")
        if not dimension or not count.isdecimal() or int(count) < 1:
            raise click.BadParameter(f'"{part}" is not a count such as view=2')
        pairs.append((dimension, int(count)))
    return tuple(pairs)


def setting(text: str) -> SettingChange:
    """``plugin.key=value`` in its three parts. The plugin's settings model converts the value later."""
    from renderwright.engine.options import SettingChange

    place, equals, value = text.partition("=")
    plugin, _, key = place.partition(".")
    if not (plugin and key and equals):
        listing = f" (renderwright plugins info {plugin} lists its settings)" if plugin else ""
        if equals and not key:
            listing = " (write PLUGIN.KEY=VALUE; renderwright plugins info PLUGIN lists the keys)"
        raise click.BadParameter(f'"{text}" is not a setting such as bloom.intensity=0.1{listing}')
    return SettingChange(plugin, key, value)


def dump(text: str) -> Dump:
    """``depth@view=0,after=gbuffer,frame=30:depth.png`` as a dump."""
    from renderwright.engine.dumps.dump import dump_from

    try:
        return dump_from(text)
    except UsageError as error:
        raise click.BadParameter(f"{error.message} ({error.hint})") from error


def plugin_options(command: F) -> F:
    """Add options that change a game's choice of plugins. ``plugin_choice`` collects them."""
    for option in (
        click.option(
            "--set",
            "settings",
            type=setting,
            multiple=True,
            metavar="PLUGIN.KEY=VALUE",
            help="Change a plugin's setting; repeatable.",
        ),
        click.option("--disable", type=names, multiple=True, metavar="P,..", help="Disable these plugins."),
        click.option("--enable", type=names, multiple=True, metavar="P,..", help="Enable these plugins as well."),
    ):
        command = option(command)
    return command


plan_backend_option = click.option(
    "--backend",
    type=click.Choice(DEVICE_BACKENDS),
    default="vulkan",
    show_default=True,
    help="Backend of the assumed device.",
)


order_option = click.option(
    "--order",
    default="balanced",
    metavar="POLICY",
    show_default=True,
    help="Ordering policy: balanced, memory, overlap, declared or random:SEED.",
)
multiview_option = click.option(
    "--no-multiview", is_flag=True, help="Draw each view by itself instead of several at once (multiview)."
)


layouts_option = click.option(
    "--unified-layouts/--no-unified-layouts",
    default=None,
    help="Keep textures in the general layout, or change layouts by usage. [default: general if the GPU reports that "
    "it costs nothing]",
)


tile_border_option = click.option(
    "--tile-border",
    type=WholeNumber(min=0),
    default=128,
    metavar="TEXELS",
    show_default=True,
    help="Border around each tile, for effects that read neighbouring texels.",
)
fullscreen_option = click.option(
    "--fullscreen",
    type=click.Choice(["auto", "fragment", "compute"]),
    default="auto",
    show_default=True,
    help="Run full-screen nodes as fragment or as compute shaders; auto: the faster kind on the GPU.",
)


def _views(help: str) -> Callable[[F], F]:
    """The option ``--views``, and a hidden one that says so to those who write ``--players``."""

    def refuse(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
        if value is not None:
            raise click.UsageError("there is no option --players: --views N is the number of players", context)

    def add(command: F) -> F:
        hidden = click.option("--players", hidden=True, expose_value=False, callback=refuse)
        return click.option("--views", type=WholeNumber(1, 4), metavar="N", help=help)(hidden(command))

    return add


views_option = _views("Number of players, each with a view on the split screen. [default: the game's least]")


played_views_option = _views(
    "Number of players, each with a view on the split screen. [default: that of --replay, or the game's least]"
)


seed_option = click.option("--seed", type=int, help="Seed of all random numbers. [default: that of --replay, or 0]")


ssaa_option = click.option(
    "--ssaa",
    type=click.Choice(["1", "4", "9", "16"]),
    metavar="N",
    help="Supersampling with N samples per texel, by the plugin ssaa. [1, 4, 9 or 16]",
)
vr_option = click.option(
    "--vr", is_flag=True, help="Render in stereo for a headset, by the plugin vr; simulated by default."
)


def frame_options(command: F) -> F:
    """Add options for compiling a frame without a window: views, resolutions, counts, multiview."""
    for option in (
        multiview_option,
        vr_option,
        ssaa_option,
        views_option,
        click.option(
            "--count",
            "counts",
            type=counts,
            multiple=True,
            metavar="DIMENSION=N,..",
            help="Instances of the multiplexing dimensions.",
        ),
        click.option(
            "--resolution",
            "resolutions",
            type=named_size,
            multiple=True,
            metavar="NAME=WxH",
            help="Fix an auto-resolution; repeatable.",
        ),
    ):
        command = option(command)
    return command


def farm_options(command: F) -> F:
    """Add options of jobs that workers share: who they are, and their devices."""
    for option in (
        click.option(
            "--device", metavar="NAME", default="", help="Part of the GPU's name. [default: RENDERWRIGHT_DEVICE]"
        ),
        click.option(
            "--backend",
            type=click.Choice(DEVICE_BACKENDS),
            help="[default: RENDERWRIGHT_BACKEND, else vulkan, else opengl where there is no Vulkan driver]",
        ),
        click.option("--anew", is_flag=True, help="Render also what is there already."),
        click.option(
            "--scheduler", metavar="URL", default="", help="Use the workers of a scheduler of dask.distributed."
        ),
        click.option(
            "--workers",
            type=WholeNumber(min=1),
            metavar="N",
            default=1,
            show_default=True,
            help="Processes of this machine; above 1 with the extra farm.",
        ),
    ):
        command = option(command)
    return command


def plugin_choice(
    enable: tuple[tuple[str, ...], ...],
    disable: tuple[tuple[str, ...], ...],
    settings: tuple[SettingChange, ...],
    needed: tuple[str, ...] = (),
) -> PluginChoice:
    """Combine the values of ``plugin_options``, which are repeatable.

    ``needed`` are plugins that other options require.
    """
    from renderwright.engine.options import PluginChoice

    return PluginChoice(
        tuple(dict.fromkeys([*(name for group in enable for name in group), *needed])),
        tuple(name for group in disable for name in group),
        settings,
    )


def frame_choice(
    enable: tuple[tuple[str, ...], ...],
    disable: tuple[tuple[str, ...], ...],
    settings: tuple[SettingChange, ...],
    *,
    views: int | None = None,
    ssaa: str | None = None,
    vr: bool = False,
) -> PluginChoice:
    """Like ``plugin_choice``, with the plugins that ``--views``, ``--ssaa`` and ``--vr`` need."""
    from renderwright.engine.options import SettingChange

    if ssaa is not None:
        settings = (*settings, SettingChange("ssaa", "samples", ssaa))
    needed = {}  # the plugins, and the options that need them
    if views is not None and views > 1:
        needed["split_screen"] = f"--views {views}"
    if ssaa is not None:
        needed["ssaa"] = f"--ssaa {ssaa}"
    if vr:
        needed["vr"] = "--vr"
    for name, option in needed.items():
        if any(name in group for group in disable):
            raise UsageError(
                f'{option} needs the plugin "{name}", which --disable names',
                hint=f"leave out {option}, or {name} of --disable",
            )
    return plugin_choice(enable, disable, settings, tuple(needed))
