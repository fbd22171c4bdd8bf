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
    dropped when it comes to light; so a step costs as much as there are bins, not nodes. ``ranks`` are those of the
    ready nodes, None for the others; ``count`` is how many are ready.
    """

    def __init__(self, count: int) -> None:
        self._bins: dict[Bin, list[Rank]] = {}
        self._targets: dict[int, list[Rank]] = {}
        self.ranks: list[Rank | None] = [None] * count
        self._bin: list[Bin] = [(0, 0, OLD)] * count
        self.count = 0

    def put(self, node: int, rank: Rank, where: Bin, targets: int) -> None:
        """The node is ready; ``targets`` is the number of its set of attachments, 0 for none."""
        self.count += 1
        self._push(node, rank, where, targets)

    def change(self, node: int, rank: Rank, targets: int) -> None:
        """The score of a ready node may be another one."""
        if rank != self.ranks[node]:
            self._push(node, rank, self._bin[node], targets)

    def _push(self, node: int, rank: Rank, where: Bin, targets: int) -> None:
        self.ranks[node] = rank
        self._bin[node] = where
        heap = self._bins.get(where)
        if heap is None:
            self._bins[where] = [rank]
        else:
            heapq.heappush(heap, rank)
        if targets:
            heapq.heappush(self._targets.setdefault(targets, []), rank)

    def take(self, node: int) -> None:
        """The node has come."""
        self.ranks[node] = None
        self.count -= 1

    def best(self, offset: Callable[[Bin], float], oldest: int) -> Rank:
        """The first of all, with ``offset`` added to the score of all nodes of a bin.

        What was written before the place ``oldest`` makes no difference from now on.
        """
        best: Rank | None = None
        over = []
        known = self.ranks
        for where, heap in self._bins.items():
            while heap and known[heap[0][2]] is not heap[0]:
                heapq.heappop(heap)
            if not heap:
                over.append(where)
                continue
            if OLD != where[2] < oldest:
                over.append(where)
            priority, score, node = heap[0]
            rank = (priority, score - offset(where), node)
            if best is None or rank < best:
                best = rank
        for where in over:
            self._age(where)
        assert best is not None, "no node is ready"
        return best

    def _age(self, where: Bin) -> None:
        old = (where[0], where[1], OLD)
        for rank in self._bins.pop(where):
            if self.ranks[rank[2]] is rank:
                self._bin[rank[2]] = old
                heapq.heappush(self._bins.setdefault(old, []), rank)

    def first_with(self, targets: int, wanted: Callable[[int], bool], limit: int) -> Rank | None:
        """The first ``wanted`` one of the first ``limit`` ready nodes with those targets."""
        heap = self._targets.get(targets)
        if not heap:
            return None
        found: Rank | None = None
        passed: list[Rank] = []
        while heap and len(passed) < limit:
            top = heap[0]
            if self.ranks[top[2]] is top:
                if wanted(top[2]):
                    found = top
                    break
                passed.append(top)
            heapq.heappop(heap)
        for rank in passed:
            heapq.heappush(heap, rank)
        return found
