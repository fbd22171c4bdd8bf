"""One case of the order search: a random frame in two declarations, against the least heap of all where it is small."""

from __future__ import annotations

import random

from order_cases import frame_of, is_legal, node_ids

from benchmarks.exact_orders import least_heap
from benchmarks.random_graphs import random_nodes, shuffled
from renderwright.render.inspect.plan_stream import require_sound
from renderwright.render.order_search.better_order import heap_bytes, plan_in_better_order
from renderwright.render.order_search.search import UNBOUNDED

NEAR = 1.03
"""How much the heaps from two declarations of one graph may differ."""

OPTIMAL = 1.02
"""How much more than the least heap of all orders a small frame may need."""

SECONDS = 5.0


def orders_case(seed: int, most: int = 40) -> str:
    """A frame of at most so many nodes.

    ``smaller`` if the search has found an order, ``same`` if not; ``exact`` if the result is known to be the best,
    ``near`` if it is as near to that as it has to be."""
    rng = random.Random(seed)
    nodes = random_nodes(seed, rng.choice([rng.randint(2, 8), rng.randint(9, most)]))
    plans = []
    for declared in (nodes, shuffled(nodes, seed)):
        frame = frame_of(declared)
        plan = plan_in_better_order(frame.compiler, frame.snapshot, frame.sizes, frame.options)
        assert is_legal(frame.plan, node_ids(plan))
        assert heap_bytes(plan) <= heap_bytes(frame.plan)
        assert len(plan.pass_plan.passes) <= len(frame.plan.pass_plan.passes)
        require_sound(plan)
        plans.append(plan)
    sizes = [heap_bytes(plan) for plan in plans]
    assert max(sizes) <= NEAR * min(sizes), f"{sizes} bytes from two declarations"
    if len(nodes) > 8:
        return "smaller" if plans[1].graph.preferred is not None else "same"
    return _against_the_best(frame)


def _against_the_best(frame) -> str:
    free = plan_in_better_order(frame.compiler, frame.snapshot, frame.sizes, frame.options, UNBOUNDED)
    least = least_heap(frame.problem, heap_bytes(free), SECONDS)
    if not least.proved:
        return "undecided"
    assert heap_bytes(free) <= OPTIMAL * least.size, f"{heap_bytes(free)} bytes, but {least.size} is the least"
    return "exact" if heap_bytes(free) == least.size else "near"
