"""Decides which of the nodes that may leave the graphics queue do: those whose move makes the frame shorter.

Nodes that do not allow the graphics queue leave it in any case. The search is greedy. Dependent nodes are first moved
together, since one link of a chain alone gains nothing and waits twice. Then each node is tried by itself, and at last
each one back on the graphics queue.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from types import MappingProxyType

from renderwright.render.compiler.queues.cross_frame import crossing_nodes
from renderwright.render.compiler.queues.dependencies import Hyperedge
from renderwright.render.compiler.queues.eligibility import Eligibility
from renderwright.render.compiler.queues.simulation import Schedule, simulate
from renderwright.render.sync.queues import GRAPHICS

HOP = 0.005
"""The cost of a wait for another queue, as a share of the frame on one queue."""

LEAST_GAIN = 0.01
"""A move has to make the frame shorter by this share of it."""


@dataclass(frozen=True)
class Assignment:
    """The queue of each node with the reason, the schedule, and the frame's time on the graphics queue alone.

    ``forced`` says that some nodes do not allow the graphics queue.
    """

    queues: tuple[str, ...]
    reasons: tuple[str, ...]
    schedule: Schedule
    time_on_one_queue: float
    forced: bool = False

    @property
    def worthwhile(self) -> bool:
        """Whether several queues are used: the frame is shorter than on the graphics queue alone, or must leave it."""
        return self.forced or self.schedule.end < self.time_on_one_queue


def assign_queues(
    eligible: Sequence[Eligibility],
    costs: Sequence[float],
    edges: Sequence[Hyperedge],
    may_cross: Mapping[int, Set[int]] = MappingProxyType({}),
) -> Assignment:
    """Moves nodes in their order; equal inputs give equal results. ``may_cross`` is of ``may_cross_frames``."""
    queues = [GRAPHICS] * len(eligible)
    hop = HOP * sum(costs)
    least_gain = LEAST_GAIN * sum(costs)

    def simulated(trial: Sequence[str]) -> Schedule:
        return simulate(trial, costs, edges, hop, crossing_nodes(trial, may_cross))

    time_on_one_queue = simulated(queues).end
    queues = [one.queues[0] if one.must_leave_graphics else GRAPHICS for one in eligible]
    best = simulated(queues)
    before_moves = best.end
    for move in _moves(eligible, edges):
        trial = [move.get(node, queue) for node, queue in enumerate(queues)]
        schedule = simulated(trial) if trial != queues else best
        if schedule.end <= best.end - least_gain:
            queues, best = trial, schedule
    for node in range(len(eligible)):
        if queues[node] != GRAPHICS and not eligible[node].must_leave_graphics:
            trial = [*queues[:node], GRAPHICS, *queues[node + 1 :]]
            schedule = simulated(trial)
            if schedule.end < best.end:
                queues, best = trial, schedule
    reasons = [_reason(queue, node, before_moves, best.end) for queue, node in zip(queues, eligible, strict=True)]
    return Assignment(
        tuple(queues), tuple(reasons), best, time_on_one_queue, any(one.must_leave_graphics for one in eligible)
    )


def _reason(queue: str, node: Eligibility, before: float, after: float) -> str:
    """The reason for a queue; ``before`` and ``after`` are the frame's times without and with the moves."""
    if not node.queues:
        return node.obstacle
    if node.must_leave_graphics:
        return "its declaration does not allow the graphics queue"
    if queue == GRAPHICS:
        return "no other queue makes the frame shorter"
    gain = 100 * (1 - after / before) if before else 0.0
    return f"runs beside the graphics queue: the frame is estimated {gain:.0f} % shorter for it and others that do"


def _moves(eligible: Sequence[Eligibility], edges: Sequence[Hyperedge]) -> Iterator[Mapping[int, str]]:
    """The moves to try: the new queue of each node of a cluster, then of each node by itself."""
    single_nodes = [(node,) for node, one in enumerate(eligible) if one.queues]
    for cluster in (*_clusters(eligible, edges), *single_nodes):
        first, *others = cluster
        common = [queue for queue in eligible[first].queues if all(queue in eligible[node].queues for node in others)]
        moves = [dict.fromkeys(cluster, queue) for queue in common]
        favourites = {node: eligible[node].queues[0] for node in cluster}
        yield from moves if favourites in moves else (*moves, favourites)


def _clusters(eligible: Sequence[Eligibility], edges: Sequence[Hyperedge]) -> list[tuple[int, ...]]:
    """The nodes that may leave the graphics queue, connected by dependencies; in the order of their first nodes."""
    parent = list(range(len(eligible)))

    def root(node: int) -> int:
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    for edge in edges:
        if edge.on_device:
            befores = [node for node in edge.befores if eligible[node].queues]
            afters = [node for node in edge.afters if eligible[node].queues]
            if befores and afters:
                for node in (*befores, *afters):
                    parent[root(node)] = root(befores[0])
    clusters: dict[int, list[int]] = {}
    for node, one in enumerate(eligible):
        if one.queues:
            clusters.setdefault(root(node), []).append(node)
    return [tuple(cluster) for cluster in clusters.values()]
