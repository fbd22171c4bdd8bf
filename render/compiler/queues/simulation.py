"""How long a frame takes on several queues: list scheduling with the given order as the priority.

Source: R. L. Graham, Bounds on multiprocessing timing anomalies, SIAM J. Appl. Math. 17, 1969. A queue that is free
takes the first node in order whose predecessors have finished. Queues are taken not to slow one another down.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence, Set
from dataclasses import dataclass

from renderwright.render.compiler.queues.dependencies import Group


@dataclass(frozen=True)
class Run:
    """When each node starts, by number, and when the last one has finished."""

    starts: tuple[float, ...]
    end: float


def simulate(
    queues: Sequence[str], costs: Sequence[float], groups: Sequence[Group], hop: float, late: Set[int] = frozenset()
) -> Run:
    """Run each node on its queue for its cost; what another queue has made comes ``hop`` later.

    ``groups`` must be satisfied by running the nodes in order of number; what is not about the device takes no time.
    Nobody waits in this frame for ``late`` nodes: others go first on their queues, and the frame does not end with
    them. But no queue may have more to do in a frame than a frame takes.
    """
    tracker = _Tracker(queues, groups, hop)
    lines = {queue: _Line(late) for queue in dict.fromkeys(queues)}
    for node in tracker.free:
        lines[queues[node]].arrive(node, 0.0)
    starts = [0.0] * len(queues)
    end = 0.0
    for _ in queues:
        queue = min(lines, key=lambda name: lines[name].next_start())
        node, start = lines[queue].take()
        finish = start + costs[node]
        lines[queue].free = finish
        starts[node] = start
        end = max(end, finish) if node not in late else end
        for other, ready in tracker.finish(node, finish):
            lines[queues[other]].arrive(other, ready)
    if late:
        busy = dict.fromkeys(queues, 0.0)
        for node, queue in enumerate(queues):
            busy[queue] += costs[node]
        end = max(end, *busy.values())
    return Run(tuple(starts), end)


class _Line:
    """The nodes that stand in line for a queue: those that could start by ``free`` by number, the ``late`` ones behind
    the others; those that could not by time."""

    def __init__(self, late: Set[int]) -> None:
        self.free = 0.0
        self._late = late
        self._ready: list[tuple[bool, int]] = []
        self._later: list[tuple[float, int]] = []

    def arrive(self, node: int, time: float) -> None:
        heapq.heappush(self._later, (time, node))

    def next_start(self) -> tuple[float, int]:
        """When the next node starts and its number; infinitely late if there is none."""
        while self._later and self._later[0][0] <= self.free:
            node = heapq.heappop(self._later)[1]
            heapq.heappush(self._ready, (node in self._late, node))
        if self._ready:
            return self.free, self._ready[0][1]
        return self._later[0] if self._later else (float("inf"), 0)

    def take(self) -> tuple[int, float]:
        start, node = self.next_start()
        if self._ready:
            heapq.heappop(self._ready)
        else:
            heapq.heappop(self._later)
        return node, start


class _Tracker:
    """Which nodes become ready when others finish."""

    def __init__(self, queues: Sequence[str], groups: Sequence[Group], hop: float) -> None:
        self._queues = queues
        self._groups = groups
        self._hop = hop
        self._leaving: list[list[int]] = [[] for _ in queues]
        self._waiting = [0] * len(queues)
        self._pending = [len(group.befores) for group in groups]
        self._latest: list[dict[str, float]] = [{} for _ in groups]
        self._ready = [0.0] * len(queues)
        for number, group in enumerate(groups):
            if not group.device:
                continue
            for node in group.befores:
                self._leaving[node].append(number)
            for node in group.afters:
                self._waiting[node] += 1
        self.free = [node for node, count in enumerate(self._waiting) if not count]

    def finish(self, node: int, time: float) -> list[tuple[int, float]]:
        """The nodes that nothing keeps any longer, with the times from which they can start."""
        freed = []
        queue = self._queues[node]
        for number in self._leaving[node]:
            latest = self._latest[number]
            latest[queue] = max(latest.get(queue, 0.0), time)
            self._pending[number] -= 1
            if self._pending[number]:
                continue
            for after in self._groups[number].afters:
                own = self._queues[after]
                arrival = max(moment + (self._hop if other != own else 0.0) for other, moment in latest.items())
                self._ready[after] = max(self._ready[after], arrival)
                self._waiting[after] -= 1
                if not self._waiting[after]:
                    freed.append((after, self._ready[after]))
        return freed
