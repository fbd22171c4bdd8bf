"""GPU times of nodes, from timestamp queries."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class TimedNode(NamedTuple):
    """A node instance with a timestamp at its begin and at its end, and its queue.

    In a multiview pass each of the two takes one query per view.
    """

    node: str
    queue: str
    views: int = 1


@dataclass(frozen=True)
class GpuInterval:
    """The interval in which a node ran on a queue, in seconds from the begin of its frame's first node.

    Vulkan does not guarantee that timestamps of different queues are comparable; on desktop GPUs they are.
    """

    queue: str
    begin: float
    end: float

    @property
    def seconds(self) -> float:
        """Duration in seconds."""
        return self.end - self.begin


def gpu_intervals(timed: Sequence[TimedNode], stamps: Sequence[int]) -> tuple[float, Mapping[str, GpuInterval]]:
    """The begin of a frame's first node in seconds of the GPU's clock (0 if none was timed), and the intervals by node
    instance. Nodes on a queue without timestamps have none.

    ``stamps`` are nanoseconds: two for each timed node and view, in order, 0 where none was written. In a multiview
    pass drivers write one time for all views or one per view; a node's time is the sum of the differences (Vulkan
    specification, vkCmdWriteTimestamp2).
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
    """Seconds in which at least one node ran on any queue; idle time in between does not count."""
    busy = 0.0
    until = -math.inf
    for interval in sorted(intervals, key=lambda one: one.begin):
        busy += max(0.0, interval.end - max(interval.begin, until))
        until = max(until, interval.end)
    return busy
