"""What is known of the nodes of a frame once each has a queue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from render.sync.queues import GRAPHICS


@dataclass(frozen=True)
class QueuePlan:
    """Queues, waits and windows of the nodes, all by node number.

    ``queues`` are the queues that they run on. ``waits`` are the nodes of other queues that must have finished before a
    node begins; what these have waited for is not repeated. ``windows`` are half-open ranges of slots: a node may be
    running beside any graphics node in its window. ``reasons`` say why a node that could choose runs where it does (''
    for one that could not). ``alone`` and ``together`` are estimates of the frame's time, in the unit of the costs, on
    the graphics queue alone and as planned.
    """

    queues: tuple[str, ...]
    waits: tuple[tuple[int, ...], ...]
    windows: tuple[tuple[int, int], ...]
    reasons: tuple[str, ...]
    alone: float = 0.0
    together: float = 0.0

    @cached_property
    def several(self) -> bool:
        """Whether anything runs beside the graphics queue."""
        return any(queue != GRAPHICS for queue in self.queues)

    @cached_property
    def signals(self) -> frozenset[int]:
        """The nodes that some other queue waits for."""
        return frozenset(node for waits in self.waits for node in waits)

    def keeping(self, kept: Sequence[bool]) -> QueuePlan:
        """The plan of a frame in which only some nodes run (by number): what others wait for, those behind them or in
        front of them on their queues wait for instead."""
        if all(kept):
            return self
        numbers = {node: place for place, node in enumerate(node for node, stays in enumerate(kept) if stays)}
        pending: dict[str, set[int]] = {}
        before: dict[str, int] = {}
        instead: list[set[int]] = []
        waits = []
        for node, queue in enumerate(self.queues):
            wanted = {other for each in self.waits[node] for other in instead[each]} | pending.pop(queue, set())
            if kept[node]:
                waits.append(tuple(sorted(numbers[other] for other in wanted if self.queues[other] != queue)))
                before[queue] = node
                instead.append({node})
            else:
                pending[queue] = wanted
                instead.append(wanted | ({before[queue]} if queue in before else set()))
        return QueuePlan(
            tuple(queue for queue, stays in zip(self.queues, kept, strict=True) if stays),
            tuple(waits),
            tuple(window for window, stays in zip(self.windows, kept, strict=True) if stays),
            tuple(reason for reason, stays in zip(self.reasons, kept, strict=True) if stays),
            self.alone,
            self.together,
        )


def one_queue(count: int, reasons: Sequence[str] = (), cost: float = 0.0) -> QueuePlan:
    """All nodes on the graphics queue."""
    return QueuePlan(
        (GRAPHICS,) * count,
        ((),) * count,
        tuple((number, number + 1) for number in range(count)),
        tuple(reasons) or ("",) * count,
        cost,
        cost,
    )
