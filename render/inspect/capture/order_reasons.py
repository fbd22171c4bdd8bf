"""Why each node of a capture stands where it stands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from renderwright.render.inspect.plan_index import PlanIndex

MOST_RIVALS = 6


def order_of(index: PlanIndex) -> dict[str, Any]:
    """The policy, and for each node the places that the edges allow, and who could have run instead."""
    graph = index.plan.graph
    return {
        "policy": graph.policy,
        "searched": graph.preferred is not None,
        "nodes": list(_places(index)),
    }


def _places(index: PlanIndex) -> Iterator[dict[str, Any]]:
    last_before, first_after = _bounds(index)
    count = len(index.nodes)
    for number, node in enumerate(index.nodes):
        ready = [at for at in range(number + 1, count) if last_before[at] < number]
        yield {
            "node": node.id,
            "earliest": last_before[number] + 1,
            "latest": first_after[number] - 1,
            "ready": [index.nodes[at].id for at in ready[:MOST_RIVALS]],
            "ready_count": len(ready),
        }


def _bounds(index: PlanIndex) -> tuple[list[int], list[int]]:
    """By number of the node: the last of its predecessors, and the first of its successors."""
    count = len(index.nodes)
    last_before, first_after = [-1] * count, [count] * count
    for group in index.plan.graph.precedences:
        befores = [index.numbers[node] for node in group.befores]
        afters = [index.numbers[node] for node in group.afters]
        last, first = max(befores), min(afters)
        for after in afters:
            last_before[after] = max(last_before[after], last)
        for before in befores:
            first_after[before] = min(first_after[before], first)
    return last_before, first_after
