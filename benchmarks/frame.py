"""``renderwright bench frame``: CPU time of the render thread for a frame in which nothing has changed.

The frame is a chain of full-screen passes over small pictures, a share of which is stable, so that their commands are
kept; the others are recorded in each frame. The device has nearly nothing to do, and has finished before each frame.
The same chain is drawn on OpenGL; by hand on Vulkan, recorded in each frame or submitted again; and by other libraries
that are installed. A second table has the frames of a game, still and playing.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from benchmarks.frame_by_hand import HandWritten
from benchmarks.frame_of_game import EXTENT, GameFrames, measure_game
from benchmarks.measure import frame_times
from benchmarks.peers.peer import Peer
from renderwright.engine.garbage import calm_collector
from renderwright.render.backend.opengl import OpenGLBackend
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.errors import BackendError
from renderwright.render.graph.declare import Declare
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.types.resources import Texture

GLSL = Path(__file__).parent / "glsl"
PICTURE = Texture("rgba8_unorm", (16, 16))
SIZES = (10, 30, 100, 300, 1000)
SHARES = (0.0, 0.5, 1.0)
FRAMES = 300
RECORDED = "by hand, recorded"
RESUBMITTED = "by hand, submitted again"
PEERS = (
    Peer("wgpu-py, recorded", "frame_wgpu", "wgpu"),
    Peer("moderngl, finish not counted", "frame_moderngl", "moderngl"),
)
SETTLING = 20
"""Frames before those that count."""


@dataclass(frozen=True)
class FrameCost:
    """CPU seconds of a frame on the render thread."""

    median: float
    p99: float

    @classmethod
    def of(cls, seconds: Sequence[float]) -> FrameCost:
        """The cost of some frames."""
        return cls(statistics.median(seconds), statistics.quantiles(seconds, n=100)[98])


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
        return FrameCost.of(frame_times(lambda: runtime.render(None), backend.wait_idle, frames))


def by_hand(backend: VulkanBackend, passes: int, frames: int) -> tuple[FrameCost, FrameCost]:
    """The same chain written by hand: recorded in each frame, and submitted again."""
    with closing(HandWritten(backend, GLSL, passes)) as chain, calm_collector() as settle:
        for _ in range(SETTLING):
            chain.frame()
        settle()
        recorded = frame_times(chain.frame, chain.finish, frames)
        return FrameCost.of(recorded), FrameCost.of(frame_times(chain.resubmit, chain.finish, frames))


def of_peer(peer: Peer, passes: int, frames: int, device: str) -> FrameCost:
    """The cost in another library, which runs in a process of its own."""
    return FrameCost.of(json.loads(peer.run(str(passes), str(frames), device).splitlines()[-1]))


def measure_all(
    backend: VulkanBackend, opengl: Backend | None, passes: int, frames: int, device: str, peers: Sequence[Peer]
) -> dict[str, FrameCost]:
    """The costs by row of the table, one after the other."""
    costs = {_row(share): measure(backend, passes, share, frames) for share in SHARES}
    if opengl is not None:
        costs |= {f"OpenGL, {_row(share)}": measure(opengl, passes, share, frames) for share in (SHARES[0], SHARES[-1])}
    costs[RECORDED], costs[RESUBMITTED] = by_hand(backend, passes, frames)
    return costs | {peer.title: of_peer(peer, passes, frames, device) for peer in peers if peer.installed}


@click.command()
@click.option("--device", default="", help="Part of the name of the GPU to use.")
@click.option("--frames", type=click.IntRange(min=10), default=FRAMES, show_default=True, help="Of each measurement.")
@click.option("--passes", type=click.IntRange(min=1), multiple=True, default=SIZES, show_default=True)
@click.option("--peers/--no-peers", default=True, help="Also measure the other libraries that are installed.")
@click.option("--game", default="marbles", show_default=True, help="The game of the second table.")
def command(device: str, frames: int, passes: tuple[int, ...], peers: bool, game: str) -> None:
    """Measure the CPU time of a frame without changes."""
    with closing(VulkanBackend(device)) as backend, ExitStack() as others:
        click.echo(f"On {backend.capabilities.device}: {', '.join(map(str, passes))} passes, one after the other")
        opengl = _opengl(device, others)
        costs = [measure_all(backend, opengl, count, frames, device, PEERS if peers else ()) for count in passes]
        played = measure_game(backend, game, frames)
    table = Table(title="Microseconds of CPU time of the render thread for a frame")
    for name in ("passes", "", *map(str, passes)):
        table.add_column(name, justify="right" if name.isdigit() else "left")
    for row in costs[0]:
        table.add_row(row, "median", *(f"{cost[row].median * 1e6:,.0f}" for cost in costs))
        table.add_row("", "p99", *(f"{cost[row].p99 * 1e6:,.0f}" for cost in costs))
    for peer in PEERS:
        if not peer.installed:
            table.add_row(peer.title, "not installed")
    Console().print(table)
    Console().print(_table_of(game, played))


def _opengl(device: str, others: ExitStack) -> Backend | None:
    """OpenGL on the same device, if it is there."""
    try:
        return others.enter_context(closing(OpenGLBackend(device)))
    except BackendError as error:
        click.echo(f"without OpenGL: {error.message}")
        return None


def _table_of(game: str, frames: GameFrames) -> Table:
    table = Table(title=f"The same for {game}, {EXTENT[0]} x {EXTENT[1]}")
    for name in ("frame", "median", "p99"):
        table.add_column(name, justify="left" if name == "frame" else "right")
    parts = {
        "still": frames.still,
        **({"still, panel open": frames.panel} if frames.panel else {}),
        "playing: step of the game": frames.steps,
        "playing: rendering": frames.rendered,
        "playing": [sum(parts) for parts in zip(frames.steps, frames.rendered, strict=True)],
    }
    for name, seconds in parts.items():
        cost = FrameCost.of(seconds)
        table.add_row(name, f"{cost.median * 1e6:,.0f}", f"{cost.p99 * 1e6:,.0f}")
    return table


def _row(share: float) -> str:
    return f"{share:.0%} kept"
