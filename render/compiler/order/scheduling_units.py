"""Scheduling units: consecutive draws to the same targets are scheduled as one.

Modifiers of a render target are serialised. Where they draw alike and nothing else orders them, each can join the pass
that the one before has left open, and nothing becomes ready between them. So they take one place in the schedule, one
rank in the nested order, and the cost of all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from renderwright.render.compiler.order.dependency_graph import DependencyGraph, HyperedgeKey, dependency_graph, is_pair
from renderwright.render.compiler.order.node_facts import NodeFacts


@dataclass(frozen=True)
class SchedulingUnits:
    """What list scheduling puts in order; units are numbered in the order of their first nodes.

    By unit, ``members`` are its node numbers in order, and ``facts`` those of its first node with the cost of all.
    """

    members: Sequence[Sequence[int]]
    facts: Sequence[NodeFacts]
    dependencies: DependencyGraph


def scheduling_units(facts: Sequence[NodeFacts], edges: Mapping[HyperedgeKey, int]) -> SchedulingUnits:
    """The largest units of nodes with these facts and dependencies."""
    next_of = _consecutive_draws(facts, edges)
    inner = set(next_of.values())
    members = [_sequence(node, next_of) for node in range(len(facts)) if node not in inner]
    costs = [sum([facts[node].cost for node in nodes]) for nodes in members]
    merged = [replace(facts[nodes[0]], cost=cost) for nodes, cost in zip(members, costs, strict=True)]
    return SchedulingUnits(members, merged, dependency_graph(_between(members, edges), len(members)))


def _sequence(first: int, next_of: Mapping[int, int]) -> list[int]:
    nodes = [first]
    while nodes[-1] in next_of:
        nodes.append(next_of[nodes[-1]])
    return nodes


def _consecutive_draws(facts: Sequence[NodeFacts], edges: Mapping[HyperedgeKey, int]) -> dict[int, int]:
    """By node, the next node of its unit.

    A node continues the unit of another if both draw alike, the pair is the only edge from the one and to the other,
    and both are on the same sides of the same other hyperedges.
    """
    pairs = [(befores[0], afters[0]) for befores, afters in filter(is_pair, edges)]
    keys = [_draw_key(node) for node in facts]
    alike = [(one, other) for one, other in pairs if keys[one] is not None and keys[one] == keys[other]]
    leaving = Counter(one for one, _ in pairs)
    entering = Counter(other for _, other in pairs)
    sides = _hyperedge_sides(len(facts), edges)
    return {one: other for one, other in alike if leaving[one] == 1 == entering[other] and sides[one] == sides[other]}


def _draw_key(node: NodeFacts) -> tuple[Any, ...] | None:
    """Equal for nodes that draw the same way to the same targets; None for a node that draws alone."""
    if not node.targets or not node.executes or any(writes for _, writes in node.unattached):
        return None
    attached = {(name, False) for name, _, _ in node.targets}
    others = [copy for copy in node.copies if copy not in attached]
    return node.targets, node.priority, node.state, others


def _hyperedge_sides(nodes: int, edges: Mapping[HyperedgeKey, int]) -> list[list[tuple[int, int]]]:
    """By node, the hyperedges that are no pairs and the side (0 before, 1 after) on which it is."""
    found: list[list[tuple[int, int]]] = [[] for _ in range(nodes)]
    for number, edge in enumerate(edges):
        if not is_pair(edge):
            for side, members in enumerate(edge):
                for node in members:
                    found[node].append((number, side))
    return found


def _between(members: Sequence[Sequence[int]], edges: Mapping[HyperedgeKey, int]) -> Counter[HyperedgeKey]:
    """The hyperedges between units, with the number of edges of nodes that each stands for."""
    unit_of = {node: unit for unit, nodes in enumerate(members) for node in nodes}.__getitem__
    found: Counter[HyperedgeKey] = Counter()
    for (befores, afters), times in edges.items():
        before, after = tuple(dict.fromkeys(map(unit_of, befores))), tuple(dict.fromkeys(map(unit_of, afters)))
        if before != after:
            found[before, after] += times
    return found
