"""Topological sorts of nodes under hyperedges (Kahn's algorithm), linear in the size of the hyperedges."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from typing import Protocol

from renderwright.render.compiler.values.precedence import Precedence


class Countdown:
    """Counts down the hyperedges, (befores, afters) by node number, as nodes finish one after the other.

    ``unsatisfied`` has for each node the number of hyperedges that it still waits for.
    """

    def __init__(self, count: int, edges: Sequence[tuple[Sequence[int], Sequence[int]]]) -> None:
        self._afters = [afters for _, afters in edges]
        self._leaving: list[list[int]] = [[] for _ in range(count)]
        self._unfinished = [len(befores) for befores, _ in edges]
        self.unsatisfied = [0] * count
        for number, (befores, afters) in enumerate(edges):
            for node in befores:
                self._leaving[node].append(number)
            for node in afters:
                self.unsatisfied[node] += 1

    def finish(self, node: int) -> list[int]:
        """The numbers of the hyperedges of which the node is the last predecessor to finish."""
        satisfied = []
        for number in self._leaving[node]:
            self._unfinished[number] -= 1
            if not self._unfinished[number]:
                satisfied.append(number)
                for after in self._afters[number]:
                    self.unsatisfied[after] -= 1
        return satisfied

    def released(self, satisfied: Iterable[int]) -> list[int]:
        """The nodes that waited for nothing but these hyperedges, which are satisfied now."""
        afters = dict.fromkeys([after for number in satisfied for after in self._afters[number]])
        return [after for after in afters if not self.unsatisfied[after]]


class ReadyNodes(Protocol):
    """The nodes without unscheduled predecessors; the scheduling policy is in ``pop``."""

    def push(self, node: str) -> None:
        """Add a node whose last predecessor has been scheduled."""

    def pop(self) -> str:
        """Take out the node that is scheduled next."""

    def __len__(self) -> int:
        """The number of ready nodes."""


def schedule_groups(nodes: Sequence[str], groups: Iterable[Precedence], ready: ReadyNodes) -> list[str]:
    """The nodes in an order that respects every hyperedge; ``ready`` chooses among the nodes that may come next.

    Nodes on cycles and their successors are left out.
    """
    numbers = {node: number for number, node in enumerate(nodes)}
    edges = [([numbers[node] for node in group.befores], [numbers[node] for node in group.afters]) for group in groups]
    countdown = Countdown(len(nodes), edges)
    for node, unsatisfied in zip(nodes, countdown.unsatisfied, strict=True):
        if not unsatisfied:
            ready.push(node)
    order = []
    while len(ready):
        node = ready.pop()
        order.append(node)
        for after in countdown.released(countdown.finish(numbers[node])):
            ready.push(nodes[after])
    return order


def first_order(wishes: Sequence[str], groups: Iterable[Precedence]) -> list[str]:
    """As ``schedule_groups``; of several ready nodes the first one in ``wishes`` is next."""
    return schedule_groups(wishes, groups, _FirstWished(wishes))


class _FirstWished:
    """The policy of ``first_order``."""

    def __init__(self, wishes: Sequence[str]) -> None:
        self._wishes = wishes
        self._rank = {node: number for number, node in enumerate(wishes)}
        self._heap: list[int] = []

    def push(self, node: str) -> None:
        heapq.heappush(self._heap, self._rank[node])

    def pop(self) -> str:
        return self._wishes[heapq.heappop(self._heap)]

    def __len__(self) -> int:
        return len(self._heap)
