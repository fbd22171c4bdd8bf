"""Which nodes a frame of another plan is expected to skip."""

from __future__ import annotations

from collections.abc import Set

from renderwright.render.compiler.values.plan import Plan


def skipped_alike(plan: Plan, skipped: Set[str], other: Plan) -> tuple[frozenset[str], ...]:
    """The node instances of the ``other`` plan that are skipped where ``plan`` skips the ``skipped`` ones (ids): in its
    first frame, and in later ones if these skip more.

    The first frame runs the instances that only the other plan has (of another view, eye or sample), since there are no
    results of them yet. Later frames skip them if all instances of their node are skipped.
    """
    first = frozenset(node.id for node in other.graph.nodes if node.id in skipped)
    ids = {node.id for node in plan.graph.nodes}
    running = {node.declaration.name for node in plan.graph.nodes if node.id not in skipped}
    names = {node.declaration.name for node in plan.graph.nodes} - running
    new = [node.id for node in other.graph.nodes if node.id not in ids and node.declaration.name in names]
    return (first, first.union(new)) if new else (first,)
