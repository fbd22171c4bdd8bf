"""What is known of the nodes of a frame once each has a queue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from renderwright.render.compiler.queues.cross_frame import Late
from renderwright.render.sync.queues import GRAPHICS


@dataclass(frozen=True)
class QueuePlan:
    """Queues, waits and windows of the nodes, all by node number.

    ``queues`` are the queues that they run on. ``waits`` are the nodes of other queues that must have finished before a
    node begins; what these have waited for is not repeated. ``windows`` are half-open ranges of slots: a node may be
    running beside any graphics node in its window. ``reasons`` say why a node that could choose runs where it does (''
    for one that could not). ``alone`` and ``together`` are estimates of the frame's time, in the unit of the costs, on
    the graphics queue alone and as planned. ``late`` is the work that may go on beside the next frame; its windows end
    where that frame waits for it, the number of nodes later.
    """

    queues: tuple[str, ...]
    waits: tuple[tuple[int, ...], ...]
    windows: tuple[tuple[int, int], ...]
    reasons: tuple[str, ...]
    alone: float = 0.0
    together: float = 0.0
    late: tuple[Late, ...] = ()

    @cached_property
    def several(self) -> bool:
        """Whether anything runs beside the graphics queue."""
        return self.queues.count(GRAPHICS) < len(self.queues)

    @cached_property
    def signals(self) -> frozenset[int]:
        """The nodes that some other queue waits for."""
        return frozenset(node for waits in self.waits for node in waits)

    @cached_property
    def late_until(self) -> Mapping[int, int]:
        """By number, the nodes that may go on beside the next frame, with the node of that frame that they end before;
        the number of nodes if it is none of them."""
        return {node: work.join for work in self.late for node in work.nodes}

    @cached_property
    def joins(self) -> Mapping[int, tuple[int, ...]]:
        """By node, the numbers of the late work of the frame before that it is the first to wait for."""
        found: dict[int, tuple[int, ...]] = {}
        for number, work in enumerate(self.late):
            if not work.implied:
                found[work.join] = (*found.get(work.join, ()), number)
        return found

    def keeping(self, kept: Sequence[bool], silent: Set[int] = frozenset()) -> QueuePlan:
        """The plan of a frame in which only some nodes run (by number): what others wait for, those behind them or in
        front of them on their queues wait for instead. ``silent`` nodes record nothing: they stand inside passes of any
        queue, so nobody waits for one and none waits."""
        if all(kept):
            return self
        numbers = {node: place for place, node in enumerate(node for node, stays in enumerate(kept) if stays)}
        pending: dict[str, set[int]] = {}
        before: dict[str, int] = {}
        instead: list[set[int]] = []
        waits: list[tuple[int, ...]] = []
        for node, queue in enumerate(self.queues):
            wanted = {other for each in self.waits[node] for other in instead[each]} | pending.pop(queue, set())
            if kept[node] and node in silent:
                waits.append(())
            elif kept[node]:
                waits.append(tuple(sorted(numbers[other] for other in wanted if self.queues[other] != queue)))
                before[queue] = node
                instead.append({node})
            if not kept[node] or node in silent:
                pending[queue] = wanted
                instead.append(wanted | ({before[queue]} if queue in before else set()))
        return QueuePlan(
            tuple(queue for queue, stays in zip(self.queues, kept, strict=True) if stays),
            tuple(waits),
            tuple(window for window, stays in zip(self.windows, kept, strict=True) if stays),
            tuple(reason for reason, stays in zip(self.reasons, kept, strict=True) if stays),
            self.alone,
            self.together,
            tuple(self._keeping_late(work, numbers, silent) for work in self.late),
        )

    def _keeping_late(self, work: Late, numbers: Mapping[int, int], silent: Set[int]) -> Late:
        """Late work runs in every frame; what would have waited for it may rest, and who comes next on the graphics
        queue waits instead. ``numbers`` are those of the nodes that run."""
        behind = [node for node in range(work.join, len(self.queues)) if node in numbers and node not in silent]
        join = next((numbers[each] for each in behind if self.queues[each] == GRAPHICS), len(numbers))
        return work._replace(nodes=tuple(numbers[node] for node in work.nodes), join=join)


def one_queue(count: int, reasons: Sequence[str] = (), cost: float = 0.0) -> QueuePlan:
    """All nodes on the graphics queue."""
    return QueuePlan(
        (GRAPHICS,) * count,
        ((),) * count,
        tuple(zip(range(count), range(1, count + 1), strict=True)),
        tuple(reasons) or ("",) * count,
        cost,
        cost,
    )
