"""Graphs with too many cycles to break one after the other, and messages about very many nodes."""

from __future__ import annotations

import random

import pytest
from declare_helpers import create, graph, names, node, pairs, read
from test_smallest_repair import is_acyclic

from renderwright.render.compiler.resolve import cycles
from renderwright.render.compiler.resolve.dense_cycles import nodes_to_remove, orders_to_ignore
from renderwright.render.compiler.resolve.stage import resolve

LONGEST = 1000
"""The most characters of a message, whatever the graph."""


def test_every_order_among_eighty_nodes() -> None:
    count = 80
    nodes = [node(f"n{a}", after=tuple(f"n{b}" for b in range(count) if b != a), sink=True) for a in range(count)]
    result = resolve(graph(*nodes))
    assert result.removed == ()
    assert is_acyclic(set(names(result)), pairs(result))
    assert len(pairs(result)) == count * (count - 1) / 2
    assert len(result.problems) <= cycles.BREAKING_STEPS / count**2 + 2
    (rest,) = [one for one in result.problems if "too many cycles" in one.message]
    assert "more declared orders; take these before/after out" in rest.hint
    assert all(len(str(one)) < LONGEST for one in result.problems)


def test_every_node_reads_what_every_other_one_makes() -> None:
    count = 60
    nodes = [
        node(f"n{a}", create(f"x{a}"), *(read(f"x{b}", optional=True) for b in range(count) if b != a), sink=True)
        for a in range(count)
    ]
    important = node("important", create("y"), read("x0", optional=True), priority=5, sink=True)
    result = resolve(graph(important, *nodes))
    assert set(names(result)) >= {"important"}
    assert len(result.removed) == count - 1
    assert all(len(str(one)) < LONGEST for one in (*result.problems, *result.removed))
    assert all("wait for one another" in removal.message for removal in result.removed)


def test_a_long_cycle_is_shown_in_part() -> None:
    count = 1000
    result = resolve(graph(*(node(f"n{a}", after=(f"n{(a + 1) % count}",), sink=True) for a in range(count))))
    (problem,) = result.problems
    assert f"-> {count - cycles.SHOWN_EDGES} more" in problem.message
    assert len(str(problem)) < LONGEST


def test_very_many_creators_of_one_name() -> None:
    result = resolve(graph(*(node(f"n{number:03}", create("x")) for number in range(500))))
    (problem,) = result.problems
    assert "`n000`, `n001`, " in problem.message
    assert "and 492 more; `n000` stays" in problem.message
    assert len(result.removed) == 499
    assert all(len(str(one)) < LONGEST for one in (problem, *result.removed))


@pytest.mark.parametrize("seed", range(30))
def test_repairs_at_once_leave_no_cycle(seed: int) -> None:
    rng = random.Random(seed)
    nodes = [f"n{number}" for number in range(rng.randint(2, 12))]
    every = [(a, b) for a in nodes for b in nodes if a != b]
    edges = set(rng.sample(every, rng.randint(1, len(every))))
    weakest = rng.sample(nodes, len(nodes))
    gone = nodes_to_remove({a: [b for b in nodes if (a, b) in edges] for a in nodes}, weakest)
    assert is_acyclic(set(nodes) - set(gone), edges)
    implied = {(a, b) for a, b in edges if nodes.index(a) < nodes.index(b) and rng.random() < 0.3}
    ignored = set(orders_to_ignore(nodes, sorted(edges - implied), sorted(implied)))
    assert ignored <= edges - implied
    assert is_acyclic(set(nodes), edges - ignored)
    if is_acyclic(set(nodes), edges):
        assert not ignored
