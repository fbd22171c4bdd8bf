"""``renderwright bench barriers``: barriers of a frame, compared with one for each access.

The reference is a program without state tracking: it issues a barrier, in its own call, before every use of a resource
by a node, every clear command and the presentation.

The lower bound is the number of layout changes: a barrier changes the layout of one image, nothing else changes it, and
a live range in memory that another image has used begins in an undefined layout. Parts of a texture can change
together. Each frame is counted with a layout for each usage and with the general layout for all usages; in the latter
only begins of live ranges and the presentation remain in the bound.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import itemgetter

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from benchmarks.synthetic_frame import synthetic_frame
from renderwright.engine.frame import build_frame
from renderwright.engine.game import Game
from renderwright.engine.options import PluginChoice
from renderwright.engine.plugins.discovery import find_plugins
from renderwright.engine.renderer.frame_input import FrameInput
from renderwright.engine.renderer.gpu_scene import GpuScene
from renderwright.engine.scene.scene import Scene
from renderwright.engine.skeleton import shipped_skeletons
from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.compiler.pipeline import compile_snapshot
from renderwright.render.compiler.resources.access_history import AccessHistory, Cell, access_histories
from renderwright.render.compiler.values.instances import ResourceInstance
from renderwright.render.compiler.values.operations import BarrierOp, SetEventOp, WaitEventOp
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.memory.needs import RowMajorModel
from renderwright.render.memory.policy import PackPolicy
from renderwright.render.sync.barriers import ClearOp, SyncPlan
from renderwright.render.sync.flags import Layout
from renderwright.render.types.parts import WHOLE
from renderwright.render.types.resources import Texture

SYNTHETIC_SIZES = (300, 1000)

_READING_DEPTH = frozenset({Layout.SHADER_READ_ONLY, Layout.DEPTH_READ_ONLY})


@dataclass(frozen=True)
class BarrierCounts:
    """The counts of a frame.

    ``naive`` is the number of accesses, ``barriers`` the number of issued barriers, ``split`` of which have two halves.
    ``calls`` are the commands that issue them, ``events`` the events of split barriers. ``floor`` is the least number
    of barriers that the textures' layouts require.
    """

    naive: int
    barriers: int
    calls: int
    split: int
    events: int
    floor: int = 0

    @property
    def fewer_barriers(self) -> float:
        """The saved fraction of the naive barriers."""
        return 1.0 - self.barriers / self.naive if self.naive else 0.0

    @property
    def fewer_calls(self) -> float:
        """The saved fraction of the naive barriers' calls."""
        return 1.0 - self.calls / self.naive if self.naive else 0.0


def count_barriers(plan: Plan) -> BarrierCounts:
    """The counts of an even frame."""
    histories = access_histories(plan.graph)
    accesses = [len(time.own) + len(time.history_reads) + time.presented for time in histories.values()]
    clears = sum(isinstance(op, ClearOp) for op in plan.program.even)
    ops = [op for op in plan.program.even if isinstance(op, BarrierOp | SetEventOp | WaitEventOp)]
    waits = [op for op in ops if isinstance(op, WaitEventOp)]
    return BarrierCounts(
        sum(accesses) + clears,
        sum(len(op.barriers) for op in ops if not isinstance(op, SetEventOp)),
        sum(bool(op.barriers) for op in ops),
        sum(len(op.barriers) for op in waits),
        len(waits),
        sum(
            _layout_changes(item, histories[item.id], len(plan.graph.nodes), plan.sync)
            for item in plan.graph.resources
            if item.id in histories
        ),
    )


def _layout_changes(item: ResourceInstance, time: AccessHistory, nodes: int, sync: SyncPlan) -> int:
    """The least number of layout changes of a copy, from its first use in a frame to its last use in the next.

    Parts with the same change at the same time can share a barrier.
    """
    if not isinstance(item.resource.desc, Texture):
        return 0
    if sync.layouts.general(item.id):
        return ((item.id, 0) not in sync.image_reuse.keep_layout) + time.presented
    windows: dict[tuple[Layout | None, Layout], list[tuple[int, int]]] = {}
    for cell in time.cells or (Cell(WHOLE, time.own, time.history_reads),):
        uses = [(use.node, use.scope.layout) for use in cell.own]
        uses += [(nodes + use.node, use.scope.layout) for use in cell.history_reads]
        if item.resource.external and all(layout is Layout.SHADER_READ_ONLY for _, layout in uses):
            continue  # an asset, which stays in that layout
        before, after = None, -1
        for place, layout in uses:
            # Sampling and depth tests are both possible in the layout for reading depth.
            if layout is not before and not {before, layout} <= _READING_DEPTH:
                windows.setdefault((before, layout), []).append((after, place))
            before, after = layout, place
    return sum(_least(found) for found in windows.values()) + time.presented


def _least(windows: Iterable[tuple[int, int]]) -> int:
    """The fewest points such that each window (first, last] contains one."""
    points: list[int] = []
    for after, place in sorted(windows, key=itemgetter(1)):
        if not points or points[-1] <= after:
            points.append(place)
    return len(points)


def frames() -> Iterator[tuple[str, FrameGraph]]:
    """The graphs of the benchmark, by name: all shipped skeletons with all installed plugins, and synthetic frames."""
    plugins = tuple(found.name for found in find_plugins())
    for name in shipped_skeletons():
        yield name, skeleton_frame(name, plugins)
    for size in SYNTHETIC_SIZES:
        yield f"synthetic, {size}", synthetic_frame(size).graph


def skeleton_frame(skeleton: str, plugins: tuple[str, ...]) -> FrameGraph:
    """The frame of an empty game with these plugins."""
    game = type("Empty", (Game,), {"skeleton": skeleton, "plugins": plugins})
    frame = FrameInput.of(Scene(), GpuScene(NullBackend()))
    return build_frame(game, PluginChoice(), (1920, 1080), frame, backend="vulkan", strict=True).graph


def compile_frame(graph: FrameGraph, *, unified: bool = False) -> Plan:
    """The first plan of a graph, with a layout for each usage or ``unified`` layouts; needs no GPU."""
    failures = graph.declare()
    if failures:
        raise failures[0].error
    options = CompileOptions(packing=PackPolicy.BALANCED, unified_layouts=unified)
    return compile_snapshot(graph.snapshot(), graph.sizes(), options, RowMajorModel())


def table(graphs: Iterable[tuple[str, FrameGraph]]) -> Table:
    """Two rows for each frame: with a layout for each usage of a texture, and with the general layout for all."""
    result = Table(title="Barriers a frame; skeletons with all plugins", box=SIMPLE, show_edge=False, padding=0)
    result.add_column("frame", no_wrap=True)
    result.add_column("layouts", no_wrap=True)
    for title in ("accesses", "barriers", "fewer", "floor", "calls", "fewer", "split", "events"):
        result.add_column(title, justify="right", no_wrap=True)
    for name, graph, unified in ((*each, unified) for each in graphs for unified in (False, True)):
        counts = count_barriers(compile_frame(graph, unified=unified))
        result.add_row(
            "" if unified else name,
            "general" if unified else "by usage",
            str(counts.naive),
            str(counts.barriers),
            f"{counts.fewer_barriers:.0%}",
            str(counts.floor),
            str(counts.calls),
            f"{counts.fewer_calls:.0%}",
            str(counts.split),
            str(counts.events),
        )
    return result


def run(console: Console) -> None:
    """Count, and print the table."""
    console.print(table(frames()))
