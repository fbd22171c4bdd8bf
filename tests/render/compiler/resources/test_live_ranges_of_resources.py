"""Which resources have live ranges: those that take memory of the graph."""

from __future__ import annotations

from ordered_frames import Frame, fragment

from renderwright.render.compiler.resources.access_history import access_histories
from renderwright.render.compiler.resources.requirements import requirements
from renderwright.render.compiler.values.queue_plan import one_queue
from renderwright.render.types.usages import Usage


def test_a_resource_without_memory_of_the_graph_has_no_live_range() -> None:
    """An empty live range would be packed as the whole circle, the opposite."""
    frame = Frame().texture("made").texture("given", external=True).blob("value")
    frame.node("draw", fragment("made", Usage.COLOR), fragment("value", None))
    frame.node("mix", fragment("made", Usage.SAMPLED), fragment("given", Usage.COLOR))
    graph = frame.graph()
    found = requirements(graph, access_histories(graph), one_queue(len(graph.nodes)).execution_intervals)
    assert {each.item.id: (each.live_ranges, each.owned) for each in found.resources} == {
        "made": (((0, 2), (2, 4)), True),
        "given": (None, False),
        "value": (None, False),
    }
