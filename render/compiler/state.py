"""state: which neighbouring nodes become one render pass, what passes load and store, which state nodes switch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any

from render.compiler.attachments import LoadStore
from render.compiler.encounters import Key
from render.compiler.memo import Parts
from render.compiler.neighbours import OpenPass, PassMerging
from render.compiler.queues.plan import QueuePlan
from render.compiler.stages import InstanceGraph, NodeInstance, Pass, StateChange, StatePlan
from render.compiler.timeline import Timeline
from render.compiler.touches import Stretch


def state(
    graph: InstanceGraph,
    times: Mapping[str, Timeline],
    alike: Sequence[Stretch],
    lasting: Set[str],
    clashes: Set[tuple[Key, Key]],
    queues: QueuePlan,
    parts: Parts | None = None,
) -> StatePlan:
    """Groups the ordered nodes into passes.

    Every node belongs to exactly one pass. Nodes that record nothing never split one: they stand inside its range, or
    in front of or behind its commands. ``alike`` are the graph's stretches. ``lasting`` resources (by id) are stored
    for later frames; ``clashes`` are the pairs of neighbours that share memory (``encounters.clashes``).
    """
    merging = PassMerging(graph, times, clashes, queues, parts)
    ends = LoadStore(graph, times, lasting, parts)
    changes, saved = _state_changes(graph.nodes)
    return StatePlan(_passes(graph, alike, merging, ends, queues.queues), changes, saved)


def _passes(
    graph: InstanceGraph, alike: Sequence[Stretch], merging: PassMerging, ends: LoadStore, queues: Sequence[str]
) -> tuple[Pass, ...]:
    count = len(queues)
    grouped = _grouped(alike, merging)
    if not grouped:
        return (Pass(0, count - 1, ()),) if count else ()
    passes = []
    first = 0
    for number, (group, alone) in enumerate(grouped):
        last = group.last if number < len(grouped) - 1 else count - 1
        attachments = ends.attachments(graph.nodes[group.first].id, group.targets, group.first, group.last)
        passes.append(Pass(first, last, attachments, alone, queues[group.first], group.views))
        first = last + 1
    return tuple(passes)


def _grouped(alike: Sequence[Stretch], merging: PassMerging) -> Sequence[tuple[OpenPass, str]]:
    """The recording nodes by their passes, each with why the one before could not take it in."""
    grouped: list[tuple[OpenPass, str]] = []
    for first, last, touches in alike:
        if touches.targets is None:
            continue
        number = first
        while number <= last:
            alone = merging.obstacle(grouped[-1][0], number, touches) if grouped else ""
            if grouped and not alone:
                merging.add(grouped[-1][0], number, touches)
            else:
                grouped.append((merging.start(number, touches), alone))
            if number < last and merging.takes_alike(grouped[-1][0]):
                number = last
                merging.add(grouped[-1][0], number, touches)
            number += 1
    return grouped


def _state_changes(nodes: Sequence[NodeInstance]) -> tuple[tuple[StateChange, ...], int]:
    """The state that each node has to switch, and how many switches equal neighbours saved."""
    current: dict[str, Any] = {}
    changes = []
    saved = 0
    for number, wanted in [(number, node.declaration.state) for number, node in enumerate(nodes)]:
        if not wanted:
            continue
        differing = tuple((key, value) for key, value in wanted if key not in current or current[key] != value)
        saved += len(wanted) - len(differing)
        current.update(differing)
        if differing:
            changes.append(StateChange(number, differing))
    return tuple(changes), saved
