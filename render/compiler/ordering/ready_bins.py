"""The nodes that may come next, kept such that the best of them is found without looking at each."""

from __future__ import annotations

import heapq
from collections.abc import Callable

Bin = tuple[int, int, int]
"""What nodes have in common that the node before decides about: bottleneck, number of the state, and the place where
what they use was last written (``OLD`` once it makes no difference)."""

Rank = tuple[int, float, int]
"""Negated priority, negated score, number: smaller comes first."""

OLD = -1


class ReadyBins:
    """Ready nodes in one heap for each bin, and in one for each set of targets.

    Within a bin only a node's own score matters. A node whose score changes is pushed again, and its old entry is
    dropped when it comes to light; so a step costs as much as there are bins, not nodes.
    """

    def __init__(self, count: int) -> None:
        self._bins: dict[Bin, list[Rank]] = {}
        self._targets: dict[int, list[Rank]] = {}
        self._rank: list[Rank | None] = [None] * count
        self._bin: list[Bin] = [(0, 0, OLD)] * count
        self.count = 0

    def __contains__(self, node: int) -> bool:
        return self._rank[node] is not None

    def put(self, node: int, priority: int, score: float, where: Bin, targets: int) -> None:
        """The node is ready; ``targets`` is the number of its set of attachments, 0 for none."""
        self._bin[node] = where
        self.count += 1
        self.score(node, priority, score, targets)

    def score(self, node: int, priority: int, score: float, targets: int) -> None:
        """The score of a ready node is another one."""
        rank = (-priority, -score, node)
        if rank == self._rank[node]:
            return
        self._rank[node] = rank
        heapq.heappush(self._bins.setdefault(self._bin[node], []), rank)
        if targets:
            heapq.heappush(self._targets.setdefault(targets, []), rank)

    def take(self, node: int) -> None:
        """The node has come."""
        self._rank[node] = None
        self.count -= 1

    def age(self, place: int) -> None:
        """What was written at the place makes no difference from now on."""
        for where in [where for where in self._bins if where[2] == place]:
            old = (where[0], where[1], OLD)
            heap = self._bins.setdefault(old, [])
            for rank in self._bins.pop(where):
                if self._rank[rank[2]] == rank:
                    self._bin[rank[2]] = old
                    heapq.heappush(heap, rank)

    def best(self, offset: Callable[[Bin], float]) -> Rank:
        """The first of all, with ``offset`` added to the score of all nodes of a bin."""
        best: Rank | None = None
        empty = []
        for where, heap in self._bins.items():
            top = self._top(heap)
            if top is None:
                empty.append(where)
                continue
            rank = (top[0], top[1] - offset(where), top[2])
            if best is None or rank < best:
                best = rank
        for where in empty:
            del self._bins[where]
        assert best is not None, "no node is ready"
        return best

    def with_targets(self, targets: int, limit: int) -> list[Rank]:
        """The first ``limit`` ready nodes with those targets."""
        heap = self._targets.get(targets, [])
        found: list[Rank] = []
        while len(found) < limit and (top := self._top(heap)) is not None:
            found.append(top)
            heapq.heappop(heap)
        for rank in found:
            heapq.heappush(heap, rank)
        return found

    def _top(self, heap: list[Rank]) -> Rank | None:
        """The first of the heap; entries that no longer hold are dropped."""
        while heap:
            if self._rank[heap[0][2]] == heap[0]:
                return heap[0]
            heapq.heappop(heap)
        return None
