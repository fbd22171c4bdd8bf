"""A topological order that takes new edges.

D. J. Pearce and P. H. J. Kelly, "A dynamic topological sort algorithm for directed acyclic graphs", ACM JEA 11, 2006.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Sequence


class DynamicOrder:
    """Ranks of nodes such that every edge goes from a smaller to a larger rank, whatever edges are added.

    ``order`` is a topological order of the nodes under ``pairs``, the (before, after) edges that there are.
    """

    def __init__(self, order: Sequence[str], pairs: Iterable[tuple[str, str]]) -> None:
        self.rank = {node: number for number, node in enumerate(order)}
        self._after: dict[str, set[str]] = {node: set() for node in order}
        self._before: dict[str, set[str]] = {node: set() for node in order}
        for first, second in pairs:
            self._link(first, second)

    def _link(self, first: str, second: str) -> None:
        self._after[first].add(second)
        self._before[second].add(first)

    def first_reached(self, start: str, targets: Collection[str], limit: int) -> str | None:
        """The target after ``start`` with the smallest rank, if any has a rank of at most ``limit``."""
        rank = self.rank
        found = {start}
        work = [(rank[start], start)]
        while work:
            _, node = heapq.heappop(work)
            if node in targets:
                return node
            for other in self._after[node]:
                if other not in found and rank[other] <= limit:
                    found.add(other)
                    heapq.heappush(work, (rank[other], other))
        return None

    def _reached(self, start: str, limit: int) -> set[str]:
        found = {start}
        work = [start]
        while work:
            for other in self._after[work.pop()]:
                if other not in found and self.rank[other] <= limit:
                    found.add(other)
                    work.append(other)
        return found

    def _reaching(self, end: str, limit: int) -> set[str]:
        found = {end}
        work = [end]
        while work:
            for other in self._before[work.pop()]:
                if other not in found and self.rank[other] >= limit:
                    found.add(other)
                    work.append(other)
        return found

    def add(self, first: str, second: str) -> None:
        """Add an edge; ``second`` must not be before ``first`` already."""
        rank = self.rank
        if rank[first] > rank[second]:
            later = self._reached(second, rank[first])
            assert first not in later, f"{first} -> {second} would close a cycle"
            earlier = self._reaching(first, rank[second])
            moved = [*sorted(earlier, key=rank.__getitem__), *sorted(later, key=rank.__getitem__)]
            for node, place in zip(moved, sorted(rank[node] for node in moved), strict=True):
                rank[node] = place
        self._link(first, second)
