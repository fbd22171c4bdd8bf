"""What each node costs: measured GPU time where there is one, else its hint in the same unit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median_low
from typing import NamedTuple

from renderwright.render.compiler.values.instances import NodeInstance


class Costs(NamedTuple):
    """``measured`` is microseconds by node name; hints of other nodes count in ``unit`` microseconds."""

    measured: Mapping[str, float]
    unit: float

    def of(self, nodes: Sequence[NodeInstance]) -> list[float]:
        """The cost of each instance."""
        measured, unit = self.measured, self.unit
        if not measured:
            return [node.declaration.cost for node in nodes]
        return [
            measured[node.declaration.name] if node.declaration.name in measured else node.declaration.cost * unit
            for node in nodes
        ]

    def total(self, nodes: Sequence[NodeInstance]) -> float:
        """The cost of all of them."""
        return sum(self.of(nodes))


def costs_of(nodes: Sequence[NodeInstance], measured: Mapping[str, float]) -> Costs:
    """How the nodes of a graph are to be judged; ``measured`` is microseconds by node name.

    A hint counts as often as the median measured node's time goes into its own hint; alone, hints count as they are.
    """
    if not measured:
        return Costs(measured, 1.0)
    rates = {
        name: time / node.declaration.cost
        for node in nodes
        if (name := node.declaration.name) in measured
        and (time := measured[name]) > 0.0
        and node.declaration.cost > 0.0
    }
    return Costs(measured, median_low(rates.values()) if rates else 1.0)


def node_costs(nodes: Sequence[NodeInstance], measured: Mapping[str, float]) -> list[float]:
    """The cost of each of a graph's instances; ``measured`` is microseconds by node name."""
    return costs_of(nodes, measured).of(nodes)
