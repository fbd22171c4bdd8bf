"""passes: the render passes of a frame, their load and store operations, and the fixed state that nodes switch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

from renderwright.render.compiler.passes.aliasing_pairs import AliasingPair
from renderwright.render.compiler.passes.load_store import attachment
from renderwright.render.compiler.passes.merging import PassMerging
from renderwright.render.compiler.passes.subresources import subresource_accesses
from renderwright.render.compiler.resources.access_history import AccessHistory
from renderwright.render.compiler.values.instances import InstanceGraph, NodeInstance
from renderwright.render.compiler.values.passes import Pass, PassPlan, StateChange
from renderwright.render.compiler.values.queue_plan import QueuePlan


def merge_passes(
    graph: InstanceGraph,
    histories: Mapping[str, AccessHistory],
    carried_over: Set[str],
    aliasing: Set[AliasingPair],
    queues: QueuePlan,
    merge: bool = True,
) -> PassPlan:
    """Groups the ordered nodes into passes; every node belongs to exactly one.

    Nodes that record nothing never end a pass: those in front of a pass belong to it and stand outside its rendering.
    Later frames find the contents of ``carried_over`` resources (by id). ``aliasing`` are the ``aliasing_pairs``.
    Without ``merge`` each recording node has a pass of its own.
    """
    merging = PassMerging(graph.nodes, subresource_accesses(histories, len(graph.nodes)), aliasing, queues, merge)
    resources = {item.id: item.resource for item in graph.resources}
    needed_later = carried_over | set(graph.sinks)
    passes: list[Pass] = []
    for item in merging.passes():
        attached = tuple([attachment(target, item, resources, histories, needed_later) for target in item.targets])
        first = passes[-1].last + 1 if passes else 0
        passes.append(Pass(first, item.last, attached, item.blocker, queues.queues[item.first], item.views))
    changes, saved = _state_changes(graph.nodes)
    return PassPlan(_to_the_end(passes, len(graph.nodes)), changes, saved, merge)


def _to_the_end(passes: Sequence[Pass], count: int) -> tuple[Pass, ...]:
    """The last pass also takes the nodes behind it; a frame that records nothing is one pass."""
    if not passes:
        return (Pass(0, count - 1, ()),) if count else ()
    return (*passes[:-1], replace(passes[-1], last=count - 1))


def _state_changes(nodes: Iterable[NodeInstance]) -> tuple[tuple[StateChange, ...], int]:
    """The fixed-function state that each node has to switch, which is what differs from the state before it, and how
    many switches the nodes before it have made unnecessary."""
    current: dict[str, Any] = {}
    changes = []
    saved = 0
    for number, node in enumerate(nodes):
        wanted = node.declaration.state
        differing = tuple([(key, value) for key, value in wanted if key not in current or current[key] != value])
        saved += len(wanted) - len(differing)
        current.update(differing)
        if differing:
            changes.append(StateChange(number, differing))
    return tuple(changes), saved
