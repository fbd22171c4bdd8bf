"""The modes of nodes that declare none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from renderwright.render.compiler.values.resolved import BoundRequest
from renderwright.render.graph.requests import NodeDeclaration, Verb


def infer_modes(
    nodes: Iterable[tuple[NodeDeclaration, Sequence[BoundRequest]]], creators: Mapping[str, NodeDeclaration]
) -> dict[str, frozenset[str]]:
    """The mode of each node that declares none: the union of the modes of its resources, gathers excepted.

    A resource has its creator's mode; ``creators`` gives the creator of each root. Where nodes depend on one another in
    a cycle, the modes are the least fixed point.
    """
    modes: dict[str, frozenset[str]] = {}
    dependents: dict[str, list[str]] = {}
    for node, requests in nodes:
        if node.multiplex is None:
            roots = {bound.root for bound in requests if bound.root and bound.request.verb is not Verb.GATHER}
            used = [creators[root] for root in roots]
            modes[node.name] = frozenset().union(*[creator.multiplex or () for creator in used])
            for creator in used:
                dependents.setdefault(creator.name, []).append(node.name)
    _propagate(modes, dependents)
    return modes


def _propagate(modes: dict[str, frozenset[str]], dependents: Mapping[str, Sequence[str]]) -> None:
    """Extend the modes to the least fixed point in which the ``dependents`` of each node have its dimensions, too."""
    work = list(modes)
    while work:
        name = work.pop()
        for dependent in dependents.get(name, ()):
            if not modes[name] <= modes[dependent]:
                modes[dependent] |= modes[name]
                work.append(dependent)
