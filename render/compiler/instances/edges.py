"""The ordering rules: which node runs before which, and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from renderwright.render.compiler.instances.precedence import EdgeReason, Precedence, precedences
from renderwright.render.graph.requests import NodeDeclaration, Request, Verb
from renderwright.render.types.parts import WHOLE

_STEP = {
    Verb.CREATE: 0,
    Verb.EXTERNAL: 0,
    Verb.MODIFY: 1,
    Verb.READ: 2,
    Verb.HISTORY: 2,
    Verb.GATHER: 2,
    Verb.RENAME: 3,
}

_WRITING = (Verb.CREATE, Verb.EXTERNAL, Verb.MODIFY)


Kind = tuple[Verb, bool]
"""The verb of a request, and whether it is for a part of a texture only."""


def kind_of(request: Request) -> Kind:
    """The kind of a request."""
    return request.verb, request.part is not WHOLE and request.part != WHOLE


def life_step(verb: Verb) -> int:
    """Which field of a ``Life`` a node with such a request stands in."""
    return _STEP[verb]


def life_steps(kinds: Sequence[Kind], names: Sequence[str]) -> Sequence[int]:
    """``life_step`` of each request of a node, given the names that they mean.

    A node that reads a part of a texture (or last frame's) to write another part of it reads what is there when it
    writes, so it stands among the writers only.
    """
    steps = [_STEP[verb] for verb, _ in kinds]
    for number, (verb, partial) in enumerate(kinds):
        if partial and verb in (Verb.READ, Verb.HISTORY):
            asks = zip(kinds, names, steps, strict=True)
            writing = [step for (other, _), name, step in asks if name == names[number] and other in _WRITING]
            steps[number] = max(writing, default=steps[number])
    return steps


class Life(NamedTuple):
    """Who does what to one name, in the order of its life: create, modify, read, rename away.

    Gathers and history requests order like reads.
    """

    creators: tuple[str, ...]
    modifiers: tuple[str, ...]
    readers: tuple[str, ...]
    renamers: tuple[str, ...]


def lives_of(roles: Iterable[tuple[tuple[str, int], Sequence[str]]]) -> dict[str, Life]:
    """Lives by name, from who stands in which step of the life of which name; users of a step stay in that order."""
    found: dict[tuple[str, int], list[Sequence[str]]] = {}
    for role, users in roles:
        found.setdefault(role, []).append(users)
    steps: dict[str, list[tuple[str, ...]]] = {}
    for (name, step), rows in found.items():
        own = tuple(rows[0]) if len(rows) == 1 else tuple(dict.fromkeys(chain.from_iterable(rows)))
        steps.setdefault(name, [(), (), (), ()])[step] = own
    return {name: Life(*own) for name, own in steps.items()}


def successions(life: Life) -> list[tuple[tuple[str, ...], tuple[str, ...], EdgeReason]]:
    """The steps of a life that come one before the other, and why; modifiers are not ordered among themselves."""
    creators, modifiers, readers, renamers = life
    steps = (
        (creators, modifiers, EdgeReason.CREATE_MODIFY),
        (creators, readers, EdgeReason.CREATE_READ),
        (modifiers, readers, EdgeReason.MODIFY_READ),
        (creators, renamers, EdgeReason.USE_RENAME),
        (modifiers, renamers, EdgeReason.USE_RENAME),
        (readers, renamers, EdgeReason.USE_RENAME),
    )
    return [step for step in steps if step[0] and step[1]]


def life_precedences(name: str, life: Life) -> list[Precedence]:
    """Everything that the name's life asks for, but of nobody to come before itself."""
    steps = successions(life)
    return [group for before, after, reason in steps for group in precedences(before, after, reason, name)]


def precedences_of(
    roles: Iterable[tuple[tuple[str, int], Sequence[str]]], explicit: Iterable[tuple[str, str]]
) -> tuple[Precedence, ...]:
    """Everything that the lives of all names ask for, given as for ``lives_of``, and ``explicit`` (before, after)
    pairs."""
    groups = [Precedence((before,), (after,), EdgeReason.EXPLICIT) for before, after in explicit]
    for name, life in sorted(lives_of(roles).items()):
        groups += life_precedences(name, life)
    return tuple(groups)


def explicit_pairs(nodes: Sequence[NodeDeclaration], there: Iterable[str]) -> dict[tuple[str, str], list[str]]:
    """(before, after) pairs of nodes that are ``there`` and ordered by declaration, with the nodes that declared it."""
    pairs: dict[tuple[str, str], list[str]] = {}
    wishing = [node for node in nodes if node.before or node.after]
    known = set(there) if wishing else set[str]()
    for node in sorted(wishing, key=attrgetter("name")):
        name = node.name
        wishes = [(name, other) for other in node.before] + [(other, name) for other in node.after]
        for before, after in wishes:
            if before in known and after in known and before != after:
                owners = pairs.setdefault((before, after), [])
                if name not in owners:
                    owners.append(name)
    return pairs
