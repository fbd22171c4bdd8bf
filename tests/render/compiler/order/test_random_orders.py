"""A hundred random orders of one frame: all legal, all different, each with a plan without hazards."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

from declare_helpers import create, culled, graph, ids, node, pairs, read
from feature_checks import compiled, wrong_barriers
from feature_graphs import feature_graph

from renderwright.render.compiler.order.stage import order
from renderwright.render.compiler.values.options import CompileOptions
from renderwright.render.graph.snapshot import GraphSnapshot


def ordered(snapshot: GraphSnapshot, count: int) -> list[tuple[str, ...]]:
    """Random orders of the graph's node instances."""
    alive = culled(snapshot)
    return [tuple(ids(order(alive, CompileOptions(order=f"random:{seed}")))) for seed in range(count)]


def orders(snapshot: GraphSnapshot, count: int) -> Counter[str]:
    """How often each order came, one word an order."""
    return Counter("".join(found) for found in ordered(snapshot, count))


def test_a_hundred_orders_of_a_frame() -> None:
    snapshot = feature_graph(11, 24)
    found = ordered(snapshot, 100)
    edges = pairs(culled(snapshot))
    for names in found:
        place = {name: number for number, name in enumerate(names)}
        assert place.keys() == set(found[0])
        assert all(place[before] < place[after] for before, after in edges)
    assert len(edges) > 20
    assert len(set(found)) > 90


def test_some_of_them_as_plans() -> None:
    snapshot = feature_graph(11, 10)
    for seed, names in enumerate(ordered(snapshot, 2)):
        plan = compiled(snapshot, CompileOptions(order=f"random:{seed}"))
        assert tuple(ids(plan.graph)) == names
        assert wrong_barriers(plan) == []


def test_each_of_few_legal_orders_comes_about_equally_often() -> None:
    """Four nodes between a first and a last one: 24 orders, 20 times each on average; 4 deviations are allowed."""
    middle = [node(name, create(f"{name}.out"), read("x"), sink=True) for name in "bcde"]
    last = node("z", *(read(f"{name}.out") for name in "bcde"), sink=True)
    found = orders(graph(node("a", create("x")), *middle, last), 480)
    assert set(found) == {f"a{''.join(order)}z" for order in permutations("bcde")}
    assert all(abs(times - 20) < 4 * (20 * 23 / 24) ** 0.5 for times in found.values())


def test_a_frame_with_one_legal_order_has_that_one() -> None:
    chain = [
        node(name, create(f"x{name}"), *([read(f"x{chr(ord(name) - 1)}")] if name > "a" else [])) for name in "abcd"
    ]
    assert orders(graph(*chain, sinks=("xd",)), 20) == {"abcd": 20}
