"""Facts that an application states: nodes that ask for them are declared again when they change."""

from __future__ import annotations

import pytest

from renderwright.render.errors import GraphError
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry
from renderwright.render.types.resources import Texture


class Asking:
    """A node that asks for a fact and remembers the answers."""

    def __init__(self, *facts: str) -> None:
        self.facts = facts
        self.answers: list[object] = []

    def __call__(self, reg: Registry) -> None:
        self.answers.append(tuple(reg.fact(name) for name in self.facts))
        reg.create("a", Texture("rgba8_unorm", (4, 4))).color()


def test_a_node_is_declared_again_for_another_fact_and_no_other_node_is() -> None:
    graph = FrameGraph()
    asking, other = Asking("tiles"), Asking("lamps")
    graph.add_node("asking", asking)
    graph.add_node("other", other)
    graph.set_fact("tiles", 3)
    graph.declare()
    before = graph.revision
    graph.set_fact("tiles", 4)
    assert graph.revision == before + 1
    graph.declare()
    graph.set_fact("tiles", None)
    graph.declare()
    assert asking.answers == [(3,), (4,), (None,)]
    assert other.answers == [(None,)]


def test_an_equal_fact_and_one_that_nobody_asks_for_change_nothing() -> None:
    graph = FrameGraph()
    asking = Asking("tiles")
    graph.add_node("asking", asking)
    graph.set_fact("tiles", frozenset({1, 2}))
    graph.declare()
    before, declared = graph.revision, graph.declared_nodes
    graph.set_fact("tiles", frozenset({2, 1}))
    graph.set_fact("lamps", 1)
    graph.declare()
    assert (graph.revision, graph.declared_nodes) == (before, declared)
    assert asking.answers == [(frozenset({1, 2}),)]


def test_a_fact_has_a_name() -> None:
    with pytest.raises(GraphError, match="a fact that"):
        Registry("node", "").fact(3)  # type: ignore[arg-type]
