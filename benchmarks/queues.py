"""``renderwright bench queues``: the gain of several queues and split barriers on frames that benefit from them."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from benchmarks.queue_background import Beside, measure_background
from benchmarks.queue_frame import Load, chains_frame, late_frame, queue_frame, results_of, running
from benchmarks.queue_uploads import Uploads, measure_uploads
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.runtime.times.gpu_clock import GpuInterval
from renderwright.render.sync.queues import ALL_QUEUES, GRAPHICS

WARM_UP = 8
BAR = 1.15
SLICES = 24
ONE_QUEUE = CompileOptions(order="overlap")
SEVERAL = {"one queue": ONE_QUEUE, "several queues": replace(ONE_QUEUE, queues=ALL_QUEUES)}
SPLIT = {
    "plain barriers": CompileOptions(order="declared", split_above=math.inf),
    "split barriers": CompileOptions(order="declared", split_above=0.0),
}


@dataclass(frozen=True)
class Measured:
    """Seconds of a frame by the host's clock, and seconds of overlap, both over many frames.

    The overlap is the time with work on the graphics queue and on another one at once, also of different frames.
    ``events`` are those of split barriers, ``results`` the results of the last frame.
    """

    queues: tuple[str, ...]
    events: int
    frame: float
    overlap: float
    results: tuple[bytes, ...]


def measure(graph: FrameGraph, backend: VulkanBackend, options: CompileOptions, frames: int) -> Measured:
    """Play the frame; nodes are assigned to queues by measured costs."""
    with running(graph, backend, options) as runtime:
        runtime.times.every = 1
        for _ in range(WARM_UP):
            runtime.render(None)
        runtime.adopt_measured_costs()
        for _ in range(WARM_UP):
            runtime.render(None)
        backend.wait_idle()
        start = time.perf_counter()
        found = [interval for _ in range(frames) for interval in _intervals(runtime)]
        backend.wait_idle()
        seconds = (time.perf_counter() - start) / frames
        plan = runtime.plan
        queues = tuple(queue for queue in ALL_QUEUES if queue in plan.queues.queues)
        return Measured(queues, plan.sync.events, seconds, overlap(found) / frames, results_of(runtime))


def _intervals(runtime: Runtime) -> Sequence[GpuInterval]:
    """The GPU intervals of a frame's report, on a clock that is continuous over frames."""
    report = runtime.render(None)
    assert report is not None
    start = report.gpu_start
    return [GpuInterval(one.queue, start + one.begin, start + one.end) for one in report.gpu_intervals.values()]


def overlap(intervals: Iterable[GpuInterval]) -> float:
    """Seconds for which the graphics queue and another one have work at the same time."""
    events = sorted(
        (at, change, one.queue == GRAPHICS) for one in intervals for at, change in ((one.begin, 1), (one.end, -1))
    )
    busy = {True: 0, False: 0}
    total, last = 0.0, 0.0
    for at, change, graphics in events:
        if all(busy.values()):
            total += at - last
        busy[graphics] += change
        last = at
    return total


def without_clock(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Leaves out the nodes' timestamps, because some drivers wait at them."""
    return (lambda *arguments: None) if name == "vkCmdWriteTimestamp2" else function


def objections(load: Load, device: str) -> list[str]:
    """The validation messages of some frames of each variant."""
    backend = VulkanBackend(device, validate=True)
    for make, variants in ((queue_frame, SEVERAL), (late_frame, SEVERAL), (chains_frame, SPLIT)):
        for options in variants.values():
            with running(make(load), backend, options) as runtime:
                for _ in range(6):
                    runtime.render(None)
                results_of(runtime)
    backend.close()
    return [f"{message.id}: {message.text}" for message in backend.validation_messages]


def _table(title: str, results: dict[str, Measured]) -> Table:
    table = Table(title=title)
    for column in ("", "queues", "events", "frame, ms", "both at once, ms", "ratio", "results"):
        table.add_column(column, justify="right" if "ms" in column or column == "ratio" else "left")
    first = next(iter(results.values()))
    for variant, one in results.items():
        same = "equal" if one.results == first.results else "DIFFERENT"
        times = (f"{one.frame * 1e3:.3f}", f"{one.overlap * 1e3:.3f}", f"{first.frame / one.frame:.2f}")
        table.add_row(variant, ", ".join(one.queues), str(one.events), *times, same)
    return table


def _uploads_table(title: str, results: dict[str, Uploads]) -> Table:
    table = Table(title=title)
    for column in ("textures", "frame, ms", "longest, ms", "longest by that without", "contents"):
        table.add_column(column, justify="right" if "longest" in column or "ms" in column else "left")
    first = next(iter(results.values()))
    for way, one in results.items():
        ratio = f"{one.longest / first.longest:.2f}"
        times = (f"{one.median * 1e3:.3f}", f"{one.longest * 1e3:.3f}", ratio)
        table.add_row(way, *times, "right" if one.right else "WRONG")
    return table


def _background_table(title: str, results: dict[str, Beside]) -> Table:
    table = Table(title=title)
    for column in ("long work", "frame, ms", "longest, ms", "longest by that without", "runs"):
        table.add_column(column, justify="left" if column == "long work" else "right")
    first = next(iter(results.values()))
    for way, one in results.items():
        ratio = f"{one.longest / first.longest:.2f}"
        table.add_row(way, f"{one.median * 1e3:.3f}", f"{one.longest * 1e3:.3f}", ratio, str(one.runs))
    return table


@click.command()
@click.option("--device", metavar="NAME", default="", help="Part of the GPU's name.")
@click.option("--frames", type=click.IntRange(min=4), default=300, show_default=True)
@click.option("--simulate", type=click.IntRange(min=1), default=Load.simulate, show_default=True, help="Steps.")
@click.option("--shade", type=click.IntRange(min=1), default=Load.shade, show_default=True, help="Steps.")
@click.option(
    "--texture", type=click.IntRange(min=1), default=2048, show_default=True, help="Side of what is streamed."
)
@click.option("--validate", is_flag=True, help="Play some frames under the validation layer, too.")
def command(device: str, frames: int, simulate: int, shade: int, texture: int, validate: bool) -> None:
    """Measure several queues, split barriers and streamed textures."""
    console = Console()
    load = Load(simulate=simulate, shade=shade)
    for title, make, variants, wrap in (
        ("Independent simulation, copy and drawing", queue_frame, SEVERAL, None),
        ("Simulation of the drawn picture, shown a frame later", late_frame, SEVERAL, None),
        ("Two chains of simulation on one queue, link by link in turn", chains_frame, SPLIT, without_clock),
    ):
        backend = VulkanBackend(device, wrap=wrap)
        try:
            results = {name: measure(make(load), backend, options, frames) for name, options in variants.items()}
        finally:
            backend.close()
        console.print(_table(f"{title}, on {backend.capabilities.device}", results))
    backend = VulkanBackend(device)
    try:
        options = SEVERAL["several queues"]
        light = replace(load, simulate=min(load.simulate, 1000))
        streaming = measure_uploads(backend, options, light, frames, texture)
        beside = measure_background(backend, options, replace(load, links=1), frames, SLICES)
    finally:
        backend.close()
    console.print(_uploads_table(f"A texture of {texture} x {texture} texels in every 8th frame", streaming))
    console.print(_background_table(f"Simulation in {SLICES} slices that frames do not wait for", beside))
    console.print(f"Several queues are to be {BAR} times as fast as one in either frame, where the device has several.")
    if validate:
        said = objections(load, device)
        console.print(f"objections of the validation layer: {len(said)}", highlight=False)
        for text in dict.fromkeys(said):
            console.print(text, markup=False, highlight=False)
