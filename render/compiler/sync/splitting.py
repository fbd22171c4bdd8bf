"""Which barriers are split into an event that is set and a wait for it: those with enough GPU work in between."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from renderwright.render.compiler.order.costs import node_costs
from renderwright.render.compiler.sync.program_points import ProgramPoints
from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.compiler.values.passes import PassPlan
from renderwright.render.sync.barriers import Split, Splitting
from renderwright.render.sync.derive import Dependency
from renderwright.render.sync.flags import Stage
from renderwright.render.sync.queues import COPY


def why_unsplit(dependency: Dependency, points: ProgramPoints) -> Split | None:
    """The reason why a barrier of a per-frame resource is never split; None if the kinds of its accesses allow it.

    ``GpuWork.split_or_why_not`` decides whether it pays. Where the dependency has no ``since``, several queues made the
    earlier accesses, and semaphores have waited for them.
    """
    if dependency.behind or dependency.owners or dependency.since is None:
        return Split.QUEUES
    if points.frame(dependency.since) != points.frame(dependency.point):
        return Split.FRAMES
    return Split.HOST if dependency.dst.stages & Stage.HOST else None


@dataclass(frozen=True, slots=True)
class _PassWork:
    """A pass: its number on its ``queue``, and the queue's microseconds of work up to its begin and to its end."""

    queue: str
    rank: int
    begin: float
    end: float


class GpuWork:
    """The GPU work between passes of one queue, and whether it is worth an event."""

    def __init__(self, nodes: Sequence[NodeInstance], pass_plan: PassPlan, splitting: Splitting) -> None:
        self._above = splitting.above
        self._passes: list[_PassWork] = []
        sums = list(accumulate(_node_times(nodes, splitting), initial=0.0))
        done: dict[str, _PassWork] = {}
        for item in pass_plan.passes:
            last = done.get(item.queue, _PassWork(item.queue, -1, 0.0, 0.0))
            end = last.end + sums[item.last + 1] - sums[item.first]
            done[item.queue] = work = _PassWork(item.queue, last.rank + 1, last.end, end)
            self._passes.append(work)

    def split_or_why_not(self, waited: int, number: int) -> Split:
        """SPLIT if enough work lies between the pass ``waited``, which a barrier waits for, and the pass ``number``, in
        front of which it stands; else the reason why not."""
        if number == len(self._passes):
            return Split.FRAME_END
        first, second = self._passes[waited], self._passes[number]
        if second.rank - first.rank < 2:
            return Split.ADJACENT
        if second.queue == COPY:
            return Split.NO_EVENTS
        if second.begin - first.end > self._above:
            return Split.SPLIT
        return Split.OFF if math.isinf(self._above) else Split.SHORT


def _node_times(nodes: Sequence[NodeInstance], splitting: Splitting) -> Sequence[float]:
    """The GPU time of each node in microseconds, estimated where it has not been measured."""
    if splitting.costs:
        times: Sequence[float] = node_costs(nodes, dict(splitting.costs))
    else:
        times = [node.declaration.cost * Splitting.UNMEASURED for node in nodes]
    return [time if node.records else 0.0 for node, time in zip(nodes, times, strict=True)]
