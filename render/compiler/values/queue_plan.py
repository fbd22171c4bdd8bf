"""The result of ``queues``: the queue of each node, and the waits between queues."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from renderwright.render.sync.queues import GRAPHICS

ExecutionInterval = tuple[int, int]
"""The half-open range [begin, end) of moments at which a node may be running; node number n of the graphics queue runs
at moment n, and the next frame goes on counting."""


@dataclass(frozen=True, order=True)
class CrossFrameWork:
    """Successive nodes of a queue besides graphics that may go on beside the next frame.

    ``wait_point`` is the node of the next frame, on the graphics queue, that is the first to come after them.
    If there is none, it is the number of nodes: the beginning of the frame after. A node that waits for what the same
    queue does in the next frame comes after the work anyway: then the wait is ``implied``.
    """

    nodes: tuple[int, ...]
    wait_point: int
    implied: bool = False


@dataclass(frozen=True)
class QueuePlan:
    """Queues, waits and execution intervals of the nodes, all by node number.

    ``waits`` are the nodes of other queues that must have finished before a node begins, without those that are implied
    by others. A node may be running beside any graphics node within its execution interval. ``reasons`` say why a node
    that may leave the graphics queue runs where it does ('' for any other). ``time_on_one_queue`` and ``planned_time``
    estimate the time of the frame on the graphics queue alone and as planned, in the unit of the costs. The execution
    intervals of ``cross_frame_work`` end at its wait point, the number of nodes later.
    """

    queues: tuple[str, ...]
    waits: tuple[tuple[int, ...], ...]
    execution_intervals: tuple[ExecutionInterval, ...]
    reasons: tuple[str, ...]
    time_on_one_queue: float = 0.0
    planned_time: float = 0.0
    cross_frame_work: tuple[CrossFrameWork, ...] = ()

    @cached_property
    def several(self) -> bool:
        """Whether anything runs beside the graphics queue."""
        return self.queues.count(GRAPHICS) < len(self.queues)

    @cached_property
    def signals(self) -> frozenset[int]:
        """The nodes that another queue waits for."""
        return frozenset(node for waits in self.waits for node in waits)

    @cached_property
    def wait_points(self) -> Mapping[int, int]:
        """The wait point of each node of cross-frame work."""
        return {node: work.wait_point for work in self.cross_frame_work for node in work.nodes}

    @cached_property
    def cross_frame_waits(self) -> Mapping[int, tuple[int, ...]]:
        """By node, the numbers of the last frame's cross-frame work of which it is the wait point."""
        found: dict[int, tuple[int, ...]] = {}
        for number, work in enumerate(self.cross_frame_work):
            if not work.implied:
                found[work.wait_point] = (*found.get(work.wait_point, ()), number)
        return found


def one_queue(count: int, reasons: Sequence[str] = (), cost: float = 0.0) -> QueuePlan:
    """All nodes on the graphics queue."""
    return QueuePlan(
        (GRAPHICS,) * count,
        ((),) * count,
        tuple([(node, node + 1) for node in range(count)]),
        tuple(reasons) or ("",) * count,
        cost,
        cost,
    )
