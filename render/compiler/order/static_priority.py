"""Static priorities: the terms of a unit's score that do not depend on the schedule so far."""

from __future__ import annotations

from collections.abc import Sequence

from renderwright.render.compiler.order.critical_path import critical_paths
from renderwright.render.compiler.order.dependency_graph import DependencyGraph
from renderwright.render.compiler.order.nested_order import nested_ranks
from renderwright.render.compiler.order.node_facts import NodeFacts
from renderwright.render.compiler.order.weights import Weights

MOST_DEPENDENTS = 8
"""This number of dependents and more count 1."""

NEST = 32
"""This number of ranks in the nested order counts 1."""

_RECORDS_NOTHING = 1000.0
"""Above any sum of terms: such a node costs no GPU time, and others depend on it."""


class StaticPriority:
    """Critical paths and nested ranks of the units, computed once for any number of weightings."""

    def __init__(self, facts: Sequence[NodeFacts], dependencies: DependencyGraph) -> None:
        self._facts = facts
        self._dependents = dependencies.dependents
        self._paths = critical_paths(dependencies, [unit.cost for unit in facts])
        self._nested_ranks = nested_ranks(dependencies, self._paths.top_levels)

    def scores(self, weights: Weights) -> list[float]:
        """By unit, the weighted sum of nest, chain, spread and patience."""
        top_levels, bottom_levels = self._paths.top_levels, self._paths.bottom_levels
        longest = max(bottom_levels, default=0.0) or 1.0
        costliest = max([unit.cost for unit in self._facts], default=0.0) or 1.0
        return [
            -weights.nest * self._nested_ranks[number] / NEST
            + weights.chain * bottom_levels[number] / longest
            + weights.spread * (unit.cost / costliest) * (min(dependents, MOST_DEPENDENTS) / MOST_DEPENDENTS)
            - weights.patience * top_levels[number] / longest
            + (0.0 if unit.records else _RECORDS_NOTHING)
            for number, (unit, dependents) in enumerate(zip(self._facts, self._dependents, strict=True))
        ]
