"""What list scheduling has to know of each node, as numbers: looked up once, used at every step."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import IntEnum
from itertools import chain, repeat
from typing import Any, NamedTuple

from render.compiler.memo import Parts
from render.compiler.ordering.costs import node_costs
from render.compiler.ordering.keys import Key, declared_key
from render.compiler.ordering.sizes import estimated_bytes
from render.compiler.rates import kept_resources
from render.compiler.stages import InstanceGraph, LogicalResource, NodeInstance
from render.compiler.uses import Attached, Use
from render.sync.usages import ATTACHMENTS, READ_ONLY_USAGES, Usage

Item = tuple[str, bool]
"""A resource id, and whether it is the previous frame's copy."""

State = tuple[tuple[str, Any], ...]
"""Fixed-function state as a node declares it."""

_COPIES = frozenset({Usage.COPY_SRC, Usage.COPY_DST})


class Bottleneck(IntEnum):
    """The part of the GPU that a node keeps busy."""

    NONE = 0
    RASTER = 1
    COMPUTE = 2
    COPY = 3


class NodeFacts(NamedTuple):
    """One node. ``targets`` is empty without attachments.

    ``touched`` are the own copies that its commands use and ``written`` those that they change; the pairs of ``shaded``
    are (item, whether it writes) for what is no attachment. ``items`` are all that it keeps alive. ``cost`` is 0 for a
    node that records nothing; ``key`` settles ties. Nodes with the same ``alike`` draw the same way to the same
    targets, can share a pass, and are alive together; it is empty for a node that shares no pass with its like.
    """

    records: bool
    executes: bool
    priority: int
    cost: float
    targets: tuple[Attached, ...]
    bottleneck: Bottleneck
    state: State
    touched: tuple[str, ...]
    written: tuple[str, ...]
    shaded: tuple[tuple[Item, bool], ...]
    items: tuple[Item, ...]
    alike: tuple[Any, ...]
    key: Key


def node_facts(
    graph: InstanceGraph, nodes: Sequence[NodeInstance], measured: Mapping[str, float], parts: Parts | None = None
) -> list[NodeFacts]:
    """The facts of ``nodes``, in that order; ``measured`` is microseconds by node name."""
    parts = parts or Parts()
    blobs = tuple([item.id for item in graph.resources if item.resource.desc.kind == "blob"])
    cpu = parts.of(frozenset[str])("blobs", blobs)
    return parts.of(_facts).all([node.id for node in nodes], nodes, node_costs(nodes, measured), repeat(cpu))


def resource_bytes(graph: InstanceGraph, parts: Parts | None = None) -> dict[str, float]:
    """Estimated bytes of each texture and buffer; 0 where no order makes a difference. Blobs are left out.

    What comes from outside takes no memory of the graph's, and what a node at its own rate keeps is always there.
    """
    kept = kept_resources(graph)
    logical = {item.resource.root: item.resource for item in graph.resources}
    by_root = dict(zip(logical, (parts or Parts()).of(_bytes).all(list(logical), logical.values()), strict=True))
    return {
        item.id: 0.0 if item.id in kept else by_root[item.resource.root]
        for item in graph.resources
        if item.resource.desc.kind != "blob"
    }


def _bytes(resource: LogicalResource) -> float:
    return 0.0 if resource.external else estimated_bytes(resource.desc)


def _facts(node: NodeInstance, cost: float, blobs: Collection[str]) -> NodeFacts:
    declaration = node.declaration
    recording = node.records
    items: dict[Item, None] = {}
    touched: dict[str, None] = {}
    written: dict[str, None] = {}
    shaded: dict[Item, bool] = {}
    attached = False
    for use in node.uses:
        usage, history = use.usage, use.history
        touches = usage is not None and usage is not Usage.PRESENT
        writes = usage not in READ_ONLY_USAGES
        attachment = usage in ATTACHMENTS
        for name in use.resources:
            if name in blobs:
                continue
            item = (name, history)
            items[item] = None
            if not touches:
                continue
            if not history:
                touched[name] = None
                if writes:
                    written[name] = None
            if attachment:
                attached = True
            else:
                shaded[item] = writes or shaded.get(item, False)
    targets = node.attached if attached else ()
    repeats = targets and declaration.executes and not any(shaded.values())
    return NodeFacts(
        recording,
        declaration.executes,
        declaration.priority,
        cost if recording and declaration.executes else 0.0,
        targets,
        _bottleneck(recording, targets, node.uses),
        declaration.state,
        tuple(touched),
        tuple(written),
        tuple(shaded.items()),
        tuple(items),
        _alike(declaration.priority, declaration.state, targets, items) if repeats else (),
        declared_key(node),
    )


def _alike(priority: int, state: State, targets: tuple[Attached, ...], items: Collection[Item]) -> tuple[Any, ...]:
    # Flat, and nothing in it twice: whole crowds are compared.
    attached = {name for name, _, _ in targets}
    others = [item for item in items if item[1] or item[0] not in attached]
    return priority, state, len(targets), *chain(*targets, *others)


def _bottleneck(recording: bool, targets: tuple[Attached, ...], uses: Sequence[Use]) -> Bottleneck:
    if not recording:
        return Bottleneck.NONE
    if targets:
        return Bottleneck.RASTER
    copies = [use.usage in _COPIES for use in uses if use.touches_gpu]
    return Bottleneck.COPY if copies and all(copies) else Bottleneck.COMPUTE
