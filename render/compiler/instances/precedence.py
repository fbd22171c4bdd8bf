"""Who runs before whom, in groups: all of some nodes before all of some others, for one reason.

A name with many modifiers and many readers asks for an edge between each of the one and each of the other. A group says
the same in as many words as there are nodes, so the stages work on groups; ``edges_of`` spells them out for reports.
Those who modify one name stand in a row, each before the next one.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple

from renderwright.render.compiler.instances.toposort import Ready


class EdgeReason(StrEnum):
    """Why one node runs before another."""

    EXPLICIT = "declared before/after"
    CREATE_MODIFY = "created, then modified"
    CREATE_READ = "created, then read"
    MODIFY_READ = "modified, then read"
    USE_RENAME = "used, then renamed away"
    MODIFY_MODIFY = "modifiers of one name are serialised"


@dataclass(frozen=True, order=True)
class Edge:
    """``before`` runs before ``after`` (node names, or instance ids once multiplexed), because of ``resource``."""

    before: str
    after: str
    reason: EdgeReason
    resource: str = ""


class Precedence(NamedTuple):
    """Each of ``befores`` runs before each of ``afters``; no node is in both."""

    befores: tuple[str, ...]
    afters: tuple[str, ...]
    reason: EdgeReason
    resource: str = ""

    def edges(self) -> Iterator[Edge]:
        """The group spelt out."""
        for before in self.befores:
            for after in self.afters:
                yield Edge(before, after, self.reason, self.resource)


class Row(NamedTuple):
    """Nodes that modify one name, each of which runs before the next one."""

    nodes: tuple[str, ...]
    resource: str


def with_links(groups: Iterable[Precedence], rows: Iterable[Row]) -> tuple[Precedence, ...]:
    """The groups, and of the rows each two neighbours."""
    links = [
        Precedence((before,), (after,), EdgeReason.MODIFY_MODIFY, row.resource)
        for row in rows
        for before, after in pairwise(row.nodes)
    ]
    return (*groups, *links)


def precedences(
    befores: Sequence[str], afters: Sequence[str], reason: EdgeReason, resource: str = ""
) -> Iterator[Precedence]:
    """Each of ``befores`` before each of ``afters``, but nobody before itself."""
    both = set(befores) & set(afters)
    if not both:
        if befores and afters:
            yield Precedence(tuple(befores), tuple(afters), reason, resource)
        return
    for node in befores:
        others = tuple(after for after in afters if after != node)
        if others:
            yield Precedence((node,), others, reason, resource)


def edges_of(groups: Iterable[Precedence]) -> tuple[Edge, ...]:
    """One edge for each (before, after), that with the smallest reason; sorted."""
    best: dict[tuple[str, str], Edge] = {}
    for group in groups:
        for edge in group.edges():
            pair = (edge.before, edge.after)
            known = best.get(pair)
            if known is None or (edge.reason, edge.resource) < (known.reason, known.resource):
                best[pair] = edge
    return tuple(best[pair] for pair in sorted(best))


def schedule_groups(nodes: Sequence[str], groups: Iterable[Precedence], ready: Ready) -> list[str]:
    """Nodes such that every group is respected, as ``ready`` chooses among them (Kahn's algorithm).

    Nodes on cycles, and those that come after one, are left out. Linear in the size of the groups.
    """
    groups = list(groups)
    leaving: dict[str, list[int]] = {node: [] for node in nodes}
    waiting = dict.fromkeys(nodes, 0)
    pending = [len(group.befores) for group in groups]
    for number, group in enumerate(groups):
        for node in group.befores:
            leaving[node].append(number)
        for node in group.afters:
            waiting[node] += 1
    for node in nodes:
        if not waiting[node]:
            ready.push(node)
    result = []
    while len(ready):
        node = ready.pop()
        result.append(node)
        for number in leaving[node]:
            pending[number] -= 1
            if not pending[number]:
                for other in groups[number].afters:
                    waiting[other] -= 1
                    if not waiting[other]:
                        ready.push(other)
    return result


def first_order(wishes: Sequence[str], groups: Iterable[Precedence]) -> list[str]:
    """Nodes such that every group is respected: of those that may come, always the first one in ``wishes``.

    Nodes on cycles, and those that come after one, are left out. What ``schedule_groups`` gives for such a choice.
    """
    place = dict(zip(wishes, range(len(wishes)), strict=True)).__getitem__
    numbers = [(list(map(place, group.befores)), list(map(place, group.afters))) for group in groups]
    return [wishes[number] for number in first_numbers(len(wishes), numbers)]


def first_numbers(count: int, groups: Iterable[tuple[Sequence[int], Sequence[int]]]) -> list[int]:
    """``first_order`` of so many numbers, which wish to be as they are; all of the one before all of the other."""
    leaving: list[list[int]] = [[] for _ in range(count)]
    waiting = [0] * count
    pending: list[int] = []
    afters: list[Sequence[int]] = []
    for number, (befores, behind) in enumerate(groups):
        for before in befores:
            leaving[before].append(number)
        for after in behind:
            waiting[after] += 1
        pending.append(len(befores))
        afters.append(behind)
    heap = [node for node, others in enumerate(waiting) if not others]
    result = []
    while heap:
        node = heapq.heappop(heap)
        result.append(node)
        for number in leaving[node]:
            pending[number] -= 1
            if not pending[number]:
                for after in afters[number]:
                    waiting[after] -= 1
                    if not waiting[after]:
                        heapq.heappush(heap, after)
    return result
