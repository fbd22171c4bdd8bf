"""``renderwright memory``: memory use of a game's or a skeleton's frame."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from renderwright.engine.cli import parameters

if TYPE_CHECKING:
    from renderwright.engine.options import BackendName, SettingChange
    from renderwright.render.backend.capabilities import Aliasing
    from renderwright.render.memory.needs import MemoryModel

MODEL = "the documented model"


@click.command(short_help="Show the memory use of a frame.")
@click.argument("source", metavar="GAME|FILE.yaml")
@click.option(
    "--size", type=parameters.size, default="1280x720", metavar="WxH", show_default=True, help="Size of the output."
)
@click.option(
    "--policy",
    type=click.Choice(["fast", "balanced", "thorough"]),
    default="balanced",
    show_default=True,
    help="Packing policy: how much search to spend.",
)
@click.option("--compare", is_flag=True, help="Compare with published packing methods and other orders.")
@click.option("--png", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Save a picture.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--backend",
    type=click.Choice(parameters.DEVICE_BACKENDS),
    help="[default: the one that plays games; with --no-device vulkan]",
)
@click.option(
    "--device",
    metavar="NAME",
    help="Take sizes from this GPU's driver. [default: RENDERWRIGHT_DEVICE, else the best]",
)
@click.option("--no-device", is_flag=True, help="Use no driver; sizes come from a documented model.")
@parameters.frame_options
@parameters.plugin_options
def memory(
    source: str,
    size: tuple[int, int],
    policy: str,
    compare: bool,
    png: Path | None,
    as_json: bool,
    backend: str | None,
    device: str | None,
    no_device: bool,
    resolutions: tuple[tuple[str, tuple[int, int]], ...],
    counts: tuple[tuple[tuple[str, int], ...], ...],
    no_multiview: bool,
    views: int | None,
    ssaa: str | None,
    vr: bool,
    enable: tuple[tuple[str, ...], ...],
    disable: tuple[tuple[str, ...], ...],
    settings: tuple[SettingChange, ...],
) -> None:
    """Print size, lower bound and use of each heap, for a game's first frame or a skeleton.

    Sizes come from a GPU's driver; without a GPU, or with --no-device, from a documented model.

    \b
    bound          lower bound: bytes of the heaviest clique of the conflict graph
    gap            excess of the heap over the bound
    occupancy      sum of size x live range / (heap x time)
    aliasing       sum of sizes / heap; resources that outlive their frame count twice
    fragmentation  excess of the heap over the largest total in use at once
    """
    if device is not None and no_device:
        raise click.UsageError("--device and --no-device exclude each other")
    from renderwright.engine.options import BackendName, PlanOptions
    from renderwright.engine.picture import check_picture_path, save_image
    from renderwright.engine.planning import plan_of
    from renderwright.render.inspect.memory_report import memory_report
    from renderwright.render.inspect.memory_text import memory_to_json, memory_to_text
    from renderwright.render.memory.policy import PackPolicy

    if png is not None:
        check_picture_path(png)
    options = PlanOptions(
        source=source,
        size=size,
        resolutions=resolutions,
        counts=tuple(pair for pairs in counts for pair in pairs),
        packing=PackPolicy(policy),
        plugins=parameters.frame_choice(enable, disable, settings, views=views, ssaa=ssaa, vr=vr),
        players=views,
        multiview=not no_multiview,
    )
    asked = BackendName(backend) if backend is not None else None
    with _sizes(asked, device, no_device) as (used, model, sizes, aliasing):
        options = replace(options, backend=used)
        best_order = plan_of(replace(options, search_order=True), model) if compare else None
        report = memory_report(plan_of(options, model), compare=compare, best_order=best_order, aliasing=aliasing)
    title = f"{source} at {size[0]}x{size[1]}"
    subtitle = f"{len(report.nodes)} nodes, packing {policy}, sizes from {sizes}"
    if png is not None:
        from renderwright.render.inspect.memory_picture import memory_picture

        save_image(png, memory_picture(report, f"{title}: the memory of two frames", subtitle), optimize=True)
    if as_json:
        head = {"source": source, "output": list(size), "policy": policy, "sizes": sizes}
        print(json.dumps(head | memory_to_json(report), indent=2))
        return
    print(f"{title}: {subtitle}")
    print(memory_to_text(report), end="")
    if png is not None:
        print(f"The picture is in {png}")


@contextmanager
def _sizes(
    asked: BackendName | None, device: str | None, no_device: bool
) -> Iterator[tuple[BackendName, MemoryModel, str, Aliasing]]:
    """The backend, the memory model, the source of its sizes in words, and what resources share."""
    from renderwright.engine.backends import choose_backend, make_backend
    from renderwright.engine.device_models import device_model
    from renderwright.engine.options import BackendName, PlayOptions
    from renderwright.render.backend.capabilities import Aliasing
    from renderwright.render.errors import RenderwrightError

    if no_device:
        used = asked or BackendName.VULKAN
        model = device_model(used)
        yield used, model.memory, MODEL, model.aliasing
        return
    used = choose_backend(asked).name
    try:
        backend = make_backend(PlayOptions(game="", backend=used, device=device or ""))
    except RenderwrightError as error:
        if device is not None:
            raise
        model = device_model(used)
        yield used, model.memory, f"{MODEL} (no GPU: {error.message})", model.aliasing
        return
    try:
        able = backend.capabilities
        source = "texels, on" if able.aliasing is Aliasing.TEXTURES else "the driver of"
        yield used, backend, f"{source} {able.device}", able.aliasing
    finally:
        backend.close()
