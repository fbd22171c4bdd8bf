"""Canonical numbers of units, so that the search finds the same whatever nodes are called and in which order they are
declared.

Colour refinement (B. Weisfeiler and A. Leman, 1968): units with the same facts have one colour at first. Each step
splits a colour by the colours of the units before and after and of the units that share resources, until no colour
splits. Units that keep one colour are interchangeable in nearly every graph; their declarations settle the order.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from renderwright.render.compiler.order.node_facts import NodeFacts
from renderwright.render.order_search.resource_uses import ResourceUses
from renderwright.render.order_search.unit_sets import units_of


def canonical_order(
    facts: Sequence[NodeFacts],
    before: Sequence[int],
    resources: Sequence[ResourceUses],
    between: Callable[[], None],
) -> list[int]:
    """The units in canonical order; ``before`` is the set of the units before each. Units are given in the order of
    their declarations, which only breaks ties. Calls ``between`` before each refinement."""
    colours = _ranked([_own(unit) for unit in facts])
    links = _links(before)
    while True:
        between()
        refined = _ranked(_signatures(colours, links, resources))
        if len(set(refined)) == len(set(colours)):
            break
        colours = refined
    return sorted(range(len(facts)), key=lambda unit: (colours[unit], unit))


def _own(unit: NodeFacts) -> tuple[Hashable, ...]:
    return (
        not unit.executes,
        not unit.records,
        -unit.priority,
        unit.cost,
        int(unit.bottleneck),
        len(unit.targets),
        repr(unit.state),
    )


def _links(before: Sequence[int]) -> list[list[tuple[int, int]]]:
    """By unit, (side, unit) for each unit before (0) and after (1) it."""
    links: list[list[tuple[int, int]]] = [[] for _ in before]
    for unit, bits in enumerate(before):
        for other in units_of(bits):
            links[unit].append((0, other))
            links[other].append((1, unit))
    return links


def _signatures(
    colours: Sequence[int], links: Sequence[Sequence[tuple[int, int]]], resources: Sequence[ResourceUses]
) -> list[tuple[Hashable, ...]]:
    """The colour of each unit, with those around it."""
    shared: list[list[tuple[int, int]]] = [[] for _ in colours]
    for resource, colour in zip(
        resources, _ranked([_of_resource(resource, colours) for resource in resources]), strict=True
    ):
        for role, units in enumerate((resource.users, resource.past)):
            for unit in units:
                shared[unit].append((role, colour))
    return [
        (
            colour,
            tuple(sorted([(side, colours[other]) for side, other in links[unit]])),
            tuple(sorted(shared[unit])),
        )
        for unit, colour in enumerate(colours)
    ]


def _of_resource(resource: ResourceUses, colours: Sequence[int]) -> tuple[Hashable, ...]:
    users, past = (tuple(sorted([colours[unit] for unit in units])) for units in (resource.users, resource.past))
    return (*resource.shape, users, past)


def _ranked(keys: Sequence[Any]) -> list[int]:
    """Each key's rank among the distinct ones, which are of one type."""
    rank = {key: number for number, key in enumerate(sorted(set(keys)))}
    return [rank[key] for key in keys]
