"""Broken nodes: a node that requires a name that no remaining node makes, propagated to a fixed point."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Needs(NamedTuple):
    """The names that a node requires and creates, and its renames (old name, new name)."""

    required: tuple[str, ...]
    creates: tuple[str, ...]
    renames: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class BrokenNodes:
    """The broken nodes, each with the first required name that is missing, and all dead names: names without maker."""

    broken: Mapping[str, str]
    dead: Collection[str]


NONE_BROKEN = BrokenNodes({}, frozenset())


def find_broken(nodes: Mapping[str, Needs], lasting: Collection[str] = ()) -> BrokenNodes:
    """The least fixed point of two rules: a node that requires a dead name is broken; a name without maker is dead.

    A broken node makes nothing, unless it is one of the ``lasting`` nodes. A rename makes its new name only while its
    old name is alive.
    """
    makers, requiring, renaming = _indexed(nodes)
    dead: set[str] = set()
    broken: set[str] = set()
    unmade = [name for name in (*requiring, *renaming) if name not in makers]
    while unmade:
        name = unmade.pop()
        if name in dead:
            continue
        dead.add(name)
        newly_broken = [node for node in requiring.get(name, ()) if node not in broken]
        broken.update(newly_broken)
        lost = list(renaming.get(name, ()))
        lost += [(node, made) for node in newly_broken if node not in lasting for made in _made(nodes[node])]
        for node, made in lost:
            makers[made].discard(node)
            if not makers[made]:
                unmade.append(made)
    return BrokenNodes({node: _first_dead(nodes[node], dead) for node in sorted(broken)}, dead)


def _indexed(
    nodes: Mapping[str, Needs],
) -> tuple[Mapping[str, set[str]], Mapping[str, Sequence[str]], Mapping[str, Sequence[tuple[str, str]]]]:
    """By name, the nodes that make it, those that require it, and its renames as (node, new name)."""
    makers: dict[str, set[str]] = defaultdict(set)
    requiring: dict[str, list[str]] = defaultdict(list)
    renaming: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for node, needs in nodes.items():
        for name in needs.required:
            requiring[name].append(node)
        for old, new in needs.renames:
            renaming[old].append((node, new))
        for name in _made(needs):
            makers[name].add(node)
    return makers, requiring, renaming


def _made(needs: Needs) -> tuple[str, ...]:
    return (*needs.creates, *[new for _, new in needs.renames])


def _first_dead(needs: Needs, dead: Collection[str]) -> str:
    return next(name for name in needs.required if name in dead)
