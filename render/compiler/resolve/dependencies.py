"""Dependencies between nodes: declared before/after, and the order in which the users of each name run.

A name is created, then modified, then read, then renamed away.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from renderwright.render.compiler.instances.dependencies import NameUsers, Role, roles_of
from renderwright.render.compiler.values.precedence import EdgeReason, Precedence
from renderwright.render.compiler.values.resolved import BoundNode
from renderwright.render.graph.requests import NodeDeclaration


def users_by_name(nodes: Iterable[BoundNode]) -> dict[str, NameUsers]:
    """The users of each name that a node creates, in order of name."""
    users: dict[str, NameUsers] = defaultdict(NameUsers)
    for node in nodes:
        requests = node.requests
        roles = roles_of([bound.request for bound in requests], [bound.name for bound in requests])
        for bound, role in zip(requests, roles, strict=True):
            if bound.root:
                users[bound.name].add(role, node.name)
                if bound.to:
                    users[bound.to].add(Role.CREATE, node.name)
    return dict(sorted(users.items()))


def dependencies_of(users: Mapping[str, NameUsers], explicit: Iterable[tuple[str, str]]) -> tuple[Precedence, ...]:
    """The ``explicit`` (before, after) pairs, and the dependencies between the users of each name.

    Modifiers of one name are not ordered among themselves.
    """
    groups = [Precedence((before,), (after,), EdgeReason.EXPLICIT) for before, after in explicit]
    for name, own in users.items():
        groups += own.precedences(name)
    return tuple(groups)


def urgency(node: NodeDeclaration) -> tuple[int, int, str]:
    """Sort key of nodes that dependencies leave unordered: larger priority, earlier declaration, name."""
    return -node.priority, node.index, node.name
