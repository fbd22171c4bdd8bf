"""Who waits for whom, crowd by crowd: as little of it as decides whether nodes can be put in order, and in which."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from renderwright.render.compiler.instances.dependencies import life_step
from renderwright.render.compiler.instances.topological_sort import first_numbers
from renderwright.render.compiler.resolve.asked import Crowd, Meaning
from renderwright.render.graph.requests import NodeDeclaration, Verb
from renderwright.render.incremental.memo import Parts

_MODIFIES = life_step(Verb.MODIFY)

Sides = tuple[tuple[str, ...], tuple[str, ...]]
"""Nodes by name, each of the one before each of the other."""


def urgency(node: NodeDeclaration) -> tuple[int, int, str]:
    """Nodes would like to stand in the order of this: larger priority, earlier declaration, smaller name first."""
    return -node.priority, node.index, node.name


class Wished(NamedTuple):
    """Nodes that come before and after the same others, and not before one another, by ``urgency``."""

    urgency: tuple[int, int, str]
    nodes: tuple[NodeDeclaration, ...]
    names: tuple[str, ...]


Link = tuple[tuple[int, ...], tuple[int, ...]]
"""Crowds by number, each of the one before each of the other."""


@dataclass(frozen=True)
class Waits:
    """What crowds wait for, which stand by ``urgency``.

    What follows from other ``links`` is left out. ``modifiers`` are the crowds that modify a name, by the name.
    """

    crowds: Sequence[Wished]
    links: Collection[Link]
    modifiers: Mapping[str, tuple[int, ...]]

    @cached_property
    def order(self) -> Sequence[int]:
        """The crowds in an order that respects the links, without those on cycles and those that come after one."""
        return first_numbers(len(self.crowds), self.links)

    @property
    def possible(self) -> bool:
        """Whether there is an order of all nodes."""
        return len(self.order) == len(self.crowds)

    @cached_property
    def names(self) -> Sequence[str]:
        """The nodes of ``order``."""
        return list(chain.from_iterable([self.crowds[crowd].names for crowd in self.order]))

    @cached_property
    def spelt(self) -> Sequence[Sides]:
        """The links node by node."""

        def side(crowds: Iterable[int]) -> tuple[str, ...]:
            return tuple(chain.from_iterable([self.crowds[crowd].names for crowd in crowds]))

        return [(side(befores), side(afters)) for befores, afters in self.links]


def waits_of(
    declared: Sequence[NodeDeclaration], crowds: Iterable[Crowd], explicit: Collection[tuple[str, str]], parts: Parts
) -> Waits:
    """What the lives of names and the ``explicit`` (before, after) pairs ask for."""
    ordered = set(chain.from_iterable(explicit))
    together: list[tuple[NodeDeclaration, ...]] = []
    meanings: list[Meaning] = []
    for first, end, _, meaning in crowds:
        own = tuple(declared[first:end])
        # Who stands at two places of one life comes before or after itself.
        if len(own) > 1 and (meaning.twice or (ordered and not ordered.isdisjoint([node.name for node in own]))):
            together += [(node,) for node in own]
            meanings += [meaning] * len(own)
        else:
            together.append(own)
            meanings.append(meaning)
    found = parts.of(_wished).all([own[0].name for own in together], together)
    urgencies = [wished.urgency for wished in found]
    by_urgency = sorted(range(len(found)), key=urgencies.__getitem__)
    lives: dict[str, tuple[list[int], ...]] = {}
    for number, place in enumerate(by_urgency):
        for name, step in meanings[place].roles:
            if name not in lives:
                lives[name] = [], [], [], []
            lives[name][step].append(number)
    twice = set(chain.from_iterable([meaning.twice for meaning in meanings]))
    links: dict[Link, None] = {}
    for name, life in lives.items():
        before: tuple[int, ...] = ()
        for users in life:
            if users:
                then = tuple(users)
                if before and name in twice:
                    links.update(dict.fromkeys(_apart(before, then)))
                elif before:
                    links[before, then] = None
                before = then
    if explicit:
        numbers = {found[place].names[0]: number for number, place in enumerate(by_urgency)}
        links |= dict.fromkeys([((numbers[before],), (numbers[after],)) for before, after in explicit])
    modifiers = {name: tuple(dict.fromkeys(life[_MODIFIES])) for name, life in lives.items() if life[_MODIFIES]}
    return Waits([found[place] for place in by_urgency], links, modifiers)


def _wished(nodes: Sequence[NodeDeclaration]) -> Wished:
    """Nodes in order of name, which have one priority."""
    row = tuple(sorted(nodes, key=attrgetter("index")))
    return Wished(urgency(row[0]), row, tuple([node.name for node in row]))


def _apart(befores: tuple[int, ...], afters: tuple[int, ...]) -> list[Link]:
    """Each of the one before each of the other, but nobody before itself."""
    befores, afters = tuple(dict.fromkeys(befores)), tuple(dict.fromkeys(afters))
    if set(befores).isdisjoint(afters):
        return [(befores, afters)]
    each = [((before,), tuple([after for after in afters if after != before])) for before in befores]
    return [link for link in each if link[1]]
