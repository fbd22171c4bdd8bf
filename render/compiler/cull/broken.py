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
    """The broken nodes, each with the missing name that broke it, and all dead names: names without maker.

    A node that requires several dead names has the one that died first: following the names to their makers, and these
    to their names, ends at a name that no node makes.
    """

    broken: Mapping[str, str]
    dead: Collection[str]


NONE_BROKEN = BrokenNodes({}, frozenset())


def find_broken(
    nodes: Mapping[str, Needs], still_making: Collection[str] = (), consequences: Collection[str] = ()
) -> BrokenNodes:
    """The least fixed point of two rules: a node that requires a dead name is broken; a name without maker is dead.

    A broken node makes nothing, unless it is one of those ``still_making``. A rename makes its new name only while its
    old name is alive. ``consequences`` are names that lack a maker because some of the nodes are broken: they die last,
    so that no node is said to be broken by what its own lack has led to.
    """
    makers, requiring, renaming = _indexed(nodes)
    rounds: dict[str, int] = {}
    broken: set[str] = set()
    unmade = [name for name in (*requiring, *renaming) if name not in makers]
    first = [name for name in unmade if name not in consequences]
    late = [name for name in unmade if name in consequences]
    number = 0
    for dying in (first, late):
        while dying:
            number += 1
            dying = list(dict.fromkeys([name for name in dying if name not in rounds]))
            rounds.update(dict.fromkeys(dying, number))
            newly_broken = {node for name in dying for node in requiring.get(name, ())} - broken
            broken |= newly_broken
            lost = [change for name in dying for change in renaming.get(name, ())]
            lost += [(node, made) for node in newly_broken if node not in still_making for made in _made(nodes[node])]
            dying = []
            for node, made in lost:
                makers[made].discard(node)
                if not makers[made]:
                    dying.append(made)
    return BrokenNodes({node: _first_to_die(nodes[node], rounds) for node in sorted(broken)}, rounds.keys())


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


def _first_to_die(needs: Needs, rounds: Mapping[str, int]) -> str:
    """The required name that died in the earliest round; of several, the one that is requested first."""
    return min([name for name in needs.required if name in rounds], key=lambda name: rounds[name])
