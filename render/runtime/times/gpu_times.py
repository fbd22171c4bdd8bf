"""Reads what nodes took on the GPU, in some of the frames: to read timestamps costs as much as to submit a frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT, Backend
from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.compiler.values.plan import Plan
from renderwright.render.runtime.times.gpu_clock import GpuInterval, TimedNode, gpu_intervals
from renderwright.render.runtime.times.measured_costs import MeasuredCosts
from renderwright.render.runtime.times.node_notices import NodeNotices
from renderwright.render.runtime.times.unfinished import unfinished_nodes

SAMPLED = 17
"""Frames between two readings if nobody looks. It is odd, so that the frames of both slots have their turn."""


@dataclass(frozen=True)
class Reading:
    """What was read for a frame: its intervals by node instance, and the begin of the first one on the GPU's clock."""

    intervals: Mapping[str, GpuInterval] = field(default_factory=dict)
    start: float = 0.0


NOTHING = Reading()


class GpuTimes:
    """The times are read every ``every`` frames, for the report, for ``costs``, and for ``notices`` of slow nodes.

    Set ``every`` to 1 while something needs the times of each frame.
    """

    def __init__(self, backend: Backend, notices: NodeNotices) -> None:
        self.every = SAMPLED
        self.costs = MeasuredCosts()
        self._backend = backend
        self._notices = notices
        self._timed: list[tuple[TimedNode, ...]] = [()] * FRAMES_IN_FLIGHT
        self._waited = SAMPLED

    def begin_frame(self, slot: int, nodes: Sequence[NodeInstance]) -> Reading:
        """Read the times of the slot's last frame if it is time to; ``nodes`` are the running plan's."""
        self._waited += 1
        if self._waited < self.every or not self._timed[slot]:
            return NOTHING
        start, intervals = gpu_intervals(self._timed[slot], self._backend.timestamps(slot))
        self._waited = 0
        self.costs.add({node: interval.seconds for node, interval in intervals.items()})
        self._notices.measured(nodes, intervals)
        return Reading(intervals, start)

    def end_frame(self, slot: int, timed: tuple[TimedNode, ...]) -> None:
        """The slot's frame has these timed nodes; none if its timestamps will not be those of a frame."""
        self._timed[slot] = timed

    def unfinished(self, plan: Plan, frame: int) -> tuple[NodeInstance, ...]:
        """The nodes that the device is working on, of the oldest frame before ``frame`` that it has not finished."""
        slots = (frame % FRAMES_IN_FLIGHT, (frame + 1) % FRAMES_IN_FLIGHT)
        found = (unfinished_nodes(plan, self._timed[slot], self._backend.passed(slot)) for slot in slots)
        return next((nodes for nodes in found if nodes), ())
