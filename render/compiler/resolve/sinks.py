"""Sinks: the resources that the frame is made for."""

from __future__ import annotations

from renderwright.render.compiler.diagnostics.faults import error, near_miss
from renderwright.render.compiler.diagnostics.findings import Problem
from renderwright.render.compiler.resolve.bind import BoundGraph


def find_sinks(bound: BoundGraph) -> tuple[tuple[str, ...], list[Problem]]:
    """The roots of the declared sinks, and a problem for each sink that no node creates."""
    roots = {name: root for root, resource in bound.resources.items() for name in resource.names}
    sinks: dict[str, None] = {}
    problems = []
    for sink in sorted(set(bound.snapshot.sinks)):
        root = roots.get(bound.aliases.target(sink))
        if root is None:
            message = f"the frame is made for `{sink}`, which nobody creates"
            problems.append(error("no-sink", message, near_miss(sink, roots) or f"create `{sink}` in a node", ()))
        else:
            sinks[root] = None
    return tuple(sinks), problems
