"""The plans of consecutive frames, in which nodes with a rate are skipped."""

from __future__ import annotations

from collections.abc import Iterator

from renderwright.render.compiler.partial import PartialPlans
from renderwright.render.compiler.rates import run_together
from renderwright.render.compiler.values.plan import Plan


def resting_nodes(plan: Plan, frame: int) -> frozenset[str]:
    """The node instances that are skipped in a frame, counted from 0.

    No node is skipped in the first frame. Nodes with ``when`` are skipped in all others, as if the blob never changed.
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
    """The plan of each of the first ``count`` frames: ``plan`` itself, or a partial plan without skipped nodes."""
    parts = PartialPlans(plan)
    for frame in range(count):
        yield parts.plan(resting_nodes(plan, frame))
