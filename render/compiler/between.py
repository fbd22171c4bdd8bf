"""How much work lies between two places of a frame: whether an event is worth its cost there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate

from render.compiler.ordering.costs import node_costs
from render.compiler.stages import NodeInstance, StatePlan
from render.sync.barriers import Split, Splitting
from render.sync.queues import COPY


def node_times(nodes: Sequence[NodeInstance], splitting: Splitting) -> Sequence[float]:
    """What each node takes, in microseconds; a guess where nothing has been measured."""
    if not splitting.costs:
        unit = Splitting.UNMEASURED
        return [node.declaration.cost * unit if node.records else 0.0 for node in nodes]
    times = node_costs(nodes, dict(splitting.costs))
    return [time if node.records else 0.0 for node, time in zip(nodes, times, strict=True)]


class Work:
    """The work of a frame by passes; an event needs more than ``above`` of it in between."""

    def __init__(self, state: StatePlan, times: Sequence[float], above: float) -> None:
        self._above = above
        self._whole = Split.OFF if math.isinf(above) else Split.SHORT
        # What comes before and up to each pass on its queue: work, and passes. A queue that has no events, and the end
        # of the frame, are as if nothing ever ran in between.
        self._begins: list[float] = []
        self._ends: list[float] = []
        self._ranks: list[int] = []
        done = {item.queue: (0, 0.0) for item in state.passes}
        before = list(accumulate(times, initial=0.0))
        for first, last, _, _, queue, _ in state.passes:
            rank, begin = done[queue]
            end = begin + before[last + 1] - before[first]
            self._ranks.append(0 if queue == COPY else rank)
            self._begins.append(begin)
            self._ends.append(end)
            done[queue] = rank + 1, end
        self._ranks.append(0)

    def split(self, first: int, last: int) -> Split:
        """Whether a barrier between two passes of a queue is split, or why not."""
        if self._ranks[last] - self._ranks[first] < 2:
            return Split.ADJACENT
        return Split.SPLIT if self._begins[last] - self._ends[first] > self._above else self._whole
