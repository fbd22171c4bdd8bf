"""How much work lies between two places of a frame: whether an event is worth its cost there."""

from __future__ import annotations

import math
from collections.abc import Sequence

from render.compiler.lives import Clock
from render.compiler.ordering.costs import node_costs
from render.compiler.stages import NodeInstance, StatePlan
from render.sync.barriers import Split, Splitting


def node_times(nodes: Sequence[NodeInstance], splitting: Splitting) -> Sequence[float]:
    """What each node takes, in microseconds; a guess where nothing has been measured."""
    unit = 1.0 if splitting.costs else Splitting.UNMEASURED
    times = node_costs(nodes, dict(splitting.costs))
    return [time * unit if node.records else 0.0 for node, time in zip(nodes, times, strict=True)]


class Work:
    """The work of a frame by places; an event needs more than ``above`` of it in between."""

    def __init__(self, clock: Clock, state: StatePlan, times: Sequence[float], above: float) -> None:
        self._clock = clock
        self._above = above
        done = dict.fromkeys((item.queue for item in state.passes), 0.0)
        self._begins: list[float] = []
        self._ends: list[float] = []
        for item in state.passes:
            self._begins.append(done[item.queue])
            done[item.queue] += sum(times[item.first : item.last + 1])
            self._ends.append(done[item.queue])

    def why_whole(self, after: int, place: int) -> Split | None:
        """Why a barrier between two places of a queue, with passes in between, is not split; None if it is."""
        if math.isinf(self._above):
            return Split.OFF
        first, last = self._clock.number(after), self._clock.number(place)
        return None if self._begins[last] - self._ends[first] > self._above else Split.SHORT
