"""The order that takes new edges."""

import random

from renderwright.render.compiler.resolve.dynamic_order import DynamicOrder
from renderwright.render.compiler.values.precedence import EdgeReason, Precedence


def groups(*sides: tuple[str, str]) -> list[Precedence]:
    return [Precedence(tuple(befores), tuple(afters), EdgeReason.EXPLICIT) for befores, afters in sides]


def test_ranks_respect_all_edges_whatever_is_added():
    for seed in range(30):
        rng = random.Random(seed)
        hidden = [f"n{i}" for i in range(30)]
        rng.shuffle(hidden)
        ranks = DynamicOrder(sorted(hidden))
        edges = []
        for _ in range(80):
            first, second = sorted(rng.sample(range(30), 2))
            edges.append((hidden[first], hidden[second]))
            ranks.add(*edges[-1])
            assert all(ranks.rank[a] < ranks.rank[b] for a, b in edges)
        assert sorted(ranks.rank.values()) == list(range(30))


def test_first_reached_is_the_target_with_the_smallest_rank():
    ranks = DynamicOrder("abcde", groups(("a", "be"), ("b", "d")))
    assert ranks.first_reached("a", {"c", "d", "e"}, limit=4) == "d"
    assert ranks.first_reached("a", {"c", "d", "e"}, limit=2) is None
    assert ranks.first_reached("c", {"d", "e"}, limit=4) is None


def test_a_many_to_many_dependency_is_respected_by_its_join_node():
    ranks = DynamicOrder("abcde", groups(("ab", "cd")))
    assert ranks.first_reached("b", {"c", "d", "e"}, limit=9) == "c"
    ranks.add("e", "a")
    assert all(ranks.rank[before] < ranks.rank[after] for before in "abe" for after in "cd")
    assert ranks.rank["e"] < ranks.rank["a"]
