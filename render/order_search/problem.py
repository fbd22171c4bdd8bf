"""The problem of the search: scheduling units, their dependencies, and the resources that they use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from renderwright.render.compiler.order.costs import node_costs
from renderwright.render.compiler.order.dependency_graph import hyperedges
from renderwright.render.compiler.order.node_facts import NodeFacts, node_facts
from renderwright.render.compiler.order.scheduling_units import scheduling_units
from renderwright.render.compiler.order.tie_break import tie_break
from renderwright.render.compiler.resources.access_history import access_histories
from renderwright.render.compiler.values.instances import InstanceGraph
from renderwright.render.compiler.values.placement import Placement
from renderwright.render.order_search.canonical import canonical_order
from renderwright.render.order_search.resource_uses import ResourceUses, uses_of
from renderwright.render.order_search.unit_sets import unit_set, units_of

Order = tuple[int, ...]
"""Unit numbers in order of execution."""


@dataclass(frozen=True)
class OrderProblem:
    """A frame whose units can be put in another order.

    All sequences are by unit number. Units have canonical numbers, which depend on neither names nor declarations where
    the graph alone tells the units apart. ``members`` are the node ids of each unit, in order. ``before`` is the set of
    the units that each depends on. Of the ready units one of the largest of the ``priorities`` comes next.
    ``resources`` are those whose memory depends on the order, and ``names`` their ids.
    """

    members: tuple[tuple[str, ...], ...]
    facts: tuple[NodeFacts, ...]
    before: tuple[int, ...]
    priorities: tuple[int, ...]
    resources: tuple[ResourceUses, ...]
    names: tuple[str, ...]

    @property
    def count(self) -> int:
        """The number of units."""
        return len(self.members)

    @cached_property
    def after(self) -> tuple[int, ...]:
        """By unit, the set of the units that depend on it."""
        found = [0] * self.count
        for unit, befores in enumerate(self.before):
            for before in units_of(befores):
                found[before] |= 1 << unit
        return tuple(found)

    def nodes(self, order: Iterable[int]) -> tuple[str, ...]:
        """The node ids in an order of the units."""
        return tuple([node for unit in order for node in self.members[unit]])

    def order_of(self, nodes: Iterable[str]) -> Order:
        """The units by the first of their nodes in ``nodes``."""
        place = {node: number for number, node in enumerate(nodes)}
        return tuple(sorted(range(self.count), key=lambda unit: place[self.members[unit][0]]))

    def allowed(self, ready: Sequence[int]) -> Sequence[int]:
        """The ready units that may come next."""
        if not self.has_priorities:
            return ready
        largest = max([self.priorities[unit] for unit in ready])
        return [unit for unit in ready if self.priorities[unit] == largest]

    @cached_property
    def has_priorities(self) -> bool:
        """Whether priorities forbid some of the orders that dependencies allow."""
        return len(set(self.priorities)) > 1


def order_problem(
    graph: InstanceGraph,
    placement: Placement,
    measured: Mapping[str, float],
    between: Callable[[], None] = lambda: None,
) -> OrderProblem:
    """The problem of a placed graph; ``measured`` is GPU time in microseconds by node name. Calls ``between`` between
    short steps."""
    graph = replace(graph, nodes=tuple(sorted(graph.nodes, key=tie_break)))
    units = scheduling_units(node_facts(graph, node_costs(graph.nodes, measured)), hyperedges(graph))
    between()
    unit_of = {node: unit for unit, nodes in enumerate(units.members) for node in nodes}
    sinks = frozenset(graph.sinks)
    histories = access_histories(graph)
    between()
    resources = {
        placed.id: uses_of(placed, placement, histories[placed.id], unit_of, sink=placed.id in sinks)
        for placed in placement.resources
        if placed.copies and not placed.kept and placed.turns == 2
    }
    before = _before(units.dependencies.predecessors, len(units.members))
    priorities = _priorities(units.facts, before)
    order = canonical_order(units.facts, before, tuple(resources.values()), between)
    between()
    number = {unit: rank for rank, unit in enumerate(order)}
    return OrderProblem(
        members=tuple([tuple([graph.nodes[node].id for node in units.members[unit]]) for unit in order]),
        facts=tuple([units.facts[unit] for unit in order]),
        before=tuple([unit_set([number[each] for each in units_of(before[unit])]) for unit in order]),
        priorities=tuple([priorities[unit] for unit in order]),
        resources=tuple([resource.renumbered(number) for resource in resources.values()]),
        names=tuple(resources),
    )


def _before(predecessors: Sequence[Sequence[int]], units: int) -> list[int]:
    """By unit, the set of the units before it; a join node stands for those before itself."""
    joined = [unit_set(befores) for befores in predecessors[units:]]
    found = []
    for befores in predecessors[:units]:
        bits = 0
        for before in befores:
            bits |= 1 << before if before < units else joined[before - units]
        found.append(bits)
    return found


def _priorities(facts: Sequence[NodeFacts], before: Sequence[int]) -> list[int]:
    """The priority of each unit. A unit that executes nothing has the largest of those that wait for it: list
    scheduling puts it right before the first of them."""
    found = [unit.priority if unit.executes else min([each.priority for each in facts]) for unit in facts]
    changed = True
    while changed:
        changed = False
        for unit, befores in enumerate(before):
            for silent in units_of(befores):
                if not facts[silent].executes and found[silent] < found[unit]:
                    found[silent] = found[unit]
                    changed = True
    return found
