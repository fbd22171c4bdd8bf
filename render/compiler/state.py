"""state: which neighbouring nodes become one render pass, what passes load and store, which state nodes switch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any

from render.compiler.attachments import LoadStore, NodeTargets
from render.compiler.encounters import Accesses, Key
from render.compiler.neighbours import OpenPass, PassMerging
from render.compiler.queues.plan import QueuePlan
from render.compiler.stages import InstanceGraph, NodeInstance, Pass, StateChange, StatePlan
from render.compiler.timeline import Timeline


def state(
    graph: InstanceGraph,
    times: Mapping[str, Timeline],
    targets: NodeTargets,
    accesses: Accesses,
    lasting: Set[str],
    clashes: Set[tuple[Key, Key]],
    queues: QueuePlan,
) -> StatePlan:
    """Groups the ordered nodes into passes.

    Every node belongs to exactly one pass. Nodes that record nothing never split one: they stand inside its range, or
    in front of or behind its commands. ``lasting`` resources (by id) are stored for later frames; ``clashes`` are the
    pairs of neighbours that share memory (``encounters.clashes``).
    """
    merging = PassMerging(graph, accesses, clashes, queues)
    ends = LoadStore(graph, times, lasting)
    changes, saved = _state_changes(graph.nodes)
    return StatePlan(_passes(targets, merging, ends, queues.queues), changes, saved)


def _passes(targets: NodeTargets, merging: PassMerging, ends: LoadStore, queues: Sequence[str]) -> tuple[Pass, ...]:
    grouped: list[tuple[OpenPass, str]] = []
    for number, attached in enumerate(targets):
        if attached is None:
            continue
        alone = merging.obstacle(grouped[-1][0], number, attached) if grouped else ""
        if grouped and not alone:
            merging.add(grouped[-1][0], number)
        else:
            grouped.append((merging.start(number, attached), alone))
    if not grouped:
        return (Pass(0, len(targets) - 1, ()),) if targets else ()
    passes = []
    first = 0
    for number, (group, alone) in enumerate(grouped):
        last = group.nodes[-1] if number < len(grouped) - 1 else len(targets) - 1
        attachments = tuple(ends.attachment(*target, group.nodes[0], group.nodes[-1]) for target in group.targets)
        passes.append(Pass(first, last, attachments, alone, queues[group.nodes[0]], group.views))
        first = last + 1
    return tuple(passes)


def _state_changes(nodes: Sequence[NodeInstance]) -> tuple[tuple[StateChange, ...], int]:
    """The state that each node has to switch, and how many switches equal neighbours saved."""
    current: dict[str, Any] = {}
    changes = []
    saved = 0
    for number, node in enumerate(nodes):
        wanted = node.declaration.state
        if not wanted:
            continue
        differing = tuple((key, value) for key, value in wanted if key not in current or current[key] != value)
        saved += len(wanted) - len(differing)
        current.update(differing)
        if differing:
            changes.append(StateChange(number, differing))
    return tuple(changes), saved
