"""Who cannot get what it needs: the fixed point of broken nodes, by name of resource."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple


class Needs(NamedTuple):
    """What a node cannot do without, what it creates, and its renames (old name, new name)."""

    required: tuple[str, ...]
    creates: tuple[str, ...]
    renames: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Shortage:
    """Broken nodes with the first name that each misses, and every name that nobody makes any more."""

    broken: Mapping[str, str]
    dead: Collection[str]


NOTHING_MISSING = Shortage({}, frozenset())


def shortage(nodes: Mapping[str, Needs], lasting: Collection[str] = ()) -> Shortage:
    """The least fixed point: a node is broken if a name that it requires is dead; a name is dead if nobody makes it.

    ``nodes`` are given by name; it is best if alike neighbours share one ``Needs``. A rename makes its new name only if
    its old one is alive. What the ``lasting`` nodes make stays alive even when they are broken.
    """
    if _nothing_missing(nodes.values()):
        return NOTHING_MISSING
    makers: dict[str, int] = defaultdict(int)
    required_by: dict[str, list[str]] = defaultdict(list)
    renamed_by: dict[str, list[tuple[str, str]]] = defaultdict(list)
    names: dict[str, None] = {}
    for node, needs in nodes.items():
        for name in needs.creates:
            makers[name] += 1
        for old, new in needs.renames:
            makers[new] += 1
            renamed_by[old].append((node, new))
            names[old] = None
        for name in dict.fromkeys(needs.required):
            required_by[name].append(node)
            names[name] = None
    dead: set[str] = set()
    broken: set[str] = set()
    lost: set[tuple[str, str]] = set()
    work = [name for name in names if not makers[name]]

    def lose(node: str, name: str) -> None:
        if (node, name) not in lost:
            lost.add((node, name))
            makers[name] -= 1
            if not makers[name]:
                work.append(name)

    while work:
        name = work.pop()
        if name in dead:
            continue
        dead.add(name)
        for node, new in renamed_by[name]:
            lose(node, new)
        for node in required_by[name]:
            if node in broken:
                continue
            broken.add(node)
            if node not in lasting:
                for made in (*nodes[node].creates, *(new for _, new in nodes[node].renames)):
                    lose(node, made)
    return Shortage({n: next(x for x in nodes[n].required if x in dead) for n in sorted(broken)}, dead)


def _nothing_missing(nodes: Iterable[Needs]) -> bool:
    """Whether everything required or renamed is made, which can be told at a glance."""
    made: set[str] = set()
    wanted: set[str] = set()
    for needs, _ in groupby(nodes):
        made.update(needs.creates)
        wanted.update(needs.required)
        for old, new in needs.renames:
            made.add(new)
            wanted.add(old)
    return wanted <= made
