"""Origins: the requests that make each name, and the creation at the start of a sequence of renames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from renderwright.render.compiler.diagnostics.faults import keep_order
from renderwright.render.compiler.resolve.aliases import Aliases
from renderwright.render.graph.requests import NodeDeclaration, Request, Verb

MAKING = (Verb.CREATE, Verb.EXTERNAL, Verb.RENAME)
"""The verbs of requests that make a name."""


class Origin(NamedTuple):
    """A creation of ``name``, or a rename from ``name`` to ``to``."""

    node: NodeDeclaration
    request: Request
    name: str
    to: str


@dataclass(frozen=True)
class Origins:
    """The origins of all names.

    ``creations`` are the creations of each name and the renames to it, ``renames`` the renames from it. Of several
    origins of one name, the one that stays (``keep_order``) comes first. ``roots`` is the root of every name that a
    node makes, '' if renames lead to no creation.
    """

    creations: Mapping[str, Sequence[Origin]]
    renames: Mapping[str, Sequence[Origin]]
    roots: Mapping[str, str]


def origins_of(nodes: Iterable[NodeDeclaration], aliases: Aliases) -> Origins:
    """The origins of all names that nodes make."""
    creations: dict[str, list[Origin]] = {}
    renames: dict[str, list[Origin]] = {}
    known = tuple(nodes)
    for node in sorted(known, key=keep_order(known)):
        for request in node.requests:
            if request.verb in MAKING:
                origin = Origin(node, request, aliases.name_of(node.name, request), aliases.target(request.to))
                if request.verb is Verb.RENAME:
                    renames.setdefault(origin.name, []).append(origin)
                    creations.setdefault(origin.to, []).append(origin)
                else:
                    creations.setdefault(origin.name, []).append(origin)
    return Origins(creations, renames, _roots({made: origins[0].name for made, origins in creations.items()}))


def _roots(old_names: Mapping[str, str]) -> dict[str, str]:
    """The root of every name; ``old_names`` maps a created name to itself."""
    roots: dict[str, str] = {}
    for start in old_names:
        path = []
        name = start
        while name not in roots:
            old = old_names.get(name, "")
            if old == name or name not in old_names:
                roots[name] = old
                break
            roots[name] = ""  # found again if the renames form a loop
            path.append(name)
            name = old
        for renamed in path:
            roots[renamed] = roots[name]
    return roots
