"""Semaphore waits between queues: the fewest that order all dependent nodes, found with vector clocks.

Source: C. J. Fidge, Timestamps in message-passing systems that preserve the partial ordering, 1988; F. Mattern, Virtual
time and global states of distributed systems, 1989.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

from renderwright.render.compiler.queues.dependencies import Hyperedge, countdown_of
from renderwright.render.compiler.values.queue_plan import ExecutionInterval
from renderwright.render.sync.queues import GRAPHICS

VectorClock = dict[str, int]
"""The number of nodes of each queue that are known to have finished."""


@dataclass(frozen=True)
class SemaphoreWaits:
    """By node number: the nodes of other queues waited for, and the execution interval of the node."""

    waits: tuple[tuple[int, ...], ...]
    execution_intervals: tuple[ExecutionInterval, ...]


def semaphore_waits(
    queues: Sequence[str], edges: Sequence[Hyperedge], silent: Set[int] = frozenset()
) -> SemaphoreWaits:
    """The waits of nodes that run in order of number on their queues.

    A wait for a node covers all nodes before it on its queue and all that these waited for, so no wait that is implied
    is kept. ``silent`` nodes record nothing: their successors wait for their predecessors. All queues begin a frame
    together and end it together.
    """
    positions = _positions_on_queues(queues)
    needed = _last_predecessors(queues, edges, silent)
    clocks: list[VectorClock] = []
    latest: dict[str, VectorClock] = {queue: {} for queue in queues}
    waits: list[tuple[int, ...]] = []
    for node, queue in enumerate(queues):
        clock = dict(latest[queue])
        chosen = []
        # The node issued last implies most.
        for other in sorted(needed[node], reverse=True):
            if clock.get(queues[other], 0) <= positions[other]:
                chosen.append(other)
                _raise(clock, clocks[other])
                _raise(clock, {queues[other]: positions[other] + 1})
        waits.append(tuple(sorted(chosen)))
        clocks.append(clock)
        latest[queue] = clock
    return SemaphoreWaits(tuple(waits), _execution_intervals(queues, positions, clocks))


def _raise(values: dict[str, int], others: dict[str, int]) -> None:
    """The maximum by queue."""
    for queue, value in others.items():
        values[queue] = max(value, values.get(queue, value))


def _positions_on_queues(queues: Sequence[str]) -> list[int]:
    counts = dict.fromkeys(queues, 0)
    positions = []
    for queue in queues:
        positions.append(counts[queue])
        counts[queue] += 1
    return positions


def _last_predecessors(queues: Sequence[str], edges: Sequence[Hyperedge], silent: Set[int]) -> list[set[int]]:
    """For each node that is not silent, the last node on each other queue that it depends on."""
    on_device = [edge for edge in edges if edge.on_device]
    countdown = countdown_of(len(queues), on_device)
    # By queue, the last node that a node depends on, and the last that its successors depend on because of it.
    latest: list[dict[str, int]] = [{} for _ in queues]
    passed_on: list[dict[str, int]] = []
    for node, queue in enumerate(queues):
        passed_on.append(latest[node] if node in silent else {queue: node})
        for edge in [on_device[number] for number in countdown.finish(node)]:
            last: dict[str, int] = {}
            for before in edge.befores:
                _raise(last, passed_on[before])
            for after in edge.afters:
                _raise(latest[after], last)
    return [
        set() if node in silent else {other for name, other in latest[node].items() if name != queue}
        for node, queue in enumerate(queues)
    ]


def _execution_intervals(
    queues: Sequence[str], positions: Sequence[int], clocks: Sequence[VectorClock]
) -> tuple[ExecutionInterval, ...]:
    """A graphics node has its own moment. Any other node has all moments from behind the last graphics node known to
    have finished before it, up to the first graphics node that knows it to have finished.

    Nodes of two other queues may overlap in the gap between two graphics nodes, which is no moment. So where there are
    two such queues, an execution interval begins one moment earlier.
    """
    graphics = [node for node, queue in enumerate(queues) if queue == GRAPHICS]
    early = len({*queues} - {GRAPHICS}) > 1
    found = []
    for node, queue in enumerate(queues):
        if queue == GRAPHICS:
            found.append((node, node + 1))
            continue
        known = clocks[node].get(GRAPHICS, 0)
        begin = graphics[known - 1] + (not early) if known else 0
        end = next((other for other in graphics if clocks[other].get(queue, 0) > positions[node]), len(queues))
        found.append((begin, end))
    return tuple(found)
