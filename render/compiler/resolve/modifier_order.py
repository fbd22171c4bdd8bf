"""The order of the modifiers of one name."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from functools import reduce
from itertools import pairwise
from operator import or_

from renderwright.render.compiler.diagnostics.faults import note, quoted
from renderwright.render.compiler.diagnostics.findings import Problem
from renderwright.render.compiler.instances.dependencies import Role
from renderwright.render.compiler.resolve.bind import BoundGraph
from renderwright.render.compiler.resolve.dependencies import urgency
from renderwright.render.compiler.resolve.dynamic_order import DynamicOrder
from renderwright.render.compiler.values.precedence import ModifierOrder, Precedence

_NAMED = 6
"""How many modifiers a note names."""


def serialise(bound: BoundGraph) -> tuple[tuple[ModifierOrder, ...], list[Problem]]:
    """The order of the modifiers of every name that has several, and a note on each that was a free choice.

    Larger priority comes first, then earlier declaration, then name. A node that must precede modifiers placed already
    is inserted right before the first of them. Names with the most urgent modifiers are taken first, whatever they are
    called, and each order is a dependency for the names after it, so the graph stays acyclic. The graph must have no
    cycle.
    """
    wished = {
        name: sorted(nodes, key=lambda node: urgency(bound.declarations[node]))
        for name, users in bound.users.items()
        if len(nodes := users.having(Role.MODIFY)) > 1
    }
    if not wished:
        return (), []
    orders: Mapping[str, Sequence[str]] = wished
    if not _agree_with(bound.order, wished):
        first = sorted(wished.items(), key=lambda item: [urgency(bound.declarations[node]) for node in item[1]])
        orders = _inserted(dict(first), bound.order, bound.dependencies)
    free = _free_choices(orders, bound.order, bound.dependencies)
    rows = tuple([ModifierOrder(tuple(nodes), name) for name, nodes in sorted(orders.items())])
    return rows, [_free_choice(name, nodes, bound) for name, nodes in sorted(free.items())]


def _free_choice(resource: str, nodes: Sequence[str], bound: BoundGraph) -> Problem:
    message = f"the order in which {quoted(nodes, _NAMED)} modify `{resource}` is the compiler's choice"
    hint = "declare before/after or priorities if another order is meant"
    return note("modifier-order", message, hint, [bound.declarations[node].source for node in nodes[:_NAMED]])


def _agree_with(order: Sequence[str], wished: Mapping[str, Sequence[str]]) -> bool:
    """Whether one topological order has the modifiers of every name as wished, so that nothing prevents it."""
    rank = {node: number for number, node in enumerate(order)}
    return all(rank[before] < rank[after] for nodes in wished.values() for before, after in pairwise(nodes))


def _inserted(
    wished: Mapping[str, Sequence[str]], order: Sequence[str], dependencies: Sequence[Precedence]
) -> dict[str, list[str]]:
    """The wished orders as far as dependencies allow them."""
    ranks = DynamicOrder(order, dependencies)
    orders = {}
    for name, nodes in wished.items():
        placed: list[str] = []
        targets: set[str] = set()
        for node in nodes:
            position = _position(node, placed, targets, ranks)
            if position > 0:
                ranks.add(placed[position - 1], node)
            if position < len(placed):
                ranks.add(node, placed[position])
            placed.insert(position, node)
            targets.add(node)
        orders[name] = placed
    return orders


def _position(node: str, placed: Sequence[str], targets: Collection[str], ranks: DynamicOrder) -> int:
    """The last position among the ``placed`` nodes that dependencies allow.

    The placed nodes (``targets`` again, as a set) are a path in the graph, so their ranks increase.
    """
    rank = ranks.rank
    if placed and rank[node] < rank[placed[-1]]:
        successor = ranks.first_reached(node, targets, rank[placed[-1]])
        if successor is not None:
            return bisect_left(placed, rank[successor], key=rank.__getitem__)
    return len(placed)


def _free_choices(
    orders: Mapping[str, Sequence[str]], order: Sequence[str], dependencies: Sequence[Precedence]
) -> dict[str, list[str]]:
    """The names whose modifiers the dependencies alone leave unordered: two neighbours are joined by no path. With them
    the modifiers that no path joins to one of the others."""
    modifiers = {node for nodes in orders.values() for node in nodes}
    bits = {node: 1 << number for number, node in enumerate(node for node in order if node in modifiers)}
    ancestors = _ancestors(bits, order, dependencies)
    return {
        name: _unordered(nodes, bits, ancestors)
        for name, nodes in orders.items()
        if any(not ancestors[after] & bits[before] for before, after in pairwise(nodes))
    }


def _unordered(nodes: Sequence[str], bits: Mapping[str, int], ancestors: Mapping[str, int]) -> list[str]:
    """The nodes that no path joins to one of the nodes before or behind them."""
    before = free = 0
    for node in nodes:
        unjoined = before & ~ancestors[node]
        free |= unjoined | (bits[node] if unjoined else 0)
        before |= bits[node]
    return [node for node in nodes if free & bits[node]]


def _ancestors(bits: Mapping[str, int], order: Sequence[str], dependencies: Sequence[Precedence]) -> dict[str, int]:
    """The ancestors of each node as a bit mask; nodes without a bit are not in it."""
    entering: dict[str, list[int]] = {node: [] for node in order}
    for number, group in enumerate(dependencies):
        for node in group.afters:
            entering[node].append(number)
    ancestors: dict[str, int] = {}
    masks: dict[int, int] = {}
    for node in order:
        ancestors[node] = 0
        for number in entering[node]:
            if number not in masks:
                befores = dependencies[number].befores
                masks[number] = reduce(or_, [ancestors[before] | bits.get(before, 0) for before in befores])
            ancestors[node] |= masks[number]
    return ancestors
