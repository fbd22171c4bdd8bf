"""The variant of first-fit for the interpreter places as the one that numba compiles."""

from __future__ import annotations

import random
from functools import partial

import numpy as np
import pytest

from renderwright.render.memory import first_fit
from renderwright.render.memory.arcs import PackItem
from renderwright.render.memory.item_arrays import item_arrays
from renderwright.render.memory.orders import orders
from renderwright.render.memory.problem import Problem, problem_of


def problem(seed: int) -> Problem:
    rng = random.Random(seed)
    period = rng.choice([8, 20, 60])
    items = []
    for number in range(rng.randint(1, 40)):
        start = rng.randrange(period)
        alignment = rng.choice([1, 1, 2, 3, 4])
        pin = alignment * 50 if number == 3 else None
        items.append(PackItem(start, start + rng.randint(1, period), rng.choice([1, 2, 8, 50]), alignment, pin=pin))
    return problem_of(item_arrays(items, period))


@pytest.mark.parametrize("seed", range(20))
def test_the_interpreted_variant_places_as_the_loops_do(seed: int) -> None:
    found = problem(seed)
    rows = [row.tobytes() for row in found.conflicts]
    ways = (
        partial(first_fit.first_fit, rows),
        partial(first_fit.interpreted_first_fit, found.ranges.bits),
    )
    sizes, alignments, pins = found.sizes.tolist(), found.alignments.tolist(), found.pins.tolist()
    for order in map(np.ndarray.tolist, orders(found)):
        for limit in (1 << 60, 100 + 5 * seed):
            results = []
            for place in ways:
                offsets, ranked = [0] * found.count, [0] * found.count
                top = place(order, sizes, alignments, pins, limit, offsets, ranked)
                results.append((top, offsets, ranked) if top >= 0 else top)
            assert results[0] == results[1]
