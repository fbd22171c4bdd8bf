"""A topological order to which edges can be added.

D. J. Pearce and P. H. J. Kelly, "A dynamic topological sort algorithm for directed acyclic graphs", ACM JEA 11, 2006.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Mapping, Sequence

from renderwright.render.compiler.values.precedence import Precedence


class DynamicOrder:
    """Ranks of nodes such that every edge goes from a smaller to a larger rank, whatever edges are added.

    ``order`` is a topological order of the nodes under ``dependencies``. A many-to-many dependency gets a join node.
    """

    def __init__(self, order: Sequence[str], dependencies: Iterable[Precedence] = ()) -> None:
        joins = {}
        edges: set[tuple[str, str]] = set()
        for number, group in enumerate(dependencies):
            if min(len(group.befores), len(group.afters)) == 1:
                edges.update((before, after) for before in group.befores for after in group.afters)
            else:
                join = f"@{number}"  # no node has such a name
                joins[join] = group
                edges.update((before, join) for before in group.befores)
                edges.update((join, after) for after in group.afters)
        nodes = _with_joins(order, joins)
        self.rank = {node: number for number, node in enumerate(nodes)}
        self._after: dict[str, set[str]] = {node: set() for node in nodes}
        self._before: dict[str, set[str]] = {node: set() for node in nodes}
        for before, after in edges:
            self._link(before, after)

    def _link(self, before: str, after: str) -> None:
        self._after[before].add(after)
        self._before[after].add(before)

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

    def add(self, before: str, after: str) -> None:
        """Add an edge, which must not close a cycle."""
        rank = self.rank
        if rank[before] > rank[after]:
            later = self._reached(after, self._after, before)
            assert before not in later, f"{before} -> {after} would close a cycle"
            earlier = self._reached(before, self._before, after)
            moved = [*sorted(earlier, key=rank.__getitem__), *sorted(later, key=rank.__getitem__)]
            for node, free in zip(moved, sorted(rank[node] for node in moved), strict=True):
                rank[node] = free
        self._link(before, after)

    def _reached(self, start: str, neighbours: Mapping[str, Collection[str]], end: str) -> set[str]:
        """The nodes that ``start`` reaches in one direction, with ranks up to that of ``end``."""
        low, high = sorted((self.rank[start], self.rank[end]))
        found = {start}
        work = [start]
        while work:
            for other in neighbours[work.pop()]:
                if other not in found and low <= self.rank[other] <= high:
                    found.add(other)
                    work.append(other)
        return found


def _with_joins(order: Sequence[str], joins: Mapping[str, Precedence]) -> list[str]:
    """The order with each join node right behind the last node that it joins."""
    place = {node: number for number, node in enumerate(order)}
    joins_behind: dict[str, list[str]] = {}
    for join, group in joins.items():
        joins_behind.setdefault(max(group.befores, key=place.__getitem__), []).append(join)
    return [name for node in order for name in (node, *joins_behind.get(node, ()))]
