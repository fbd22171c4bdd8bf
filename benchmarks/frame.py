"""``renderwright bench frame``: CPU time of the render thread for a frame in which nothing has changed.

The frame is a chain of full-screen passes over small pictures, a share of which is stable, so that their commands are
kept; the others are recorded in each frame. The device has nearly nothing to do.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from renderwright.engine.garbage import calm_collector
from renderwright.render.backend.command_buffers import QueuedCommands
from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT, Backend
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.graph.declare import Declare
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.sync.queues import GRAPHICS
from renderwright.render.types.resources import Texture

GLSL = Path(__file__).parent / "glsl"
PICTURE = Texture("rgba8_unorm", (16, 16))
SIZES = (10, 30, 100, 300, 1000)
SHARES = (0.0, 0.5, 1.0)
FRAMES = 300
SETTLING = 20
"""Frames before those that count."""


@dataclass(frozen=True)
class FrameCost:
    """CPU seconds of a frame on the render thread."""

    median: float
    p99: float


def chain(passes: int, kept: float) -> FrameGraph:
    """A graph of full-screen passes, each of which samples the picture of the one before it."""
    graph = FrameGraph()
    graph.add_sink(f"picture {passes - 1}")
    stable = round(passes * kept)
    for number in range(passes):
        graph.add_node(f"pass {number}", _pass(number, stable=number < stable))
    return graph


def _pass(number: int, *, stable: bool) -> Declare:
    def declare(reg: Registry) -> Callable[[Any], None]:
        if number:
            reg.read(f"picture {number - 1}").sampled().bind("source")
        reg.create(f"picture {number}", PICTURE).color()
        pipeline = reg.graphics("pass.frag" if number else "begin.frag")
        if stable:
            reg.stable()
        return lambda cmd: cmd.draw(pipeline)

    return declare


def measure(backend: Backend, passes: int, kept: float, frames: int) -> FrameCost:
    """The cost of frames of a chain, once they have settled."""
    with closing(Runtime(chain(passes, kept), backend, ShaderLibrary([GLSL]))) as runtime, calm_collector() as settle:
        for _ in range(SETTLING):
            runtime.render(None)
        settle()
        return cost_of(lambda: runtime.render(None), backend, frames)


def resubmitted(backend: Backend, frames: int) -> FrameCost:
    """The bound: wait for a slot and submit a command buffer that was recorded before, by the same backend."""
    submissions = []
    for slot in range(FRAMES_IN_FLIGHT):
        commands = backend.create_commands(slot, GRAPHICS, "empty")
        backend.begin_frame(slot)
        backend.record(commands, [])
        submissions.append([QueuedCommands((commands,))])
        backend.end_frame(slot, submissions[slot], None)

    def frame() -> None:
        slot = next(slots)
        backend.begin_frame(slot)
        backend.end_frame(slot, submissions[slot], None)

    slots = cycle(range(FRAMES_IN_FLIGHT))
    return cost_of(frame, backend, frames)


def cost_of(frame: Callable[[], object], backend: Backend, frames: int) -> FrameCost:
    """The cost of frames that wait for nothing."""
    times = []
    for _ in range(frames):
        backend.wait_idle()
        start = time.thread_time()
        frame()
        times.append(time.thread_time() - start)
    return FrameCost(statistics.median(times), statistics.quantiles(times, n=100)[98])


@click.command()
@click.option("--device", default="", help="Part of the name of the GPU to use.")
@click.option("--frames", type=click.IntRange(min=10), default=FRAMES, show_default=True, help="Of each measurement.")
@click.option("--passes", type=click.IntRange(min=1), multiple=True, default=SIZES, show_default=True)
def command(device: str, frames: int, passes: tuple[int, ...]) -> None:
    """Measure what a frame in which nothing has changed costs the CPU."""
    table = Table(title="Microseconds of CPU time of the render thread for a frame: median, 99th percentile")
    table.add_column("passes", justify="right")
    for share in SHARES:
        table.add_column(f"{share:.0%} kept", justify="right")
    with closing(VulkanBackend(device)) as backend:
        bound = resubmitted(backend, frames)
        for count in passes:
            costs = [measure(backend, count, share, frames) for share in SHARES]
            table.add_row(str(count), *map(_text, costs))
    console = Console()
    console.print(table)
    console.print(f"An empty command buffer, submitted again by the same backend: {_text(bound)}")


def _text(cost: FrameCost) -> str:
    return f"{cost.median * 1e6:,.0f}, {cost.p99 * 1e6:,.0f}"
