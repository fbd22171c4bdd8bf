"""The dependency graph of list scheduling, with a join node for each many-to-many hyperedge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from renderwright.render.compiler.values.instances import InstanceGraph

HyperedgeKey = tuple[tuple[int, ...], tuple[int, ...]]
"""A hyperedge as numbers of nodes or units: each of the first runs before each of the second."""


@dataclass(frozen=True)
class DependencyGraph:
    """Dependencies between scheduling units 0 .. ``units`` - 1 and join nodes, which are numbered from ``units`` on.

    A hyperedge of m units before n units is a join node with m predecessors and n successors, in place of m * n edges.
    ``predecessors`` and ``successors`` are by the number of a unit or join node. ``dependents`` counts, by unit, the
    (dependency, dependent unit) pairs behind it.
    """

    units: int
    predecessors: Sequence[Sequence[int]]
    successors: Sequence[Sequence[int]]
    dependents: Sequence[int]


def hyperedges(graph: InstanceGraph) -> Counter[HyperedgeKey]:
    """The graph's dependencies, each with the number of times it is stated; nodes are numbered as in ``graph.nodes``.

    Serialised modifiers depend each on the one before.
    """
    number = {node.id: number for number, node in enumerate(graph.nodes)}.__getitem__
    found = Counter((tuple(map(number, group.befores)), tuple(map(number, group.afters))) for group in graph.groups)
    found.update(((before,), (after,)) for row in graph.rows for before, after in pairwise(map(number, row.nodes)))
    return found


def is_pair(edge: HyperedgeKey) -> bool:
    """Whether the hyperedge is an edge between two nodes."""
    befores, afters = edge
    return len(befores) == 1 == len(afters)


def dependency_graph(edges: Mapping[HyperedgeKey, int], units: int) -> DependencyGraph:
    """The graph of these hyperedges between so many units; the values count repetitions."""
    predecessors: list[list[int]] = [[] for _ in range(units)]
    successors: list[list[int]] = [[] for _ in range(units)]
    dependents = [0] * units
    for edge, times in edges.items():
        befores, afters = edge
        for before in befores:
            dependents[before] += len(afters) * times
        if is_pair(edge):
            successors[befores[0]].append(afters[0])
            predecessors[afters[0]].append(befores[0])
            continue
        join = len(successors)
        for before in befores:
            successors[before].append(join)
        for after in afters:
            predecessors[after].append(join)
        predecessors.append(list(befores))
        successors.append(list(afters))
    return DependencyGraph(units, predecessors, successors, dependents)
