"""state: which neighbouring nodes become one render pass, what passes load and store, which state nodes switch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from render.compiler.attachments import LoadStore, Targets, targets_of
from render.compiler.neighbours import OpenPass, PassMerging
from render.compiler.stages import InstanceGraph, NodeInstance, Pass, Placement, StateChange, StatePlan
from render.compiler.timeline import records, timelines


def state(graph: InstanceGraph, placement: Placement) -> StatePlan:
    """Groups the ordered nodes into passes.

    Every node belongs to exactly one pass. Nodes that record nothing never split one: they stand inside its range, or
    in front of or behind its commands.
    """
    changes, saved = _state_changes(graph.nodes)
    return StatePlan(_passes(graph, placement), changes, saved)


def _passes(graph: InstanceGraph, placement: Placement) -> tuple[Pass, ...]:
    times = timelines(graph)
    placed = {resource.id: resource for resource in placement.resources}
    merging = PassMerging(graph, placement, times)
    ends = LoadStore(graph, placement, times)
    grouped: list[tuple[OpenPass, str]] = []
    for number, node in enumerate(graph.nodes):
        if not records(node):
            continue
        targets = targets_of(node, placed)
        alone = merging.obstacle(grouped[-1][0], number, targets) if grouped else ""
        if grouped and not alone:
            merging.add(grouped[-1][0], number)
        else:
            grouped.append((merging.start(number, targets), alone))
    if not grouped:
        return (Pass(0, len(graph.nodes) - 1, (), None),) if graph.nodes else ()
    passes = []
    first = 0
    for number, (group, alone) in enumerate(grouped):
        last = group.nodes[-1] if number < len(grouped) - 1 else len(graph.nodes) - 1
        passes.append(_pass(first, last, group.targets, group.nodes, alone, ends))
        first = last + 1
    return tuple(passes)


def _pass(first: int, last: int, targets: Targets, nodes: Sequence[int], alone: str, ends: LoadStore) -> Pass:
    attachments = tuple(ends.attachment(name, usage, nodes[0], nodes[-1]) for name, usage in targets.attachments)
    return Pass(first, last, attachments, targets.extent, alone)


def _state_changes(nodes: Sequence[NodeInstance]) -> tuple[tuple[StateChange, ...], int]:
    """The state that each node has to switch, and how many switches equal neighbours saved."""
    current: dict[str, Any] = {}
    changes = []
    saved = 0
    for number, node in enumerate(nodes):
        wanted = node.declaration.state
        differing = tuple((key, value) for key, value in wanted if key not in current or current[key] != value)
        saved += len(wanted) - len(differing)
        current.update(differing)
        if differing:
            changes.append(StateChange(number, differing))
    return tuple(changes), saved
