"""The order between instances."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from render.compiler.edges import Life
from render.compiler.precedence import EdgeReason, Precedence
from render.compiler.stages import Index, NodeInstance, ResourceInstance
from render.graph.requests import Verb


def agree(first: Index, second: Index) -> bool:
    """Whether two indices have the same number in every dimension that both have."""
    if first == second:
        return True
    numbers = dict(second)
    return all(numbers.get(dimension, number) == number for dimension, number in first)


def connect(
    nodes: Sequence[NodeInstance],
    resources: Iterable[ResourceInstance],
    explicit: Iterable[tuple[str, str]],
    rank: Mapping[str, int],
) -> tuple[Precedence, ...]:
    """Who runs before whom among the instances.

    Users of one name of one resource instance are ordered by the rules of its life; its modifiers, among them several
    instances of one node, stand in a row by ``rank`` of their node, then index. The ``explicit`` (before, after) pairs
    of node names order those instances that agree on their shared dimensions.
    """
    return (*_lives(nodes, resources, rank), *_explicit(nodes, explicit))


def _lives(
    nodes: Sequence[NodeInstance], resources: Iterable[ResourceInstance], rank: Mapping[str, int]
) -> Iterable[Precedence]:
    suffixes = {resource.id: resource.id[len(resource.resource.root) :] for resource in resources}
    lives: dict[str, Life] = defaultdict(Life)
    keys: dict[str, tuple[int, Index]] = {}
    for node in nodes:
        keys[node.id] = (rank[node.declaration.name], node.index)
        for use in node.uses:
            for resource in use.resources:
                lives[use.name + suffixes[resource]].add(node.id, use.request.verb)
                if use.to:
                    lives[use.to + suffixes[resource]].add(node.id, Verb.CREATE)
    for name, life in lives.items():
        for group in life.precedences(name):
            yield from _between_nodes(group, keys)
        for first, second in pairwise(sorted(life.modifiers, key=keys.__getitem__)):
            yield Precedence((first,), (second,), EdgeReason.MODIFY_MODIFY, name)


def _between_nodes(group: Precedence, keys: Mapping[str, tuple[int, Index]]) -> Iterable[Precedence]:
    """The group without what it says of two instances of one node.

    A node that modifies and reads one name is ordered with itself only in the row of modifiers.
    """
    if {keys[node][0] for node in group.befores}.isdisjoint(keys[node][0] for node in group.afters):
        yield group
        return
    for before in group.befores:
        others = tuple(after for after in group.afters if keys[after][0] != keys[before][0])
        if others:
            yield Precedence((before,), others, group.reason, group.resource)


def _explicit(nodes: Iterable[NodeInstance], explicit: Iterable[tuple[str, str]]) -> Iterable[Precedence]:
    instances: dict[str, list[NodeInstance]] = defaultdict(list)
    for node in nodes:
        instances[node.declaration.name].append(node)
    for before, after in explicit:
        for first in instances[before]:
            for second in instances[after]:
                if agree(first.index, second.index):
                    yield Precedence((first.id,), (second.id,), EdgeReason.EXPLICIT)
