"""Which of the nodes that may leave the graphics queue do: those that make the frame shorter by leaving it.

Nodes that hang together are moved together first, since one link of a chain alone gains nothing and waits twice. Then
each is tried alone, and alone the other way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from types import MappingProxyType

from renderwright.render.compiler.queues.cross_frame import late_among
from renderwright.render.compiler.queues.dependencies import Group
from renderwright.render.compiler.queues.eligibility import Ability
from renderwright.render.compiler.queues.simulation import Run, simulate
from renderwright.render.sync.queues import GRAPHICS

HOP = 0.005
"""What a wait for another queue costs, as a share of the frame on one queue."""

LEAST_GAIN = 0.01
"""A move has to make the frame shorter by this share of it."""


@dataclass(frozen=True)
class Choice:
    """The queue of each node with the reason, how the frame runs with them, and how long it takes without."""

    queues: tuple[str, ...]
    reasons: tuple[str, ...]
    run: Run
    alone: float


def choose(
    able: Sequence[Ability],
    costs: Sequence[float],
    groups: Sequence[Group],
    deferrable: Mapping[int, Set[int]] = MappingProxyType({}),
) -> Choice:
    """Greedy, in the order of the nodes; equal inputs give equal results. ``deferrable`` as in ``queues.late``."""
    queues = [GRAPHICS] * len(able)
    reasons = [ability.obstacle for ability in able]
    hop = HOP * sum(costs)
    least = LEAST_GAIN * sum(costs)

    def run_of(trial: Sequence[str]) -> Run:
        return simulate(trial, costs, groups, hop, late_among(trial, deferrable))

    best = run_of(queues)
    alone = best.end
    alone_too = [(node,) for node, ability in enumerate(able) if ability.queues]
    for cluster in (*_clusters(able, groups), *alone_too):
        for wishes in _wishes(able, cluster):
            trial = list(queues)
            for node, queue in zip(cluster, wishes, strict=True):
                trial[node] = queue
            run = run_of(trial) if trial != queues else best
            if run.end <= best.end - least:
                queues, best = trial, run
    for node in range(len(able)):
        if queues[node] == GRAPHICS:
            continue
        trial = list(queues)
        trial[node] = GRAPHICS
        run = run_of(trial)
        if run.end < best.end:
            queues, best = trial, run
    for node, ability in enumerate(able):
        if ability.queues:
            reasons[node] = _reason(queues[node], alone, best.end)
    return Choice(tuple(queues), tuple(reasons), best, alone)


def _reason(queue: str, alone: float, together: float) -> str:
    if queue == GRAPHICS:
        return "no other queue makes the frame shorter"
    gain = 100 * (1 - together / alone) if alone else 0.0
    return f"runs beside the graphics queue: the frame is estimated {gain:.0f} % shorter for it and others that do"


def _clusters(able: Sequence[Ability], groups: Sequence[Group]) -> list[tuple[int, ...]]:
    """Nodes that may leave the graphics queue, with those that they are neighbours of; in order of the first."""
    parent = list(range(len(able)))

    def root(node: int) -> int:
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    for group in groups:
        if group.device:
            movable = [node for node in (*group.befores, *group.afters) if able[node].queues]
            befores = [node for node in group.befores if able[node].queues]
            if befores and len(movable) > len(befores):
                for node in movable:
                    parent[root(node)] = root(movable[0])
    clusters: dict[int, list[int]] = {}
    for node, ability in enumerate(able):
        if ability.queues:
            clusters.setdefault(root(node), []).append(node)
    return [tuple(cluster) for cluster in clusters.values()]


def _wishes(able: Sequence[Ability], cluster: Sequence[int]) -> list[tuple[str, ...]]:
    """The queues to try: one for all, in the order of the first node's wishes, and each node's favourite."""
    first, *others = cluster
    common = [queue for queue in able[first].queues if all(queue in able[node].queues for node in others)]
    found = [(queue,) * len(cluster) for queue in common]
    return list(dict.fromkeys([*found, tuple(able[node].queues[0] for node in cluster)]))
