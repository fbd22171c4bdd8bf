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


def test_a_node_states_facts_while_it_is_in_the_graph() -> None:
    graph = FrameGraph()
    asking = Asking("tiles")
    graph.add_node("asking", asking)
    graph.add_node("stating", lambda reg: None, facts={"tiles": 3})
    graph.declare()
    before = graph.source("stating")
    graph.add_node("stating", lambda reg: None, facts={"tiles": 4})
    graph.declare()
    graph.restore(before)
    graph.declare()
    graph.remove_node("stating")
    graph.declare()
    assert asking.answers == [(3,), (4,), (3,), (None,)]


def test_what_the_application_states_goes_before_what_nodes_state() -> None:
    graph = FrameGraph()
    asking = Asking("tiles")
    graph.add_node("asking", asking)
    graph.add_node("stating", lambda reg: None, facts={"tiles": 3})
    graph.set_fact("tiles", 5)
    graph.declare()
    graph.set_fact("tiles", None)
    graph.declare()
    assert asking.answers == [(5,), (3,)]


def test_one_node_states_a_fact_and_another_one_is_refused() -> None:
    graph = FrameGraph()
    asking = Asking("tiles")
    graph.add_node("asking", asking)
    for plugin, tiles in (("first", 3), ("second", 4)):
        graph.add_node(f"{plugin}/stating", lambda reg: None, plugin=plugin, facts={"tiles": tiles})
    (failure,) = graph.declare()
    assert failure.source.name == "second/stating"
    assert isinstance(failure.error, GraphError)
    assert failure.error.message == (
        'node "second/stating" states the fact "tiles", which node "first/stating" states already'
    )
    assert failure.error.hint == "disable one of the plugins `first` and `second`"
    assert "second/stating" not in graph.declared_nodes
    assert asking.answers == [(3,)]


def test_a_fact_has_a_name() -> None:
    with pytest.raises(GraphError, match="a fact that"):
        Registry("node", "").fact(3)  # type: ignore[arg-type]
