"""What each node costs: its measured GPU time, else its hint converted to the same unit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median_low

from renderwright.render.compiler.values.instances import NodeInstance


def node_costs(nodes: Sequence[NodeInstance], measured: Mapping[str, float]) -> list[float]:
    """The cost of each instance; ``measured`` is microseconds by node name.

    Hints of nodes without a measurement are scaled by the median ratio of measured time to hint. Without any
    measurement, costs are the hints.
    """
    scale = _microseconds_per_hint(nodes, measured)
    return [
        measured[node.declaration.name] if node.declaration.name in measured else node.declaration.cost * scale
        for node in nodes
    ]


def _microseconds_per_hint(nodes: Sequence[NodeInstance], measured: Mapping[str, float]) -> float:
    if not measured:
        return 1.0
    ratios = {
        name: time / node.declaration.cost
        for node in nodes
        if (name := node.declaration.name) in measured
        and (time := measured[name]) > 0.0
        and node.declaration.cost > 0.0
    }
    return median_low(ratios.values()) if ratios else 1.0
