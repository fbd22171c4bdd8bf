"""Which nodes the frames of a plan are expected to skip, from those that a frame of the plan before it has skipped."""

from __future__ import annotations

from collections.abc import Set

from renderwright.render.runtime.skipping.rates import PlanRates


def skipped_alike(before: PlanRates, skipped: Set[str], after: PlanRates) -> tuple[frozenset[str], ...]:
    """The rated nodes of a plan (ids) that are skipped where the plan before it skips the ``skipped`` ones: in the
    first frame, and in later ones if these skip others.

    The first frame runs all whose results it cannot take over: instances that only this plan has (of another view, eye
    or sample), and those that depend on other declarations or sizes. In later frames new instances are skipped, too, if
    all instances of their node were.
    """
    same = after.nodes.keys() & skipped
    same_origin = {node for node in same if before.origin(node) == after.origin(node)}
    running = {node.declaration.name for node in before.nodes.values() if node.id not in skipped}
    names = {node.declaration.name for node in before.nodes.values()} - running
    new = {node.id for node in after.nodes.values() if node.id not in before.nodes and node.declaration.name in names}
    return tuple(dict.fromkeys([after.whole_groups(same_origin), after.whole_groups(same | new)]))
