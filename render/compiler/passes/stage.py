"""state: which neighbouring nodes become one render pass, what passes load and store, which state nodes switch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any

from renderwright.render.columns import rows_of
from renderwright.render.compiler.passes.aliasing_pairs import Key
from renderwright.render.compiler.passes.load_store import load_store
from renderwright.render.compiler.passes.merging import OpenPass, PassMerging
from renderwright.render.compiler.resources.access_history import Timeline
from renderwright.render.compiler.resources.accesses import Stretch
from renderwright.render.compiler.values.instances import InstanceGraph
from renderwright.render.compiler.values.passes import Pass, StateChange, StatePlan
from renderwright.render.compiler.values.queue_plan import QueuePlan
from renderwright.render.types.attachments import Attachment


def state(
    graph: InstanceGraph,
    times: Mapping[str, Timeline],
    alike: Sequence[Stretch],
    lasting: Set[str],
    clashes: Set[tuple[Key, Key]],
    queues: QueuePlan,
) -> StatePlan:
    """Groups the ordered nodes into passes.

    Every node belongs to exactly one pass. Nodes that record nothing never split one: they stand inside its range, or
    in front of or behind its commands. ``alike`` are the graph's stretches. ``lasting`` resources (by id) are stored
    for later frames; ``clashes`` are the pairs of neighbours that share memory (``encounters.clashes``).
    """
    groups = _grouped(alike, PassMerging(graph, times, clashes, queues))
    attached = load_store(graph, times, lasting, [(group.targets, group.first, group.last) for group in groups])
    changes, saved = _state_changes(graph)
    return StatePlan(_passes(groups, attached, queues.queues), changes, saved)


def _passes(
    groups: Sequence[OpenPass], attached: Sequence[tuple[Attachment, ...]], queues: Sequence[str]
) -> tuple[Pass, ...]:
    count = len(queues)
    if not groups:
        return (Pass(0, count - 1, ()),) if count else ()
    # Each takes what records nothing behind its last node, the first one also what is in front of it.
    lasts = [*[group.last for group in groups[:-1]], count - 1]
    return tuple(
        rows_of(
            Pass,
            [0, *[last + 1 for last in lasts[:-1]]],
            lasts,
            attached,
            [group.obstacle for group in groups],
            [queues[group.first] for group in groups],
            [group.views for group in groups],
        )
    )


def _grouped(alike: Sequence[Stretch], merging: PassMerging) -> Sequence[OpenPass]:
    """The recording nodes by their passes."""
    groups: list[OpenPass] = []
    group: OpenPass | None = None
    for first, last, touches in alike:
        number = last + 1 if touches.targets is None else first
        while number <= last:
            obstacle = "" if group is None else merging.obstacle(group, number, touches)
            if group is None or obstacle:
                group = merging.start(number, touches, obstacle)
                groups.append(group)
            else:
                merging.add(group, number, touches)
            if number < last and merging.takes_alike(group):
                number = last
                merging.add(group, number, touches)
            number += 1
    return groups


def _state_changes(graph: InstanceGraph) -> tuple[tuple[StateChange, ...], int]:
    """The state that each node has to switch, and how many switches equal neighbours saved."""
    current: dict[str, Any] = {}
    changes = []
    saved = 0
    states = [node.declaration.state for node in graph.nodes]
    for number, wanted in [(number, state) for number, state in enumerate(states) if state]:
        differing = tuple((key, value) for key, value in wanted if key not in current or current[key] != value)
        saved += len(wanted) - len(differing)
        current.update(differing)
        if differing:
            changes.append(StateChange(number, differing))
    return tuple(changes), saved
