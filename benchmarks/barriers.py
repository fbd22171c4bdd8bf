"""``framewright bench barriers``: how many barriers a frame has, beside one barrier for each access to a resource.

That is what a program does which keeps no account of what came before: in front of every use of every resource a
barrier of its own, in a call of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from benchmarks.synthetic_frame import synthetic_frame
from engine.frame import build_frame
from engine.game import Game
from engine.options import PluginChoice
from engine.plugins.discovery import find_plugins
from engine.renderer.frame_input import FrameInput
from engine.renderer.gpu_scene import GpuScene
from engine.scene.scene import Scene
from engine.skeleton import shipped_skeletons
from render.backend.null.backend import NullBackend
from render.compiler.operations import BarrierOp, SetEventOp, WaitEventOp
from render.compiler.pipeline import compile_snapshot
from render.compiler.plan import Plan
from render.compiler.snapshot import CompileOptions
from render.compiler.timeline import timelines
from render.graph.frame_graph import FrameGraph
from render.memory.needs import RowMajorModel

SYNTHETIC_SIZES = (300, 1000)


@dataclass(frozen=True)
class BarrierCounts:
    """What a frame has of each.

    ``naive`` is the number of accesses, ``barriers`` that of dependencies, of which ``split`` ones have two halves;
    ``calls`` are the commands that issue them, and ``events`` those that are set and waited for.
    """

    naive: int
    barriers: int
    calls: int
    split: int
    events: int

    @property
    def fewer_barriers(self) -> float:
        """The share of the naive barriers that is saved."""
        return 1.0 - self.barriers / self.naive if self.naive else 0.0

    @property
    def fewer_calls(self) -> float:
        """The share of the naive barriers' calls that is saved."""
        return 1.0 - self.calls / self.naive if self.naive else 0.0


def count_barriers(plan: Plan) -> BarrierCounts:
    """Those of an even frame."""
    accesses = [len(time.own) + len(time.history) + time.presented for time in timelines(plan.graph).values()]
    ops = [op for op in plan.program.even if isinstance(op, BarrierOp | SetEventOp | WaitEventOp)]
    waits = [op for op in ops if isinstance(op, WaitEventOp)]
    return BarrierCounts(
        sum(accesses),
        sum(len(op.barriers) for op in ops if not isinstance(op, SetEventOp)),
        sum(bool(op.barriers) for op in ops),
        sum(len(op.barriers) for op in waits),
        len(waits),
    )


def frames() -> Iterator[tuple[str, FrameGraph]]:
    """The graphs that are counted, by name: every shipped skeleton with all installed plugins, and synthetic frames."""
    plugins = tuple(found.name for found in find_plugins())
    for name in shipped_skeletons():
        yield f"{name}, {len(plugins)} plugins", skeleton_frame(name, plugins)
    for size in SYNTHETIC_SIZES:
        yield f"synthetic, {size}", synthetic_frame(size).graph


def skeleton_frame(skeleton: str, plugins: tuple[str, ...]) -> FrameGraph:
    """The frame of a game with nothing in it but its plugins."""
    game = type("Empty", (Game,), {"skeleton": skeleton, "plugins": plugins})
    frame = FrameInput.of(Scene(), GpuScene(NullBackend()))
    return build_frame(game, PluginChoice(), (1920, 1080), frame, backend="vulkan", strict=True).graph


def compile_frame(graph: FrameGraph) -> Plan:
    """A plan of the graph; needs no GPU."""
    failures = graph.declare()
    if failures:
        raise failures[0].error
    return compile_snapshot(graph.snapshot(), graph.sizes(), CompileOptions(), RowMajorModel())


def table(graphs: Iterable[tuple[str, FrameGraph]]) -> Table:
    """A row for each frame."""
    result = Table(title="Barriers a frame", box=SIMPLE, pad_edge=False, collapse_padding=True)
    result.add_column("frame", no_wrap=True)
    for title in ("accesses", "barriers", "fewer", "calls", "fewer", "split", "events"):
        result.add_column(title, justify="right", no_wrap=True)
    for name, graph in graphs:
        counts = count_barriers(compile_frame(graph))
        result.add_row(
            name,
            str(counts.naive),
            str(counts.barriers),
            f"{counts.fewer_barriers:.0%}",
            str(counts.calls),
            f"{counts.fewer_calls:.0%}",
            str(counts.split),
            str(counts.events),
        )
    return result


def run(console: Console) -> None:
    """Count, and print the table."""
    console.print(table(frames()))
