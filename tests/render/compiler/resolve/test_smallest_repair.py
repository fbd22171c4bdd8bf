"""Of nodes that wait for one another the fewest leave, and of wishes the fewest are ignored; checked by trying all."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from declare_helpers import create, graph, names, node, pairs, problem, read

from renderwright.render.compiler.resolve.stage import resolve
from renderwright.render.compiler.values.resolved import ResolvedGraph
from renderwright.render.graph.requests import NodeDeclaration

Edges = set[tuple[str, str]]


def is_acyclic(nodes: set[str], edges: Edges) -> bool:
    left = set(nodes)
    while left:
        free = {name for name in left if not any(after == name and before in left for before, after in edges)}
        if not free:
            return False
        left -= free
    return True


def fewest(nodes: set[str], edges: Edges, wishes: Edges) -> tuple[int, int]:
    """The fewest nodes that break all cycles of edges, and the fewest wishes to ignore once the best of these left."""
    for size in range(len(nodes) + 1):
        sets = [set(some) for some in combinations(sorted(nodes), size) if is_acyclic(nodes - set(some), edges)]
        if sets:
            break
    counts = [
        count
        for gone in sets
        for count in range(len(wishes) + 1)
        for some in combinations(sorted(wishes), count)
        if is_acyclic(nodes - gone, edges | (wishes - set(some)))
    ]
    return size, min(counts)


def tangle(edges: Edges, wishes: Edges, count: int) -> list[NodeDeclaration]:
    """Nodes n0, n1, ..: of an edge the second one reads what the first one makes."""
    return [
        node(
            f"n{number}",
            create(f"x{number}"),
            *(read(f"x{a[1:]}", optional=True) for a, b in sorted(edges) if b == f"n{number}"),
            before=tuple(b for a, b in sorted(wishes) if a == f"n{number}"),
        )
        for number in range(count)
    ]


def ignored(result: ResolvedGraph) -> int:
    return sum("is ignored; take this before/after" in one.hint for one in result.problems)


@pytest.mark.parametrize("seed", range(40))
def test_as_little_as_possible_goes(seed: int) -> None:
    rng = random.Random(seed)
    count = rng.randint(2, 6)
    every = [(f"n{a}", f"n{b}") for a in range(count) for b in range(count) if a != b]
    edges = set(rng.sample(every, rng.randint(1, min(len(every), 9))))
    wishes = set(rng.sample(every, rng.randint(0, 2))) - edges
    result = resolve(graph(*tangle(edges, wishes, count)))
    fewest_nodes, fewest_wishes = fewest({f"n{number}" for number in range(count)}, edges, wishes)
    assert len(result.removed) == fewest_nodes
    assert ignored(result) >= (fewest_wishes if fewest_nodes else 0)
    if not fewest_nodes:
        assert ignored(result) == fewest_wishes
    assert is_acyclic(set(names(result)), pairs(result))


def test_the_one_node_in_all_cycles_leaves_though_others_are_weaker() -> None:
    spokes = [node(name, create(f"{name}.out"), read("hub.out")) for name in ("x", "y", "z")]
    hub = node("hub", create("hub.out"), *(read(f"{name}.out") for name in ("x", "y", "z")), priority=9, sink=True)
    result = resolve(graph(hub, *spokes))
    assert [removal.node for removal in result.removed] == ["hub"]
    assert problem(result, "cycle").message == (
        "these nodes wait for one another in a cycle: `hub` -> `x` (created, then read: `hub.out`) -> `hub` (created, "
        "then read: `x.out`)"
    )


def test_the_one_wish_in_two_cycles_is_ignored() -> None:
    first = node("a", create("p"), read("q", optional=True), after=("d",))
    nodes = [
        first,
        node("b", create("b"), read("p")),
        node("c", create("c"), read("p")),
        node("d", read("b"), read("c")),
    ]
    result = resolve(graph(*nodes, node("e", read("b"), before=("c",))))
    assert result.removed == ()
    assert "that `d` runs before `a` is ignored" in problem(result, "cycle").hint


def test_large_tangles_are_repaired_one_cycle_at_a_time() -> None:
    count = 60
    edges = {(f"n{a}", f"n{(a + step) % count}") for a in range(count) for step in (1, 7)}
    result = resolve(graph(*tangle(edges, set(), count)))
    assert 0 < len(result.removed) < count / 2
    assert is_acyclic(set(names(result)), pairs(result))
