"""Critical paths: how much work must be done before each unit, and how much depends on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from renderwright.render.compiler.order.dependency_graph import DependencyGraph


@dataclass(frozen=True)
class CriticalPaths:
    """By unit, in units of cost: ``top_levels`` are the costliest paths that lead to it, without its own cost;
    ``bottom_levels`` the costliest ones that start with it, with its own cost."""

    top_levels: Sequence[float]
    bottom_levels: Sequence[float]


def critical_paths(dependencies: DependencyGraph, costs: Sequence[float]) -> CriticalPaths:
    """The levels of every unit, from one pass in topological order and one back; join nodes cost nothing."""
    units, successors = dependencies.units, dependencies.successors
    costs = [*costs, *[0.0] * (len(successors) - units)]
    waiting = [len(predecessors) for predecessors in dependencies.predecessors]
    top_levels = [0.0] * len(successors)
    topological = [node for node, count in enumerate(waiting) if not count]
    for node in topological:
        end = top_levels[node] + costs[node]
        for successor in successors[node]:
            if end > top_levels[successor]:
                top_levels[successor] = end
            waiting[successor] -= 1
            if not waiting[successor]:
                topological.append(successor)
    bottom_levels = costs
    for node in reversed(topological):
        bottom_levels[node] += max([bottom_levels[successor] for successor in successors[node]], default=0.0)
    return CriticalPaths(top_levels[:units], bottom_levels[:units])
