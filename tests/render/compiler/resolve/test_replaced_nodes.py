"""A node may stand in for others, which are left out of the graph with that reason."""

from __future__ import annotations

from renderwright.render.compiler.diagnostics.findings import RemovalReason
from renderwright.render.compiler.resolve.stage import resolve
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry


def graph_of_two() -> FrameGraph:
    graph = FrameGraph()
    graph.add_sink("light")

    def sorted_(reg: Registry) -> None:
        reg.create("light", int)

    def unsorted(reg: Registry) -> None:
        reg.replaces("sorted", "absent")
        reg.create("light", int)

    graph.add_node("sorted", sorted_)
    graph.add_node("oit/unsorted", unsorted, plugin="oit")
    return graph


def test_the_replaced_node_is_left_out_and_told() -> None:
    graph = graph_of_two()
    assert graph.declare() == ()
    resolved = resolve(graph.snapshot())
    assert [node.name for node in resolved.nodes] == ["oit/unsorted"]
    (removal,) = resolved.removed
    assert (removal.node, removal.reason) == ("sorted", RemovalReason.REPLACED)
    assert removal.message == "`sorted` removed: `oit/unsorted` replaces it"
    assert resolved.problems == ()


def test_without_the_other_it_is_back() -> None:
    graph = graph_of_two()
    graph.remove_node("oit/unsorted")
    assert graph.declare() == ()
    resolved = resolve(graph.snapshot())
    assert [node.name for node in resolved.nodes] == ["sorted"]
    assert resolved.removed == ()
