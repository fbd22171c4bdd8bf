"""state: which neighbouring nodes become one render pass, what passes load and store, which state nodes switch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any

from render.compiler.attachments import Attached, LoadStore, NodeTargets
from render.compiler.encounters import Accesses, Key
from render.compiler.neighbours import OpenPass, PassMerging
from render.compiler.stages import InstanceGraph, NodeInstance, Pass, StateChange, StatePlan
from render.compiler.timeline import Timeline


def state(
    graph: InstanceGraph,
    times: Mapping[str, Timeline],
    targets: NodeTargets,
    accesses: Accesses,
    lasting: Set[str],
    clashes: Set[tuple[Key, Key]],
) -> StatePlan:
    """Groups the ordered nodes into passes.

    Every node belongs to exactly one pass. Nodes that record nothing never split one: they stand inside its range, or
    in front of or behind its commands. ``lasting`` resources (by id) are stored for later frames; ``clashes`` are the
    pairs of neighbours that share memory (``encounters.clashes``).
    """
    merging = PassMerging(graph, accesses, clashes)
    ends = LoadStore(graph, times, lasting)
    changes, saved = _state_changes(graph.nodes)
    return StatePlan(_passes(targets, merging, ends), changes, saved)


def _passes(targets: NodeTargets, merging: PassMerging, ends: LoadStore) -> tuple[Pass, ...]:
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
        passes.append(_pass(first, last, group.targets, group.nodes, alone, ends))
        first = last + 1
    return tuple(passes)


def _pass(
    first: int, last: int, targets: Sequence[Attached], nodes: Sequence[int], alone: str, ends: LoadStore
) -> Pass:
    attachments = tuple(ends.attachment(name, usage, nodes[0], nodes[-1]) for name, usage in targets)
    return Pass(first, last, attachments, alone)


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
