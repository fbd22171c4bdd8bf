"""Edges between instances."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from render.compiler.edges import Life, collapse
from render.compiler.stages import Edge, EdgeReason, Index, NodeInstance, ResourceInstance
from render.graph.requests import Verb


def agree(first: Index, second: Index) -> bool:
    """Whether two indices have the same number in every dimension that both have."""
    numbers = dict(second)
    return all(numbers.get(dimension, number) == number for dimension, number in first)


def connect(
    nodes: Sequence[NodeInstance],
    resources: Iterable[ResourceInstance],
    explicit: Iterable[tuple[str, str]],
    rank: Mapping[str, int],
) -> tuple[Edge, ...]:
    """Every edge between the instances.

    Users of one name of one resource instance are ordered by the rules of its life; its modifiers, among them several
    instances of one node, stand in a row by ``rank`` of their node, then index. The ``explicit`` (before, after) pairs
    of node names order those instances that agree on their shared dimensions.
    """
    return collapse([*_life_edges(nodes, resources, rank), *_explicit_edges(nodes, explicit)])


def _life_edges(
    nodes: Sequence[NodeInstance], resources: Iterable[ResourceInstance], rank: Mapping[str, int]
) -> Iterable[Edge]:
    suffixes = {resource.id: resource.id[len(resource.resource.root) :] for resource in resources}
    lives: dict[str, Life] = defaultdict(Life)
    keys = {}
    for node in nodes:
        keys[node.id] = (rank[node.declaration.name], node.index)
        for use in node.uses:
            for resource in use.resources:
                lives[use.name + suffixes[resource]].add(node.id, use.request.verb)
                if use.to:
                    lives[use.to + suffixes[resource]].add(node.id, Verb.CREATE)
    for name, life in lives.items():
        # A node that modifies and reads one name has edges to itself only in the row of modifiers.
        yield from (edge for edge in life.edges(name) if keys[edge.before][0] != keys[edge.after][0])
        for first, second in pairwise(sorted(life.modifiers, key=keys.__getitem__)):
            yield Edge(first, second, EdgeReason.MODIFY_MODIFY, name)


def _explicit_edges(nodes: Iterable[NodeInstance], explicit: Iterable[tuple[str, str]]) -> Iterable[Edge]:
    instances: dict[str, list[NodeInstance]] = defaultdict(list)
    for node in nodes:
        instances[node.declaration.name].append(node)
    for before, after in explicit:
        for first in instances[before]:
            for second in instances[after]:
                if agree(first.index, second.index):
                    yield Edge(first.id, second.id, EdgeReason.EXPLICIT)
