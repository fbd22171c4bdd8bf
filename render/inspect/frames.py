"""The plans of consecutive frames: in some, nodes with a rate of their own rest."""

from __future__ import annotations

from collections.abc import Iterator

from renderwright.render.compiler.partial import PartialPlans
from renderwright.render.compiler.rates import run_together
from renderwright.render.compiler.values.plan import Plan


def resting_nodes(plan: Plan, frame: int) -> frozenset[str]:
    """The node instances that do not run in a frame, counted from 0.

    All run in the first one. Nodes that wait for a blob to change rest afterwards, as if it never did.
    """
    if frame == 0:
        return frozenset()
    rates = {node.id: node.declaration.rate for node in plan.graph.nodes}
    return frozenset(
        node
        for group in run_together(plan.graph)
        if not any(not rates[member].when and frame % rates[member].every == rates[member].phase for member in group)
        for node in group
    )


def frame_plans(plan: Plan, count: int) -> Iterator[Plan]:
    """The plan of each of the first ``count`` frames: ``plan`` itself, or its part for the nodes that run then."""
    parts = PartialPlans(plan)
    for frame in range(count):
        yield parts.plan(resting_nodes(plan, frame))
