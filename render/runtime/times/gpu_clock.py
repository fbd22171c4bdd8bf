"""GPU times of nodes, from timestamp queries."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from renderwright.render.compiler.values.instances import NodeInstance


class TimedNode(NamedTuple):
    """A node instance with a timestamp at its begin and at its end, its ``first`` query, and its queue.

    In a multiview pass each of the two timestamps takes one query per view.
    """

    node: str
    first: int
    queue: str
    views: int = 1

    @property
    def begins(self) -> slice:
        """The queries of its begin."""
        return slice(self.first, self.first + self.views)

    @property
    def ends(self) -> slice:
        """The queries of its end."""
        return slice(self.first + self.views, self.first + 2 * self.views)


def first_queries(nodes: Iterable[NodeInstance]) -> Mapping[str, int]:
    """The first query of each node instance of a plan that uses the GPU. Frames that skip some of them leave out their
    queries, so that the others keep theirs."""
    found, first = {}, 0
    for node in nodes:
        if node.declaration.executes and any(use.usage is not None and use.present for use in node.uses):
            found[node.id] = first
            first += 2 * (node.views.count if node.views is not None else 1)
    return found


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

    ``stamps`` are nanoseconds by query, 0 where none was written. In a multiview
    pass drivers write one time for all views or one per view; a node's time is the sum of the differences (Vulkan
    specification, vkCmdWriteTimestamp2).
    """
    pairs = {}
    for node in timed:
        begins, ends = stamps[node.begins], stamps[node.ends]
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
