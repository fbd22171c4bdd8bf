"""Nodes are declared one after the other, in as many calls as that takes."""

from __future__ import annotations

from collections.abc import Callable

from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.registry import Registry

ONE_NODE = 0.0
"""Seconds in which one node is declared."""


class Noted:
    """A graph whose declare functions note that they run; nodes in ``failing`` raise."""

    def __init__(self) -> None:
        self.graph = FrameGraph()
        self.ran: list[str] = []
        self.failing: set[str] = set()

    def add(self, *names: str, facts: tuple[str, ...] = ()) -> None:
        for name in names:
            self.graph.add_node(name, self._declare(name, facts))

    def _declare(self, name: str, facts: tuple[str, ...]) -> Callable[[Registry], None]:
        def declare(reg: Registry) -> None:
            self.ran.append(name)
            for fact in facts:
                reg.fact(fact)
            if name in self.failing:
                raise ValueError(name)

        return declare


def test_each_call_declares_a_node_and_the_last_one_says_so() -> None:
    noted = Noted()
    noted.add("a", "b", "c")
    assert [noted.graph.declare_ahead(ONE_NODE) for _ in range(4)] == [False, False, True, True]
    assert (noted.ran, noted.graph.declared_nodes) == (["a", "b", "c"], {})
    assert noted.graph.declare() == ()
    assert (noted.ran, list(noted.graph.declared_nodes)) == (["a", "b", "c"], ["a", "b", "c"])
    assert not noted.graph.is_half_declared


def test_an_edit_meanwhile_declares_no_other_node_again() -> None:
    noted = Noted()
    noted.add("a", "b", "c")
    noted.graph.declare_ahead(ONE_NODE)
    noted.graph.declare_ahead(ONE_NODE)
    noted.graph.remove_node("b")
    noted.add("a", "d")
    assert noted.graph.declare() == ()
    assert noted.ran == ["a", "b", "a", "c", "d"]
    assert list(noted.graph.declared_nodes) == ["a", "c", "d"]


def test_another_fact_meanwhile_declares_the_nodes_again_that_have_asked_for_it() -> None:
    noted = Noted()
    noted.add("a", facts=("tiles",))
    noted.add("b")
    noted.graph.declare_ahead(ONE_NODE)
    before = noted.graph.revision
    noted.graph.set_fact("tiles", 3)
    assert noted.graph.revision == before + 1
    noted.graph.declare()
    assert noted.ran == ["a", "a", "b"]


def test_a_node_that_fails_is_left_to_the_end_with_those_behind_it() -> None:
    noted = Noted()
    noted.add("a", "b", "c")
    noted.failing.add("b")
    assert not noted.graph.declare_ahead(ONE_NODE)
    assert noted.graph.declare_ahead(ONE_NODE)
    (failure,) = noted.graph.declare()
    assert (failure.source.name, str(failure.error)) == ("b", "b")
    assert list(noted.graph.declared_nodes) == ["a", "c"]


def test_nodes_that_change_in_each_call_keep_no_others_waiting() -> None:
    noted = Noted()
    noted.add("a", "b", facts=("tiles",))
    assert not noted.graph.declare_ahead(ONE_NODE)
    noted.graph.set_fact("tiles", 3)
    assert noted.graph.declare_ahead(ONE_NODE)
    assert noted.graph.declare() == ()
    assert list(noted.graph.declared_nodes) == ["a", "b"]


def test_a_node_that_is_restored_meanwhile_is_not_declared_again() -> None:
    noted = Noted()
    noted.add("a", "b")
    noted.graph.declare()
    before = noted.graph.source("a"), noted.graph.declared("a")
    noted.add("a", "b")
    noted.graph.declare_ahead(ONE_NODE)
    noted.graph.restore(before[0])
    noted.graph.declare()
    assert noted.ran == ["a", "b", "a", "b"]
    assert noted.graph.declared("a") is before[1]
