"""Topological sorts of nodes under hyperedges (Kahn's algorithm), linear in the size of the hyperedges."""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Iterable, Sequence
from typing import Protocol, TypeVar

from renderwright.render.compiler.values.precedence import Precedence

T = TypeVar("T", bound=Hashable)


class ReadyNodes(Protocol[T]):
    """The nodes without unscheduled predecessors; the scheduling policy is in ``pop``."""

    def push(self, node: T) -> None:
        """Add a node whose last predecessor has been scheduled."""

    def pop(self) -> T:
        """Take out the node that is scheduled next."""

    def __len__(self) -> int:
        """The number of ready nodes."""


Ready = ReadyNodes[str]


def schedule_groups(nodes: Sequence[str], groups: Iterable[Precedence], ready: Ready) -> list[str]:
    """The nodes in an order that respects every hyperedge; ``ready`` chooses among the nodes that may come next.

    Nodes on cycles and their successors are left out.
    """
    return _sorted(nodes, [(group.befores, group.afters) for group in groups], ready)


def first_order(wishes: Sequence[str], groups: Iterable[Precedence]) -> list[str]:
    """The nodes in an order that respects every hyperedge; of several ready nodes the first one in ``wishes`` is next.

    Nodes on cycles and their successors are left out.
    """
    rank = {node: number for number, node in enumerate(wishes)}
    numbers = [([rank[node] for node in group.befores], [rank[node] for node in group.afters]) for group in groups]
    return [wishes[number] for number in first_numbers(len(wishes), numbers)]


def first_numbers(count: int, groups: Iterable[tuple[Sequence[int], Sequence[int]]]) -> list[int]:
    """As ``first_order`` for the numbers below ``count``, smaller ones first; ``groups`` are (befores, afters)."""
    return _sorted(range(count), groups, _SmallestFirst())


class _SmallestFirst:
    """The policy of ``first_numbers``."""

    def __init__(self) -> None:
        self._heap: list[int] = []

    def push(self, node: int) -> None:
        heapq.heappush(self._heap, node)

    def pop(self) -> int:
        return heapq.heappop(self._heap)

    def __len__(self) -> int:
        return len(self._heap)


def _sorted(nodes: Sequence[T], groups: Iterable[tuple[Sequence[T], Sequence[T]]], ready: ReadyNodes[T]) -> list[T]:
    groups = list(groups)
    groups_behind: dict[T, list[int]] = {node: [] for node in nodes}
    unmet_groups = dict.fromkeys(nodes, 0)
    unscheduled = [len(befores) for befores, _ in groups]
    for number, (befores, afters) in enumerate(groups):
        for node in befores:
            groups_behind[node].append(number)
        for node in afters:
            unmet_groups[node] += 1
    for node in nodes:
        if not unmet_groups[node]:
            ready.push(node)
    order = []
    while len(ready):
        node = ready.pop()
        order.append(node)
        for number in groups_behind[node]:
            unscheduled[number] -= 1
            if not unscheduled[number]:
                for after in groups[number][1]:
                    unmet_groups[after] -= 1
                    if not unmet_groups[after]:
                        ready.push(after)
    return order
