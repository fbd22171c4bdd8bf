"""``renderwright bench orders``: heaps in the orders that the search finds, against the policy's and the best of all.

140 random graphs of 8 to 300 nodes, each declared in several orders that mean the same, and the shipped frames. Small
graphs are compared with the least heap of all orders and packings (CP-SAT, if OR-tools is installed).
"""

from __future__ import annotations

import importlib.util
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import click
from rich.box import SIMPLE
from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.random_graphs import Node, frame_graph, random_nodes, shuffled
from benchmarks.synthetic_frame import synthetic_frame
from renderwright.engine.options import PlanOptions, PluginChoice
from renderwright.engine.planning import plan_of
from renderwright.render.compiler.pipeline import Compiler
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.memory.loops import warm_up
from renderwright.render.memory.needs import RowMajorModel
from renderwright.render.memory.policy import PackPolicy
from renderwright.render.order_search.better_order import heap_bytes, plan_in_better_order
from renderwright.render.order_search.problem import OrderProblem, order_problem
from renderwright.render.order_search.schedule_cost import schedule_model
from renderwright.render.order_search.search import DEFAULT_BOUND, UNBOUNDED, OrderBound
from renderwright.render.order_search.whole_passes import with_whole_passes

COUNTS = (8, 12, 20, 40, 80, 150, 300)
SMALL = 12
"""Graphs of so many nodes and less are compared with the least heap of all."""

BOUNDS = {
    "any": UNBOUNDED,
    "no pass cut": replace(UNBOUNDED, keep_passes=True),
    "no pass cut, 2 % GPU time": DEFAULT_BOUND,
}
"""The bounds of the comparison with the least heap of all."""

OPTIONS = CompileOptions(packing=PackPolicy.BALANCED)
EFFECTS = PluginChoice(
    enable=("ssao", "taa", "bloom", "depth_of_field", "motion_blur", "fog", "outline", "shadows", "tonemap")
)
SYNTHETIC = (30, 100, 300)


@dataclass(frozen=True)
class Effort:
    """Graphs of each size, and the declarations of each."""

    graphs: int
    declarations: int


FULL = Effort(20, 3)
QUICK = Effort(3, 2)


@dataclass(frozen=True)
class Found:
    """A declared frame: its plan in the policy's order and in the order found, and CPU seconds of the search."""

    policy: Plan
    found: Plan
    seconds: float

    @property
    def ratio(self) -> float:
        """The heap of the order found over that of the policy's."""
        return heap_bytes(self.found) / heap_bytes(self.policy)


@dataclass(frozen=True)
class Case:
    """A random graph in several declarations."""

    nodes: tuple[Node, ...]
    declared: tuple[Found, ...]

    def spread(self, *, found: bool) -> float:
        """The largest heap of any declaration over the smallest."""
        heaps = [heap_bytes(one.found if found else one.policy) for one in self.declared]
        return max(heaps) / min(heaps)


@click.command("orders")
@click.option("--quick", is_flag=True, help="Three graphs of each size instead of twenty, in two declarations.")
def command(quick: bool) -> None:
    """Compare the heaps of found orders with the policy's order.

    Orders of small graphs are compared with the best of all orders, too.
    """
    run(Console(), QUICK if quick else FULL)


def run(console: Console, effort: Effort = FULL) -> None:
    """Measure and print."""
    warm_up()
    drawn = [(count, seed) for count in COUNTS for seed in range(effort.graphs)]
    cases = [
        case_of(random_nodes(seed, count), effort.declarations)
        for count, seed in track(drawn, "random graphs", console=console, transient=True)
    ]
    console.print(random_table(cases))
    console.print(frame_table(list(shipped_frames())))
    if importlib.util.find_spec("ortools") is None:
        console.print("The comparison with the least heap of all orders needs OR-tools: pip install ortools")
        return
    small = [case for case in cases if len(case.nodes) <= SMALL]
    console.print(exact_table(list(track(small, "exact search", console=console, transient=True))))


def case_of(nodes: tuple[Node, ...], declarations: int) -> Case:
    """The graph as it is and in shuffled declarations."""
    others = [shuffled(nodes, seed) for seed in range(1, declarations)]
    return Case(nodes, tuple([searched(frame_graph(declared)) for declared in (nodes, *others)]))


def searched(graph: FrameGraph, bound: OrderBound = DEFAULT_BOUND) -> Found:
    """The plans of a graph."""
    compiler = Compiler(RowMajorModel())
    snapshot, sizes = graph.snapshot(), graph.sizes()
    policy = compiler.compile(snapshot, sizes, OPTIONS)
    start = time.process_time()
    found = plan_in_better_order(compiler, snapshot, sizes, OPTIONS, bound)
    return Found(policy, found, time.process_time() - start)


def random_table(cases: Sequence[Case]) -> Table:
    """By number of nodes: the gain (median, least and most), and the spread, the largest heap of any declaration of a
    graph over the smallest (median and worst), without and with the search."""
    table = Table(title=f"{len(cases)} random graphs, each in {len(cases[0].declared)} declarations", box=SIMPLE)
    for name in (
        "nodes",
        "found / policy",
        "least",
        "most",
        "policy: spread",
        "worst",
        "found: spread",
        "worst",
        "CPU s",
    ):
        table.add_column(name, justify="right", no_wrap=True)
    counts = sorted({len(case.nodes) for case in cases})
    for count in counts:
        _add_row(table, str(count), [case for case in cases if len(case.nodes) == count])
    _add_row(table, "all", cases)
    return table


def _add_row(table: Table, name: str, cases: Sequence[Case]) -> None:
    ratios = [one.ratio for case in cases for one in case.declared]
    policy, found = ([case.spread(found=which) for case in cases] for which in (False, True))
    seconds = statistics.median([one.seconds for case in cases for one in case.declared])
    gains = (statistics.median(ratios), min(ratios), max(ratios))
    numbers = (*gains, statistics.median(policy), max(policy), statistics.median(found), max(found))
    table.add_row(name, *(f"{number:.3f}" for number in numbers), f"{seconds:.2f}")


def shipped_frames() -> Iterator[tuple[str, Found]]:
    """The sample game with and without effects, for one view and for four, and the synthetic frames."""
    for name, plugins in (("marbles", PluginChoice()), ("marbles, all effects", EFFECTS)):
        for views in (1, 4):
            options = PlanOptions(
                "marbles", (1920, 1080), counts=(("view", views),), packing=PackPolicy.BALANCED, plugins=plugins
            )
            policy = plan_of(options)
            start = time.process_time()
            found = plan_of(replace(options, search_order=True))
            yield f"{name}, {views} view{'s' if views > 1 else ''}", Found(policy, found, time.process_time() - start)
    for size in SYNTHETIC:
        frame = synthetic_frame(size)
        frame.graph.declare()
        yield f"synthetic, {size} nodes", searched(frame.graph)


def frame_table(frames: Sequence[tuple[str, Found]]) -> Table:
    """The shipped frames."""
    table = Table(title="shipped frames", box=SIMPLE)
    table.add_column("frame", no_wrap=True)
    for name in ("policy, MiB", "found, MiB", "found / policy", "passes", "CPU s"):
        table.add_column(name, justify="right", no_wrap=True)
    for name, one in frames:
        sizes = (f"{heap_bytes(plan) / 2**20:.1f}" for plan in (one.policy, one.found))
        passes = f"{len(one.policy.pass_plan.passes)} -> {len(one.found.pass_plan.passes)}"
        table.add_row(name, *sizes, f"{one.ratio:.3f}", passes, f"{one.seconds:.2f}")
    return table


def exact_table(cases: Sequence[Case]) -> Table:
    """The order found within each bound against the least heap of any legal order, or of those that cut no pass; where
    that is proved. The exact search does not know the bound on GPU time."""
    table = Table(title=f"{len(cases)} graphs of up to {SMALL} nodes: heap over the least of all", box=SIMPLE)
    table.add_column("orders", no_wrap=True)
    for name in ("policy: median", "worst", "found: median", "worst", "proved"):
        table.add_column(name, justify="right", no_wrap=True)
    for name, bound in BOUNDS.items():
        policies, founds = [], []
        for case in cases:
            one = searched(frame_graph(case.nodes), bound)
            least = proved_least(one, bound)
            if least is not None:
                policies.append(heap_bytes(one.policy) / least)
                founds.append(heap_bytes(one.found) / least)
        cells = ["-"] * 4
        if founds:
            numbers = (statistics.median(policies), max(policies), statistics.median(founds), max(founds))
            cells = [f"{number:.3f}" for number in numbers]
        table.add_row(name, *cells, f"{len(founds)} of {len(cases)}")
    return table


def proved_least(one: Found, bound: OrderBound) -> int | None:
    """The least heap of all orders that the bound allows; None where the exact search has not ended in time."""
    from benchmarks.exact_orders import least_heap  # OR-tools are a development dependency

    least = least_heap(problem_of(one.policy, bound), heap_bytes(one.found))
    return least.size if least.proved else None


def problem_of(plan: Plan, bound: OrderBound) -> OrderProblem:
    """The orders of a plan's nodes that the bound allows, but for its time."""
    whole = order_problem(plan.graph, plan.placement, {})
    if not bound.keep_passes:
        return whole
    order = whole.order_of([node.id for node in plan.graph.nodes])
    return with_whole_passes(whole, order, schedule_model(whole.facts))
