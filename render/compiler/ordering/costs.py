"""What each node costs: measured GPU time where there is one, else its hint in the same unit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median_low

from render.compiler.stages import NodeInstance


def node_costs(nodes: Sequence[NodeInstance], measured: Mapping[str, float]) -> list[float]:
    """The cost of each instance; ``measured`` is microseconds by node name.

    A hint counts as often as the median measured node's time goes into its own hint; alone, hints count as they are.
    """
    if not measured:
        return [node.declaration.cost for node in nodes]
    rates = {
        name: time / node.declaration.cost
        for node in nodes
        if (name := node.declaration.name) in measured
        and (time := measured[name]) > 0.0
        and node.declaration.cost > 0.0
    }
    unit = median_low(rates.values()) if rates else 1.0
    return [
        measured[node.declaration.name] if node.declaration.name in measured else node.declaration.cost * unit
        for node in nodes
    ]
