"""Notes on before/after that name nodes which are not in the graph."""

from __future__ import annotations

from renderwright.render.compiler.diagnostics.faults import near_miss, note
from renderwright.render.compiler.diagnostics.findings import Problem
from renderwright.render.compiler.resolve.bind import BoundGraph

_HINTS = 20
"""How many notes get a search for similar names, which is slow."""


def unknown_nodes(bound: BoundGraph) -> list[Problem]:
    """A note on every before/after that names the node itself or a node that never existed.

    A removed node has been reported already.
    """
    known = {node.name for node in bound.snapshot.nodes}
    problems: list[Problem] = []
    for name, node in bound.declarations.items():
        for what, others in (("before", node.before), ("after", node.after)):
            for other in sorted(set(others)):
                if other == name:
                    message = f"`{name}` is declared to run {what} itself, which is ignored"
                elif other not in known:
                    message = f"`{name}` is declared to run {what} `{other}`, which is not in the graph"
                else:
                    continue
                hint = near_miss(other, known - {name}) if len(problems) < _HINTS else ""
                problems.append(note("unknown-node", message, hint, [node.source]))
    return problems
