"""The bound from below, against all subsets of small problems."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from renderwright.render.memory.arcs import PackItem, arcs_meet
from renderwright.render.memory.bound import load
from renderwright.render.memory.clique import EXACT_UNITS, bound_of
from renderwright.render.memory.item_arrays import item_arrays
from renderwright.render.memory.loops import PLAIN
from renderwright.render.memory.problem import problem_of

ARRAYS = replace(PLAIN, compiled=True)
"""The loops that numba compiles, as they are."""


def heaviest(items: list[PackItem], period: int) -> int:
    """The largest sum of sizes among all sets of items that meet pairwise."""
    best = 0
    for count in range(1, len(items) + 1):
        for chosen in combinations(items, count):
            arcs = [(item.start, item.end) for item in chosen]
            if all(arcs_meet(one, other, period) for one, other in combinations(arcs, 2)):
                best = max(best, sum(item.size for item in chosen))
    return best


def clique(items: list[PackItem], period: int, *, quick: bool = False) -> int:
    """The bound, which does not depend on the kind of loops."""
    problem, sizes = problem_of(item_arrays(items, period)), np.array([item.size for item in items])
    plain = bound_of(problem, sizes, PLAIN, quick=quick)
    assert bound_of(problem, sizes, ARRAYS, quick=quick) == plain
    return plain.clique


@pytest.mark.parametrize("seed", range(20))
def test_bit_sets_and_loops_grow_the_same_clique(seed: int) -> None:
    rng = random.Random(seed)
    period = rng.randint(4, 60)
    items = []
    for _ in range(rng.randint(EXACT_UNITS + 1, 90)):
        start = rng.randrange(period)
        items.append(PackItem(start, start + rng.randint(1, period), rng.choice([1, 3, 4, 9]), rng.choice([1, 2])))
    assert load(items, period) <= clique(items, period, quick=True) <= clique(items, period)


def test_small_problems_are_bounded_exactly() -> None:
    rng = random.Random(2)
    above = 0
    for _ in range(80):
        period = rng.choice([3, 6, 9])
        items = []
        for _ in range(rng.randint(1, 8)):
            start = rng.randrange(period)
            items.append(PackItem(start, start + rng.randint(1, period * 2 // 3), rng.randint(1, 9)))
        best = heaviest(items, period)
        assert clique(items, period) == best
        assert load(items, period) <= clique(items, period, quick=True) <= best
        above += best > load(items, period)
    assert above > 5


@pytest.mark.parametrize("length", [2, 3, 10])
def test_arcs_that_meet_without_a_common_moment(length: int) -> None:
    period = 2 * length - 1
    items = [PackItem(start, start + length, 5) for start in range(period)]
    assert load(items, period) == 5 * length
    assert clique(items, period, quick=True) == 5 * period


def test_lives_longer_than_half_the_circle_meet_in_pairs() -> None:
    long = [PackItem(start, start + 31, 10) for start in range(0, 60, 3)]
    crowd = [PackItem(start, start + 2, 5) for start in range(60) for _ in range(7)]
    assert load([*long, *crowd], 60) < clique([*long, *crowd], 60, quick=True) == 10 * len(long) == 200


def test_alignment_counts_for_all_but_the_topmost() -> None:
    items = [PackItem(0, 1, 1, 8), PackItem(0, 1, 3, 8), PackItem(0, 1, 9, 8)]
    assert load(items, 2) == 13
    assert clique(items, 2) == 8 + 8 + 16 - 7
