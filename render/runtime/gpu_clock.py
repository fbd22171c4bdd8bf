"""When nodes ran on the GPU."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class TimedNode(NamedTuple):
    """A node instance whose beginning and end are written to two timestamps, and the queue that it runs on.

    In a pass that draws several ``views`` at once, each of the two takes a query for each view.
    """

    node: str
    queue: str
    views: int = 1


@dataclass(frozen=True)
class GpuInterval:
    """From when to when a node ran on a queue, in seconds from the beginning of its frame's first node.

    Drivers need not let timestamps of different queues be compared; those of desktop GPUs do.
    """

    queue: str
    begin: float
    end: float

    @property
    def seconds(self) -> float:
        """How long the node ran."""
        return self.end - self.begin


def gpu_intervals(timed: Sequence[TimedNode], stamps: Sequence[int]) -> tuple[float, Mapping[str, GpuInterval]]:
    """When a frame's first node began, in seconds of the GPU's clock (0 if none was timed), and the intervals of its
    nodes by node instance, but for those whose queue has no clock.

    ``stamps`` are nanoseconds: two for each timed node and each of its views, in order, 0 where none was written.
    Drivers write one time for all views, or one for each; a node's time is the sum of their differences (the
    specification on vkCmdWriteTimestamp2).
    """
    pairs = {}
    first = 0
    for node in timed:
        begins, ends = (stamps[at : at + node.views] for at in (first, first + node.views))
        first += 2 * node.views
        if len(ends) == node.views and begins[0] and ends[0]:
            pairs[node] = begins[0], begins[0] + sum(end - begin for begin, end in zip(begins, ends, strict=True))
    first = min((begin for begin, _ in pairs.values()), default=0)
    return first * 1e-9, {
        node.node: GpuInterval(node.queue, (begin - first) * 1e-9, (end - first) * 1e-9)
        for node, (begin, end) in pairs.items()
    }


def busy_seconds(intervals: Iterable[GpuInterval]) -> float:
    """Seconds in which at least one of the nodes ran, on whatever queue; what lies between them does not count."""
    busy = 0.0
    until = -math.inf
    for interval in sorted(intervals, key=lambda one: one.begin):
        busy += max(0.0, interval.end - max(interval.begin, until))
        until = max(until, interval.end)
    return busy
