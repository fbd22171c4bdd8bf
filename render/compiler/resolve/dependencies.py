"""Dependencies between nodes: declared before/after, and the access order of each name.

A name is created, then modified, then read, then renamed away.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from renderwright.render.compiler.instances.dependencies import kind_of, life_step, life_steps, precedences_of
from renderwright.render.compiler.values.precedence import Precedence
from renderwright.render.compiler.values.resolved import BoundNode
from renderwright.render.graph.requests import NodeDeclaration, Verb

_CREATE, _MODIFY = life_step(Verb.CREATE), life_step(Verb.MODIFY)


class Access(NamedTuple):
    """An access of a node to a name; ``step`` is its position in the access order (``life_step``)."""

    name: str
    step: int
    node: str


def accesses_of(nodes: Iterable[BoundNode]) -> list[Access]:
    """Every access, node by node. Names that no node creates are left out."""
    accesses: list[Access] = []
    for node in nodes:
        user = node.name
        steps = life_steps([kind_of(bound.request) for bound in node.requests], [bound.name for bound in node.requests])
        for bound, step in zip(node.requests, steps, strict=True):
            if bound.root:
                accesses.append(Access(bound.name, step, user))
                if bound.to:
                    accesses.append(Access(bound.to, _CREATE, user))
    return accesses


def dependencies_of(accesses: Iterable[Access], explicit: Iterable[tuple[str, str]]) -> tuple[Precedence, ...]:
    """The dependencies that accesses and the ``explicit`` (before, after) pairs imply.

    Modifiers of one name are not ordered among themselves.
    """
    return precedences_of([((access.name, access.step), (access.node,)) for access in accesses], explicit)


def modifiers_of(accesses: Iterable[Access]) -> dict[str, list[str]]:
    """The nodes that modify each name."""
    modifiers: dict[str, dict[str, None]] = {}
    for access in accesses:
        if access.step == _MODIFY:
            modifiers.setdefault(access.name, {})[access.node] = None
    return {name: list(nodes) for name, nodes in modifiers.items()}


def urgency(node: NodeDeclaration) -> tuple[int, int, str]:
    """Sort key of nodes that dependencies leave unordered: larger priority, earlier declaration, name."""
    return -node.priority, node.index, node.name
