"""``renderwright bench orders``: declarations that mean the same, and tables that show what the search is worth."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

from benchmarks.orders import EFFECTS, case_of, exact_table, frame_table, random_table, searched
from benchmarks.random_graphs import frame_graph, random_nodes, shuffled
from benchmarks.synthetic_frame import synthetic_frame
from renderwright.engine.plugins.discovery import find_plugins
from renderwright.render.compiler.pipeline import compile_snapshot
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.memory.needs import RowMajorModel
from renderwright.render.order_search.better_order import heap_bytes


def test_shuffled_declarations_mean_the_same() -> None:
    """The same nodes and the same dependencies, modifiers in the same order."""
    for seed in range(6):
        nodes = random_nodes(seed, 30)
        plans = []
        for declared in (nodes, shuffled(nodes, seed)):
            graph = frame_graph(declared)
            plans.append(compile_snapshot(graph.snapshot(), graph.sizes(), CompileOptions(), RowMajorModel()))
        edges = [{(edge.before, edge.after) for edge in plan.graph.edges} for plan in plans]
        assert edges[0] == edges[1]
        assert [row.nodes for row in plans[0].graph.rows] == [row.nodes for row in plans[1].graph.rows]
        assert shuffled(nodes, seed) != list(nodes)
        assert {problem.severity for plan in plans for problem in plan.problems} <= {"note"}
        assert all(len(plan.graph.nodes) == len(nodes) for plan in plans)


def test_the_tables_show_what_was_measured() -> None:
    cases = [case_of(random_nodes(seed, count), 2) for seed, count in ((11, 8), (1, 12))]
    assert all(one.ratio <= 1.0 for case in cases for one in case.declared)
    assert min(one.ratio for case in cases for one in case.declared) < 0.95
    assert all(case.spread(found=True) <= 1.03 for case in cases)
    frame = synthetic_frame(30)
    frame.graph.declare()
    found = searched(frame.graph)
    console = Console(file=StringIO(), width=200)
    for table in (random_table(cases), frame_table([("synthetic", found)]), exact_table(cases)):
        console.print(table)
    text = console.file.getvalue()
    assert "2 random graphs, each in 2 declarations" in text
    assert f"{cases[0].declared[0].ratio:.3f}" in text
    assert f"{heap_bytes(found.policy) / 2**20:.1f}" in text
    assert text.count("2 of 2") == 3


def test_the_effects_of_the_shipped_frames_exist() -> None:
    assert set(EFFECTS.enable) <= {plugin.name for plugin in find_plugins()}
