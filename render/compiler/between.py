"""How much work lies between two places of a frame: whether an event is worth its cost there."""

from __future__ import annotations

import math
from collections.abc import Sequence

from render.compiler.lives import Clock
from render.compiler.ordering.costs import node_costs
from render.compiler.stages import NodeInstance, StatePlan
from render.sync.barriers import Split, Splitting
from render.sync.queues import COPY


def node_times(nodes: Sequence[NodeInstance], splitting: Splitting) -> Sequence[float]:
    """What each node takes, in microseconds; a guess where nothing has been measured."""
    if not splitting.costs:
        return [node.declaration.cost * Splitting.UNMEASURED if node.records else 0.0 for node in nodes]
    times = node_costs(nodes, dict(splitting.costs))
    return [time if node.records else 0.0 for node, time in zip(nodes, times, strict=True)]


class Work:
    """The work of a frame by places; an event needs more than ``above`` of it in between."""

    def __init__(self, clock: Clock, state: StatePlan, times: Sequence[float], above: float) -> None:
        self._clock = clock
        self._above = above
        self._queues = [item.queue for item in state.passes]
        # What comes before and up to each pass on its queue: work, and passes.
        self._begins: list[float] = []
        self._ends: list[float] = []
        self._ranks: list[int] = []
        done = dict.fromkeys(self._queues, (0, 0.0))
        for item in state.passes:
            rank, begin = done[item.queue]
            end = begin + sum(times[item.first : item.last + 1])
            self._ranks.append(rank)
            self._begins.append(begin)
            self._ends.append(end)
            done[item.queue] = rank + 1, end

    def split(self, after: int, place: int) -> Split:
        """Whether a barrier between two places of a queue in one frame is split, or why not."""
        first, last = self._clock.number(after), self._clock.number(place)
        # No pass in between, or a queue that has no events.
        if last >= len(self._ranks) or self._ranks[last] - self._ranks[first] < 2 or self._queues[last] == COPY:
            return Split.ADJACENT
        if math.isinf(self._above):
            return Split.OFF
        return Split.SPLIT if self._begins[last] - self._ends[first] > self._above else Split.SHORT
