"""``renderwright bench fullscreen``: GPU time of full-screen nodes as fragment and as compute shaders.

Each way has a device of its own. Their frames alternate, and each waits for the device, so that neither runs beside the
other. The times are those of the GPU's timestamps.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import click

from benchmarks.printed_rows import Column, PrintedRows
from renderwright.engine.cli import parameters
from renderwright.engine.clock import FixedStepClock
from renderwright.engine.games import find_game
from renderwright.engine.options import PluginChoice
from renderwright.engine.session import Session
from renderwright.render.backend.target import Target
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.graph.commands import Commands
from renderwright.render.graph.declare import Execute
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.memory.policy import PackPolicy
from renderwright.render.runtime.frame_report import FrameReport
from renderwright.render.runtime.runtime import Runtime
from renderwright.render.shaders.library import ShaderLibrary
from renderwright.render.sync.queues import ALL_QUEUES, GRAPHICS
from renderwright.render.types.fullscreen import Fullscreen
from renderwright.render.types.resources import Extent, Texture

GLSL = Path(__file__).parent / "glsl"
WAYS = (Fullscreen.FRAGMENT, Fullscreen.COMPUTE)
FETCHES = (1, 16, 64)
FRAMES = 60
WARM_UP = 12
"""Frames before those that count; the first four have no times."""
FRAME = 1.0 / 60.0


@dataclass(frozen=True)
class Times:
    """Medians in seconds: of each node, and of the time of a frame in which at least one node ran."""

    nodes: Mapping[str, float]
    frame: float


@dataclass(frozen=True)
class Played:
    """The times of a game's frames in one way, and its plan."""

    times: Times
    plan: Plan


class Collector:
    """Collects the times of frames, which ``render`` draws one at a time."""

    def __init__(self, backend: VulkanBackend, runtime: Runtime, render: Callable[[], FrameReport | None]) -> None:
        runtime.times.every = 1
        self._backend = backend
        self._render = render
        self._nodes: dict[str, list[float]] = defaultdict(list)
        self._frames: list[float] = []

    def frame(self, *, counts: bool) -> None:
        """Render a frame and wait for it."""
        report = self._render()
        self._backend.wait_idle()
        if not counts or report is None or not report.gpu_times:
            return
        self._frames.append(report.gpu_seconds)
        for node, seconds in report.gpu_times.items():
            self._nodes[node].append(seconds)

    def times(self) -> Times:
        """The medians."""
        nodes = {node: statistics.median(seconds) for node, seconds in self._nodes.items()}
        return Times(nodes, statistics.median(self._frames))


def in_turn(collectors: Mapping[Fullscreen, Collector], frames: int) -> dict[Fullscreen, Times]:
    """The times of frames that alternate between the ways."""
    for number in range(WARM_UP + frames):
        for collector in collectors.values():
            collector.frame(counts=number >= WARM_UP)
    return {way: collector.times() for way, collector in collectors.items()}


def play(
    game: str,
    enable: tuple[str, ...],
    size: Extent,
    frames: int,
    *,
    queues: tuple[str, ...] = ALL_QUEUES,
    order: str = "balanced",
    device: str = "",
) -> dict[Fullscreen, Played]:
    """Play a game both ways."""
    with ExitStack() as stack:
        collectors, sessions = {}, {}
        for way in WAYS:
            backend = stack.enter_context(closing(VulkanBackend(device)))
            options = CompileOptions(order, packing=PackPolicy.BALANCED, queues=queues, fullscreen=way)
            found = find_game(game)
            session = Session(
                found,
                backend,
                size,
                choice=PluginChoice(enable=enable),
                clock=FixedStepClock(found.step, frame=FRAME),
                options=options,
                strict=True,
            )
            sessions[way] = stack.enter_context(closing(session))
            target = stack.enter_context(closing(backend.create_target(size)))
            stack.callback(backend.wait_idle)

            collectors[way] = Collector(backend, session.runtime, partial(_next_frame, session, target))
        times = in_turn(collectors, frames)
        return {way: Played(times[way], session.runtime.plan) for way, session in sessions.items()}


def _next_frame(session: Session, target: Target) -> FrameReport | None:
    session.step()
    return session.render(target)


def fetches(count: int, size: Extent, frames: int, device: str) -> dict[Fullscreen, float]:
    """Seconds of a full-screen node that fetches so many texels for each one, both ways."""
    with ExitStack() as stack:
        collectors = {}
        for way in WAYS:
            backend = stack.enter_context(closing(VulkanBackend(device)))
            graph = FrameGraph()
            graph.add_sink("result")
            graph.add_node("source", lambda reg: _source(reg, size))
            graph.add_node("fetch", lambda reg: _fetch(reg, size, count))
            options = CompileOptions(queues=(GRAPHICS,), fullscreen=way)
            runtime = stack.enter_context(closing(Runtime(graph, backend, ShaderLibrary([GLSL]), options=options)))
            stack.callback(backend.wait_idle)
            collectors[way] = Collector(backend, runtime, partial(runtime.render, None))
        return {way: times.nodes["fetch"] for way, times in in_turn(collectors, frames).items()}


def _source(reg: Registry, size: Extent) -> Execute:
    reg.create("picture", Texture("rgba16_sfloat", size)).color(clear=(0.5, 0.25, 0.125, 1.0))
    return lambda cmd: None


def _fetch(reg: Registry, size: Extent, count: int) -> Execute:
    reg.read("picture").sampled().bind("source")
    reg.create("result", Texture("rgba16_sfloat", size)).color()
    pipeline = reg.fullscreen("fetches.frag", defines={"FETCHES": count})

    def execute(cmd: Commands) -> None:
        cmd.draw(pipeline)

    return execute


_COSTS = (Column(WAYS[0], 10), Column(WAYS[1], 10), Column("fragment / compute"))
_NODE_WIDTH, _WAY_WIDTH = 28, 10


def print_fetches(size: Extent, frames: int, device: str) -> None:
    """Milliseconds by number of fetches."""
    rows = PrintedRows(
        "Milliseconds of one full-screen node alone, by the texels that it fetches for each one that it writes",
        (Column("fetches"), *_COSTS),
    )
    for count in FETCHES:
        seconds = fetches(count, size, frames, device)
        rows.add(str(count), *_cells(seconds[Fullscreen.FRAGMENT], seconds[Fullscreen.COMPUTE]))
    rows.end()


def print_nodes(found: Mapping[Fullscreen, Played], least: float) -> None:
    """Milliseconds by node, the slowest first, without nodes that take less than ``least`` in both ways."""
    columns = (Column("node", _NODE_WIDTH, left=True), Column("as compute", _WAY_WIDTH, left=True), *_COSTS)
    rows = PrintedRows("Milliseconds of GPU time by node; medians", columns)
    drawn, computed = found[Fullscreen.FRAGMENT].times, found[Fullscreen.COMPUTE].times
    ways = ways_of_nodes(found[Fullscreen.COMPUTE].plan)
    for node in sorted(drawn.nodes, key=lambda node: -drawn.nodes[node]):
        pair = drawn.nodes[node], computed.nodes.get(node, 0.0)
        if max(pair) * 1e3 >= least:
            rows.add(node, ways.get(node, ""), *_cells(*pair))
    rows.add("the frame", "", *_cells(drawn.frame, computed.frame))
    rows.end()


def ways_of_nodes(plan: Plan) -> dict[str, str]:
    """How the full-screen nodes of a plan run, by instance."""
    drawn = {one.node: f"no: {one.reason}" for one in plan.resolved.drawn}
    return {
        node.id: drawn.get(node.declaration.name, "yes")
        for node in plan.graph.nodes
        if any(pipeline.fullscreen for pipeline in node.declaration.pipelines)
    }


def _cells(fragment: float, compute: float) -> tuple[str, str, str]:
    ratio = f"{fragment / compute:.2f}" if compute else ""
    return f"{fragment * 1e3:.3f}", f"{compute * 1e3:.3f}", ratio


@click.command()
@click.option("--game", default="marbles", show_default=True, help="The game that is played.")
@click.option("--enable", type=parameters.names, default="taa,ssao", metavar="P,..", show_default=True, help="Plugins.")
@click.option("--size", type=parameters.size, default="3840x2160", metavar="WxH", show_default=True)
@click.option("--frames", type=click.IntRange(min=5), default=FRAMES, show_default=True, help="Of each way.")
@click.option("--queues", type=parameters.queues, default=",".join(ALL_QUEUES), metavar="Q,..", show_default=True)
@click.option("--order", default="balanced", metavar="POLICY", show_default=True, help="Ordering policy.")
@click.option("--least", type=float, default=0.05, show_default=True, help="Leave out nodes of fewer milliseconds.")
@click.option("--device", default="", help="Part of the name of the GPU to use.")
def command(
    game: str,
    enable: tuple[str, ...],
    size: Extent,
    frames: int,
    queues: tuple[str, ...],
    order: str,
    least: float,
    device: str,
) -> None:
    """Measure full-screen nodes as fragment and compute shaders.

    The tables have the GPU time of each node in the frame, and alone.
    """
    with closing(VulkanBackend(device)) as backend:
        able = backend.capabilities
    plugins = f" with {', '.join(enable)}" if enable else ""
    click.echo(
        f"On {able.device}: {game}{plugins}, {size[0]} x {size[1]} texels, {frames} frames each way in turn after "
        f"{WARM_UP}.\n"
        "fragment / compute is the time as a fragment shader over that as a compute shader; above 1, compute is "
        "faster.\n"
        f"Nodes that are not full screen run the same both ways. --fullscreen auto takes {able.fullscreen} here.\n"
    )
    print_nodes(play(game, enable, size, frames, queues=queues, order=order, device=device), least)
    print_fetches(size, frames, device)
