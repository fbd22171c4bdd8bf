"""The ordering rules: in which order the users of one resource name run, and which orders nodes declare themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from operator import attrgetter

from renderwright.render.compiler.values.precedence import EdgeReason, Precedence, precedences
from renderwright.render.graph.requests import NodeDeclaration, Request, Verb
from renderwright.render.types.parts import WHOLE


class Role(IntEnum):
    """What a node does to a name, in the order in which a name is used."""

    CREATE = 0
    MODIFY = 1
    READ = 2
    RENAME = 3


_ROLES = {
    Verb.CREATE: Role.CREATE,
    Verb.EXTERNAL: Role.CREATE,
    Verb.MODIFY: Role.MODIFY,
    Verb.READ: Role.READ,
    Verb.HISTORY: Role.READ,
    Verb.GATHER: Role.READ,
    Verb.RENAME: Role.RENAME,
}

_SUCCESSIONS = (
    (Role.CREATE, Role.MODIFY, EdgeReason.CREATE_MODIFY),
    (Role.CREATE, Role.READ, EdgeReason.CREATE_READ),
    (Role.MODIFY, Role.READ, EdgeReason.MODIFY_READ),
    (Role.CREATE, Role.RENAME, EdgeReason.USE_RENAME),
    (Role.MODIFY, Role.RENAME, EdgeReason.USE_RENAME),
    (Role.READ, Role.RENAME, EdgeReason.USE_RENAME),
)
"""Which role on a name comes before which other role. ``resolve/modifier_order`` orders modifiers among themselves."""

_WRITING = (Verb.CREATE, Verb.EXTERNAL, Verb.MODIFY)


def roles_of(requests: Sequence[Request], names: Sequence[str]) -> Sequence[Role]:
    """The role of a node by each of its requests, which have these resolved names.

    A node that reads one part of a texture (or of its history) and writes another part is a writer only: it reads what
    is there when it writes.
    """
    roles = [_ROLES[request.verb] for request in requests]
    for number, request in enumerate(requests):
        if request.part != WHOLE and request.verb in (Verb.READ, Verb.HISTORY):
            same_name = [other for other, name in zip(requests, names, strict=True) if name == names[number]]
            writing = [_ROLES[other.verb] for other in same_name if other.verb in _WRITING]
            roles[number] = max(writing, default=roles[number])
    return roles


class NameUsers:
    """The users of one name of one resource by role, each list without duplicates and in order of first use."""

    __slots__ = ("_users",)

    def __init__(self) -> None:
        self._users: tuple[dict[str, None], ...] = ({}, {}, {}, {})

    def add(self, role: int, node: str) -> None:
        """Add a user (a node's name or an instance's id)."""
        self._users[role][node] = None

    def having(self, role: Role) -> tuple[str, ...]:
        """The users with a role."""
        return tuple(self._users[role])

    def precedences(self, name: str, owners: Mapping[str, str] | None = None) -> Iterator[Precedence]:
        """Which users run before which. A node with two roles on the name does not depend on itself (``owners``)."""
        users = [tuple(each) for each in self._users]
        for first, then, reason in _SUCCESSIONS:
            yield from precedences(users[first], users[then], reason, name, owners)


def explicit_pairs(nodes: Sequence[NodeDeclaration], there: Iterable[str]) -> dict[tuple[str, str], list[str]]:
    """(before, after) pairs of names that nodes declare, with the names of the nodes that declare each pair.

    Only pairs of two different nodes that are ``there`` count.
    """
    declaring = sorted([node for node in nodes if node.before or node.after], key=attrgetter("name"))
    known = set(there) if declaring else set[str]()
    pairs: dict[tuple[str, str], list[str]] = {}
    for node in declaring:
        declared = [(node.name, other) for other in node.before] + [(other, node.name) for other in node.after]
        for before, after in dict.fromkeys(declared):
            if before in known and after in known and before != after:
                pairs.setdefault((before, after), []).append(node.name)
    return pairs
