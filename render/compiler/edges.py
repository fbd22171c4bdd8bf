"""The ordering rules: which node runs before which, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from render.compiler.precedence import EdgeReason, Precedence, precedences
from render.graph.requests import NodeDeclaration, Verb


@dataclass
class Life:
    """Who does what to one name, in the order of its life: create, modify, read, rename away.

    Gathers and history requests order like reads.
    """

    creators: dict[str, None] = field(default_factory=dict)
    modifiers: dict[str, None] = field(default_factory=dict)
    readers: dict[str, None] = field(default_factory=dict)
    renamers: dict[str, None] = field(default_factory=dict)

    def add(self, node: str, verb: Verb) -> None:
        """``node`` uses the name so."""
        match verb:
            case Verb.CREATE | Verb.EXTERNAL:
                self.creators[node] = None
            case Verb.MODIFY:
                self.modifiers[node] = None
            case Verb.RENAME:
                self.renamers[node] = None
            case Verb.READ | Verb.HISTORY | Verb.GATHER:
                self.readers[node] = None

    def precedences(self, name: str) -> Iterator[Precedence]:
        """Everything that the name's life asks for; modifiers are not ordered among themselves."""
        steps = (
            (self.creators, self.modifiers, EdgeReason.CREATE_MODIFY),
            (self.creators, self.readers, EdgeReason.CREATE_READ),
            (self.modifiers, self.readers, EdgeReason.MODIFY_READ),
            (self.creators, self.renamers, EdgeReason.USE_RENAME),
            (self.modifiers, self.renamers, EdgeReason.USE_RENAME),
            (self.readers, self.renamers, EdgeReason.USE_RENAME),
        )
        for before, after, reason in steps:
            yield from precedences(tuple(before), tuple(after), reason, name)


def explicit_pairs(declarations: Mapping[str, NodeDeclaration]) -> dict[tuple[str, str], list[str]]:
    """(before, after) pairs of nodes that are there and ordered by declaration, with the nodes that declared it."""
    pairs: dict[tuple[str, str], list[str]] = {}
    for name, declaration in sorted(declarations.items()):
        wishes = [(name, other) for other in declaration.before] + [(other, name) for other in declaration.after]
        for before, after in wishes:
            if before in declarations and after in declarations and before != after:
                owners = pairs.setdefault((before, after), [])
                if name not in owners:
                    owners.append(name)
    return pairs
