"""What random graphs are made of while they are made: names, chains, nodes, and ways to spell a name."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace

from renderwright.render.graph.requests import Rate, Request
from renderwright.render.graph.snapshot import Chain
from renderwright.render.types.resources import ResourceDesc

FULL = "/full/"
"""Stands before a name that is yet to be spelt as its user's namespace asks for."""


@dataclass
class Live:
    """A name that exists. ``family`` is shared by all names that one node must not touch twice; ``rate`` is the
    creator's."""

    name: str
    desc: ResourceDesc
    mode: frozenset[str]
    rate: Rate
    family: str
    external: bool = False
    read: bool = False
    lasting: bool = False
    output: bool = False


@dataclass
class Line:
    """A chain in the making; ``places`` are the priorities of its ``members`` so far."""

    chain: Chain
    current: Live
    family: str
    members: list[str] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    closed: bool = False
    output: Live | None = None


@dataclass
class Sketch:
    """A node in the making; ``mode`` None is inferred, ``holds`` what is inferred so far."""

    label: str
    mode: frozenset[str] | None
    rate: Rate
    size: object = None
    holds: frozenset[str] = frozenset()
    requests: list[Request] = field(default_factory=list)
    families: set[str] = field(default_factory=set)
    line: Line | None = None
    more: dict[str, object] = field(default_factory=dict)

    @property
    def modes(self) -> frozenset[str]:
        return self.holds if self.mode is None else self.mode

    def may(self, live: Live) -> bool:
        return live.family not in self.families and (self.mode is None or live.mode <= self.mode)

    def touch(self, live: Live, *, gather: bool = False) -> None:
        self.families.add(live.family)
        if not gather:
            self.holds |= live.mode


class Speller:
    """Spells names in the ways that namespaces and slots allow."""

    def __init__(self, rng: random.Random, known: set[str], slots: dict[str, str]) -> None:
        self.rng = rng
        self.known = known
        self.slots = slots

    def request(self, asker: str, one: Request) -> Request:
        if not one.name.startswith(FULL):
            return one
        return replace(one, name=self._name(asker, one.name.removeprefix(FULL)))

    def _name(self, asker: str, full: str) -> str:
        slots = [slot for slot, name in self.slots.items() if name == full]
        if slots and self.rng.random() < 0.5:
            return slots[0]
        spaces = [asker[:n] for n, letter in enumerate(asker) if letter == "/"]
        ways = [full, *(full.removeprefix(f"{space}/") for space in spaces)]
        fitting = [way for way in ways if looked_up(way, asker, self.known) == full]
        return self.rng.choice([*fitting, *fitting, f"/{full}"])


def looked_up(name: str, asker: str, known: set[str]) -> str:
    """The full name of ``name`` to the node ``asker``, from inside out."""
    if name[0] == "/":
        return name[1:]
    spaces = [asker[:n] for n, letter in enumerate(asker) if letter == "/"]
    return next((f"{space}/{name}" for space in reversed(spaces) if f"{space}/{name}" in known), name)
