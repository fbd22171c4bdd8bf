"""``renderwright bench compile``: the cost of compiling and recompiling frames.

The garbage collector is configured as in a running game (``renderwright.engine.garbage``). So are the packer's loops:
from 150 copies of resources on, a game's first packing compiles them with numba, if installed, and later packings use
them. The cost of changes without numba is printed as well. A peer (rustworkx, if installed: topological sort and
reachability of the same graph) gives a scale that does not drift with the machine.
"""

from __future__ import annotations

import platform
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.measure import median_seconds
from benchmarks.synthetic_frame import SyntheticFrame, synthetic_frame
from renderwright.engine.garbage import calm_collector
from renderwright.render.compiler.pipeline import Compiler
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.incremental.memo import Memo
from renderwright.render.memory.loops import current, warm_up
from renderwright.render.memory.needs import RowMajorModel
from renderwright.render.types.resources import Extent

SIZES = (30, 100, 300, 1000, 3000)
COMPILED_FROM = 300
"""The number of nodes with 150 copies of resources, from which on a game's first packing compiles the loops."""

DYNAMIC_STEPS = 31
CLOCK = time.thread_time
"""CPU time of this thread: a compile runs on one thread, and other work should not count."""

REPEATS = {30: 15, 100: 11, 300: 9, 1000: 5, 3000: 3}

_median = partial(median_seconds, clock=CLOCK)


@dataclass(frozen=True)
class Result:
    """Seconds of each operation on one size, and of each stage of a full compile."""

    nodes: int
    instances: int
    operations: dict[str, float]
    stages: dict[str, float]


class TimedMemo(Memo):
    """A memo that records the duration of each stage."""

    def __init__(self) -> None:
        super().__init__()
        self.seconds: dict[str, float] = {}

    def __call__(self, stage: Callable[..., Any], *inputs: Any) -> Any:
        """See ``Memo``."""
        start = CLOCK()
        output = super().__call__(stage, *inputs)
        self.seconds[stage.__name__] = self.seconds.get(stage.__name__, 0.0) + CLOCK() - start
        return output


def measure(size: int, repeats: int, settle: Callable[[], None]) -> Result:
    """Measure one size; ``settle`` is the function that a game calls after its first plan."""
    frame = synthetic_frame(size)
    options = CompileOptions()
    compiler = Compiler(RowMajorModel())

    dynamic: tuple[tuple[str, Extent], ...] = ()

    def compile_now() -> Plan:
        return compiler.compile(frame.graph.snapshot(), replace(frame.graph.sizes(), dynamic=dynamic), options)

    def fresh() -> None:
        nonlocal compiler
        compiler = Compiler(RowMajorModel())

    operations: dict[str, float] = {}
    start = CLOCK()
    frame.graph.declare()
    operations["declare"] = CLOCK() - start
    compile_now()
    settle()
    operations["full compile"] = _median(compile_now, repeats, fresh)
    stages = _stage_shares(frame, options, repeats)
    operations |= _changes(frame, options, repeats, settle)
    fresh()
    compile_now()
    steps = iter(range(10**6))

    def step() -> None:
        nonlocal dynamic
        width = 1000 + next(steps)  # a new value each time
        dynamic = (("output", (width, width * 9 // 16)),)

    operations["dynamic-resolution step, new"] = _median(compile_now, DYNAMIC_STEPS, step)
    dynamic = ()
    operations["nothing changed"] = _median(compile_now, repeats)
    peer = _peer(frame)
    if peer is not None:
        operations["peer: sort and cull (rustworkx)"] = _median(peer, repeats)
    return Result(frame.nodes, len(compile_now().graph.nodes), operations, stages)


def changes_without_numba(size: int, repeats: int, settle: Callable[[], None]) -> dict[str, float]:
    """Seconds of the operations that pack, with interpreted loops; empty if the loops have been compiled."""
    if current().compiled:
        return {}
    frame = synthetic_frame(size)
    frame.graph.declare()
    return _changes(frame, CompileOptions(), repeats, settle)


def _changes(
    frame: SyntheticFrame, options: CompileOptions, repeats: int, settle: Callable[[], None]
) -> dict[str, float]:
    """Medians of toggling a plugin and of a new size."""
    off, on = _toggles(frame, options, repeats, settle)
    resize = _resizes(frame, options, repeats, settle)
    return {"toggle a plugin, new": off, "toggle it back": on, "resize, new": resize}


def _resizes(frame: SyntheticFrame, options: CompileOptions, repeats: int, settle: Callable[[], None]) -> float:
    sizes = [(1920, 1080), (1600, 900), (1280, 720), (2560, 1440)]
    turn = iter(range(10**6))
    compiler = Compiler(RowMajorModel())

    def compile_now() -> Plan:
        return compiler.compile(frame.graph.snapshot(), frame.graph.sizes(), options)

    def resize() -> None:
        nonlocal compiler
        compiler = Compiler(RowMajorModel())
        compile_now()
        settle()
        frame.resize(*sizes[next(turn) % len(sizes)])

    return _median(compile_now, repeats, resize)


def _stage_shares(frame: SyntheticFrame, options: CompileOptions, repeats: int) -> dict[str, float]:
    runs: list[dict[str, float]] = []
    for _ in range(repeats):
        memo = TimedMemo()
        Compiler(RowMajorModel(), memo).compile(frame.graph.snapshot(), frame.graph.sizes(), options)
        runs.append(memo.seconds)
    return {stage: statistics.median(run[stage] for run in runs) for stage in runs[0]}


def _toggles(
    frame: SyntheticFrame, options: CompileOptions, repeats: int, settle: Callable[[], None]
) -> tuple[float, float]:
    """Medians of switching a plugin off for the first time, and on again, including declares."""
    off: list[float] = []
    on: list[float] = []
    for _ in range(repeats):
        compiler = Compiler(RowMajorModel())
        compiler.compile(frame.graph.snapshot(), frame.graph.sizes(), options)
        settle()
        for switch, times in ((frame.switch_off, off), (frame.switch_on, on)):
            start = CLOCK()
            switch()
            frame.graph.declare()
            compiler.compile(frame.graph.snapshot(), frame.graph.sizes(), options)
            times.append(CLOCK() - start)
    return statistics.median(off), statistics.median(on)


def _peer(frame: SyntheticFrame) -> Callable[[], object] | None:
    try:
        import rustworkx
    except ImportError:
        return None
    plan = Compiler(RowMajorModel()).compile(frame.graph.snapshot(), frame.graph.sizes(), CompileOptions())
    numbers = {node.id: number for number, node in enumerate(plan.graph.nodes)}
    pairs = [
        (numbers[before], numbers[after])
        for group in plan.graph.precedences
        for before in group.befores[-1:]
        for after in group.afters
    ]

    def run() -> object:
        graph = rustworkx.PyDiGraph()
        graph.add_nodes_from(list(numbers))
        graph.add_edges_from_no_data(pairs)
        return rustworkx.topological_sort(graph), rustworkx.ancestors(graph, len(numbers) - 1)

    return run


def tables(results: Sequence[Result]) -> list[Table]:
    """The measurements, in milliseconds, and each stage's share of a full compile."""
    times = Table(title="Compiling a frame, milliseconds of CPU time (medians)")
    shares = Table(title="Share of each stage of a full compile, per cent")
    for table, first in ((times, "operation"), (shares, "stage")):
        table.add_column(first, no_wrap=True)
        for result in results:
            table.add_column(f"{result.nodes:,}\nnodes", justify="right")
    times.add_row("instances after multiplexing", *(f"{result.instances:,}" for result in results))
    for name in results[-1].operations:
        times.add_row(name, *(f"{result.operations[name] * 1e3:.2f}" for result in results))
    for stage in results[-1].stages:
        cells = (f"{100 * result.stages[stage] / sum(result.stages.values()):.0f}" for result in results)
        shares.add_row(stage, *cells)
    return [times, shares]


def run(console: Console) -> None:
    """Measure and print."""
    results = []
    slow: dict[str, float] = {}
    for size in SIZES:
        with console.status(f"{size} nodes"), calm_collector() as settle:
            if size >= COMPILED_FROM:
                slow = slow or changes_without_numba(size, REPEATS[size], settle)
                warm_up()
            results.append(measure(size, REPEATS[size], settle))
    for table in tables(results):
        console.print(table)
    if slow and current().compiled:
        words = ", ".join(f"{name} {seconds * 1e3:.2f}" for name, seconds in slow.items())
        console.print(f"Without numba, {COMPILED_FROM} nodes, milliseconds: {words}.", highlight=False)
    by_size = {size: result.operations["full compile"] for size, result in zip(SIZES, results, strict=True)}
    console.print(f"3,000 nodes take {by_size[3000] / by_size[300]:.1f} times as long as 300.", highlight=False)
    python = f"{platform.python_implementation()} {platform.python_version()} of {sys.base_prefix}"
    console.print(f"Measured with {python}.", highlight=False)
