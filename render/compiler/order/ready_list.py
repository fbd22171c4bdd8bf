"""The ready list: units whose predecessors are all scheduled, in buckets of equal context.

Within a bucket all units have the same penalty, so the best one is at the top of a heap by own scores. A step costs as
much as there are buckets, not units.
"""

from __future__ import annotations

import heapq
from typing import NamedTuple

from renderwright.render.compiler.order.recent_work import Context, RecentWork


class Rank(NamedTuple):
    """Sorts ready units, best first: priority and score are negated."""

    priority: int
    score: float
    unit: int


class ReadyList:
    """Ready units with their ranks by own scores, without penalties.

    A unit with a new rank is pushed again; an outdated heap entry is dropped when it comes to the top.
    """

    def __init__(self) -> None:
        self._ranks: dict[int, Rank] = {}
        self._contexts: dict[int, Context] = {}
        self._buckets: dict[Context, list[Rank]] = {}
        self._groups: dict[int, set[int]] = {}

    def __contains__(self, unit: int) -> bool:
        return unit in self._ranks

    def __len__(self) -> int:
        return len(self._ranks)

    def add(self, rank: Rank, context: Context, group: int) -> None:
        """A unit is ready; ``group`` is its same-target group."""
        self._contexts[rank.unit] = context
        self._groups.setdefault(group, set()).add(rank.unit)
        self.update(rank)

    def update(self, rank: Rank) -> None:
        """The rank of a ready unit is another one."""
        self._ranks[rank.unit] = rank
        heapq.heappush(self._buckets.setdefault(self._contexts[rank.unit], []), rank)

    def remove(self, unit: int, group: int) -> None:
        """The unit is scheduled."""
        del self._ranks[unit]
        self._groups[group].remove(unit)

    def best(self, recent: RecentWork) -> Rank:
        """The best rank after penalties; at least one unit is ready."""
        self._merge_aged(recent)
        found: list[Rank] = []
        for context, heap in list(self._buckets.items()):
            while heap and self._ranks.get(heap[0].unit) is not heap[0]:
                heapq.heappop(heap)
            if heap:
                found.append(heap[0]._replace(score=heap[0].score + recent.penalty(context)))
            else:
                del self._buckets[context]
        return min(found)

    def _merge_aged(self, recent: RecentWork) -> None:
        """Move units whose producers are too far back to count to the bucket of those without producers."""
        for context in list(self._buckets):
            aged = recent.aged(context)
            if aged != context:
                for rank in self._buckets.pop(context):
                    heapq.heappush(self._buckets.setdefault(aged, []), rank)

    def first_of_group(self, group: int, count: int) -> list[Rank]:
        """The ranks of the best so many ready units of a same-target group, before penalties."""
        return heapq.nsmallest(count, [self._ranks[unit] for unit in self._groups.get(group, ())])
