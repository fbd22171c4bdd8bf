"""The order that takes new edges."""

import random

from renderwright.render.compiler.resolve.dynamic_order import DynamicOrder


def test_ranks_respect_all_edges_whatever_is_added():
    for seed in range(30):
        rng = random.Random(seed)
        hidden = [f"n{i}" for i in range(30)]
        rng.shuffle(hidden)
        ranks = DynamicOrder(sorted(hidden), ())
        edges = []
        for _ in range(80):
            first, second = sorted(rng.sample(range(30), 2))
            edges.append((hidden[first], hidden[second]))
            ranks.add(*edges[-1])
            assert all(ranks.rank[a] < ranks.rank[b] for a, b in edges)
        assert sorted(ranks.rank.values()) == list(range(30))


def test_first_reached_is_the_target_with_the_smallest_rank():
    ranks = DynamicOrder("abcde", [("a", "b"), ("b", "d"), ("a", "e")])
    assert ranks.first_reached("a", {"c", "d", "e"}, limit=4) == "d"
    assert ranks.first_reached("a", {"c", "d", "e"}, limit=2) is None
    assert ranks.first_reached("c", {"d", "e"}, limit=4) is None
