"""Joining twins in the loop that numba compiles, and interpreted, comes to the same."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from renderwright.render.memory.arcs import Ints, PackItem
from renderwright.render.memory.item_arrays import item_arrays
from renderwright.render.memory.loops import PLAIN
from renderwright.render.memory.orders import orders
from renderwright.render.memory.problem import Problem, problem_of
from renderwright.render.memory.twins import Pairs, join, pairs_of

LOOPS = replace(PLAIN, compiled=True)
"""The same functions on arrays, interpreted."""


def frame(seed: int) -> tuple[Problem, Pairs]:
    """Resources with two copies half a circle apart, and some that are pinned."""
    rng = random.Random(seed)
    half = rng.choice([8, 20, 60])
    items = []
    for number in range(rng.randint(2, 25)):
        start, length = rng.randrange(half), rng.randint(1, half)
        size, alignment = rng.choice([1, 2, 8, 50]), rng.choice([1, 1, 2, 3, 4])
        pin = alignment * 60 if number == 3 else None
        even = PackItem(start, start + length, size, alignment, 2 * number + 1, pin)
        odd = PackItem(start + half, start + half + length, size + rng.choice([0, 0, 3]), alignment, 2 * number)
        items += [even, odd]
    arrays = item_arrays(items, 2 * half)
    single = problem_of(arrays)
    return single, pairs_of(single, arrays)


def first_packing(single: Problem) -> tuple[Ints, int]:
    """The offsets of first-fit in its first order, and their makespan."""
    rows = PLAIN.rows(single.conflicts)
    numbers = [PLAIN.numbers(each) for each in (single.sizes, single.alignments, single.pins)]
    offsets, placed = [0] * single.count, [0] * single.count
    top = PLAIN.first_fit(rows, next(orders(single)).tolist(), *numbers, 1 << 60, offsets, placed)
    return np.array(offsets), top


@pytest.mark.parametrize("seed", range(30))
def test_the_loop_joins_as_the_interpreted_way_does(seed: int) -> None:
    single, pairs = frame(seed)
    offsets, makespan = first_packing(single)
    for room in (0, 7):
        joined = join(single, offsets, makespan + room, pairs, PLAIN)
        assert (joined == join(single, offsets, makespan + room, pairs, LOOPS)).all()
        _check(single, joined, makespan + room)


def test_joining_is_worth_something() -> None:
    more = 0
    for seed in range(30):
        single, pairs = frame(seed)
        offsets, makespan = first_packing(single)
        found = join(single, offsets, makespan, pairs, LOOPS)
        more += int(pairs.apart(offsets).sum()) - int(pairs.apart(found).sum())
    assert more > 100


def _check(single: Problem, lows: Ints, makespan: int) -> None:
    ends = lows + single.sizes
    assert ends.max() <= makespan
    assert not (lows % single.alignments).any()
    assert ((single.pins < 0) | (lows == single.pins)).all()
    overlaps = (lows[:, None] < ends) & (lows < ends[:, None])
    assert not (overlaps & single.conflicts).any()
