"""Runs in the terms of the graph: their names, and the graph that has one node for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from renderwright.render.compiler.instances.precedence import Precedence
from renderwright.render.compiler.order.crowds import asked
from renderwright.render.compiler.order.facts import FactsOf, NodeFacts, resource_bytes
from renderwright.render.compiler.order.gates import Waits, waits_of
from renderwright.render.compiler.order.keys import declared_key
from renderwright.render.compiler.order.runs import runs_of
from renderwright.render.compiler.order.weighted import list_schedule
from renderwright.render.compiler.order.weights import Weights
from renderwright.render.compiler.values.instances import InstanceGraph, NodeInstance
from renderwright.render.incremental.memo import Parts


def _numbered(instances: InstanceGraph) -> tuple[list[NodeFacts], Waits]:
    ids = [each.id for each in sorted(instances.nodes, key=declared_key)]
    wanted = asked(instances.groups, instances.rows, lambda ids: [()] * len(ids), Parts())  # without crowds
    return FactsOf(instances, {}).facts(ids), waits_of({name: number for number, name in enumerate(ids)}, wanted)


def runs(instances: InstanceGraph) -> list[list[str]]:
    """The ids of the members of each run."""
    facts, waits = _numbered(instances)
    found = runs_of(facts, waits)
    return [[facts[number].id for number in members] for members in found.members]


def contracted(instances: InstanceGraph, found: Sequence[Sequence[str]]) -> InstanceGraph:
    """The graph with the first member of each run in place of all."""
    first = {name: run[0] for run in found for name in run}
    nodes = {each.id: each for each in instances.nodes}
    kept = [
        replace(nodes[run[0]], declaration=replace(nodes[run[0]].declaration, cost=cost))
        for run in found
        for cost in [sum(nodes[name].declaration.cost for name in run)]
    ]
    groups = []
    for group in instances.precedences:
        befores, afters = (tuple(dict.fromkeys(first[name] for name in ids)) for ids in (group.befores, group.afters))
        if befores != afters:
            groups.append(Precedence(befores, afters, group.reason, group.resource))
    return replace(instances, nodes=tuple(kept), groups=tuple(groups), rows=())


def scheduled(instances: InstanceGraph, weights: Weights) -> list[NodeInstance]:
    """The nodes by list scheduling one at a time."""
    facts, waits = _numbered(instances)
    order = list_schedule(facts, waits.gates(), resource_bytes(instances), frozenset(instances.sinks), (weights,))
    nodes = {each.id: each for each in instances.nodes}
    return [nodes[facts[number].id] for number in order]
