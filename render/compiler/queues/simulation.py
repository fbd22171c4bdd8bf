"""Schedule simulation: the time that a frame takes on several queues, by list scheduling.

The given order of the nodes is their priority: a queue that is free takes the first node whose predecessors have
finished. Queues are assumed not to slow one another down.
Source: R. L. Graham, Bounds on multiprocessing timing anomalies, SIAM J. Appl. Math. 17, 1969.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence, Set
from dataclasses import dataclass

from renderwright.render.compiler.queues.dependencies import Hyperedge, countdown_of


@dataclass(frozen=True)
class Schedule:
    """The time at which each node starts, by number, and the time at which the frame ends."""

    starts: tuple[float, ...]
    end: float


def simulate(
    queues: Sequence[str],
    costs: Sequence[float],
    edges: Sequence[Hyperedge],
    hop: float,
    cross_frame: Set[int] = frozenset(),
) -> Schedule:
    """Runs each node on its queue for its cost; results of another queue arrive ``hop`` later.

    Running the nodes in order of number must satisfy ``edges``; those that are not on the device take no time. No node
    of this frame waits for a ``cross_frame`` node: others go first on their queues, and the frame does not end with
    them. But no queue may have more to do in a frame than the frame takes.
    """
    on_device = [edge for edge in edges if edge.on_device]
    countdown = countdown_of(len(queues), on_device)
    lines = {queue: _QueueLine(cross_frame) for queue in dict.fromkeys(queues)}
    for node, count in enumerate(countdown.unsatisfied):
        if not count:
            lines[queues[node]].add(node, 0.0)
    starts, finishes, ready = ([0.0] * len(queues) for _ in range(3))
    for _ in queues:
        line = min(lines.values(), key=_QueueLine.next_start)
        node, starts[node] = line.take()
        finishes[node] = line.free = starts[node] + costs[node]
        satisfied = countdown.finish(node)
        for edge in [on_device[number] for number in satisfied]:
            arrivals = _arrivals(edge, queues, finishes, hop)
            for after in edge.afters:
                ready[after] = max(ready[after], arrivals[queues[after]])
        for after in countdown.released(satisfied):
            lines[queues[after]].add(after, ready[after])
    ends = [finish for node, finish in enumerate(finishes) if node not in cross_frame]
    if cross_frame:
        ends += _busy_times(queues, costs)
    return Schedule(tuple(starts), max(ends, default=0.0))


def _arrivals(edge: Hyperedge, queues: Sequence[str], finishes: Sequence[float], hop: float) -> dict[str, float]:
    """The time at which the results of all predecessors are there, on each queue of a successor."""
    latest: dict[str, float] = {}
    for node in edge.befores:
        latest[queues[node]] = max(latest.get(queues[node], 0.0), finishes[node])
    return {
        own: max([time if queue == own else time + hop for queue, time in latest.items()])
        for own in {queues[node] for node in edge.afters}
    }


def _busy_times(queues: Sequence[str], costs: Sequence[float]) -> list[float]:
    busy = dict.fromkeys(queues, 0.0)
    for queue, cost in zip(queues, costs, strict=True):
        busy[queue] += cost
    return list(busy.values())


class _QueueLine:
    """The nodes that stand in line for a queue, which is busy until the time ``free``.

    Nodes that could start by then go by number, the ``cross_frame`` ones behind the others; the rest go by time.
    """

    def __init__(self, cross_frame: Set[int]) -> None:
        self.free = 0.0
        self._cross_frame = cross_frame
        self._ready: list[tuple[bool, int]] = []
        self._later: list[tuple[float, int]] = []

    def add(self, node: int, time: float) -> None:
        """A node that can start from that time on."""
        heapq.heappush(self._later, (time, node))

    def next_start(self) -> tuple[float, int]:
        """The start of the next node and its number; at infinity if there is none."""
        while self._later and self._later[0][0] <= self.free:
            node = heapq.heappop(self._later)[1]
            heapq.heappush(self._ready, (node in self._cross_frame, node))
        if self._ready:
            return self.free, self._ready[0][1]
        return self._later[0] if self._later else (float("inf"), 0)

    def take(self) -> tuple[int, float]:
        """Removes the next node; its number and start."""
        start, node = self.next_start()
        if self._ready:
            heapq.heappop(self._ready)
        else:
            heapq.heappop(self._later)
        return node, start
