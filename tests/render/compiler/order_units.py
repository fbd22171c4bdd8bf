"""Scheduling units in the terms of the graph: their names, and the graph that has one node for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from renderwright.render.compiler.order.dependency_graph import dependency_graph, hyperedges
from renderwright.render.compiler.order.estimated_bytes import resource_bytes
from renderwright.render.compiler.order.list_scheduling import list_schedule
from renderwright.render.compiler.order.live_memory import LiveMemory
from renderwright.render.compiler.order.node_facts import NodeFacts, node_facts
from renderwright.render.compiler.order.scheduling_units import scheduling_units
from renderwright.render.compiler.order.static_priority import StaticPriority
from renderwright.render.compiler.order.tie_break import tie_break
from renderwright.render.compiler.order.weights import Weights
from renderwright.render.compiler.values.instances import InstanceGraph, NodeInstance
from renderwright.render.compiler.values.precedence import Precedence


def by_tie_break(instances: InstanceGraph) -> InstanceGraph:
    """The graph with its nodes in the order that settles ties."""
    return replace(instances, nodes=tuple(sorted(instances.nodes, key=tie_break)))


def hinted_facts(instances: InstanceGraph) -> list[NodeFacts]:
    """The facts of each node without measured costs."""
    return node_facts(instances, [each.declaration.cost for each in instances.nodes])


def units(instances: InstanceGraph) -> list[list[str]]:
    """The ids of the members of each scheduling unit."""
    instances = by_tie_break(instances)
    found = scheduling_units(hinted_facts(instances), hyperedges(instances))
    return [[instances.nodes[number].id for number in members] for members in found.members]


def contracted(instances: InstanceGraph, found: Sequence[Sequence[str]]) -> InstanceGraph:
    """The graph with the first member of each unit in place of all."""
    first = {name: unit[0] for unit in found for name in unit}
    nodes = {each.id: each for each in instances.nodes}
    kept = [
        replace(nodes[unit[0]], declaration=replace(nodes[unit[0]].declaration, cost=cost))
        for unit in found
        for cost in [sum(nodes[name].declaration.cost for name in unit)]
    ]
    groups = []
    for group in instances.precedences:
        befores, afters = (tuple(dict.fromkeys(first[name] for name in ids)) for ids in (group.befores, group.afters))
        if befores != afters:
            groups.append(Precedence(befores, afters, group.reason, group.resource))
    return replace(instances, nodes=tuple(kept), groups=tuple(groups), rows=())


def scheduled(instances: InstanceGraph, weights: Weights) -> list[NodeInstance]:
    """The nodes by list scheduling with each node as a unit of its own."""
    instances = by_tie_break(instances)
    facts = hinted_facts(instances)
    dependencies = dependency_graph(hyperedges(instances), len(facts))
    live = LiveMemory(facts, resource_bytes(instances), instances.sinks)
    found = list_schedule(facts, dependencies, StaticPriority(facts, dependencies), live, weights)
    return [instances.nodes[number] for number in found.order]
