"""The facts about each node that list scheduling needs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from renderwright.render.compiler.values.instances import InstanceGraph, NodeInstance
from renderwright.render.compiler.values.uses import Attached
from renderwright.render.types.usages import ATTACHMENTS, READ_ONLY_USAGES, Usage

Copy = tuple[str, bool]
"""A resource id, and whether the copy of the previous frame is meant."""

State = tuple[tuple[str, Any], ...]
"""Fixed-function state as a node declares it."""

_TRANSFERS = frozenset({Usage.COPY_SRC, Usage.COPY_DST})


class Bottleneck(IntEnum):
    """The part of the GPU that a node keeps busy."""

    NONE = 0
    RASTER = 1
    COMPUTE = 2
    TRANSFER = 3


@dataclass(frozen=True, slots=True)
class NodeFacts:
    """One node, or one scheduling unit of several nodes; blobs are left out.

    ``cost`` is 0 for a node that records or executes nothing. ``targets`` are its attachments. ``copies`` are all
    resources that it keeps alive. ``accessed`` are this frame's resources that its commands use, ``written`` those that
    they change. ``unattached`` are the copies that it uses other than as attachments, with whether it writes them.
    """

    records: bool
    executes: bool
    priority: int
    cost: float
    targets: tuple[Attached, ...]
    bottleneck: Bottleneck
    state: State
    copies: tuple[Copy, ...]
    accessed: tuple[str, ...]
    written: tuple[str, ...]
    unattached: tuple[tuple[Copy, bool], ...]


def node_facts(graph: InstanceGraph, costs: Sequence[float]) -> list[NodeFacts]:
    """The facts of each node of the graph; ``costs`` are by node."""
    blobs = {item.id for item in graph.resources if item.resource.desc.kind == "blob"}
    return [_facts(node, cost, blobs) for node, cost in zip(graph.nodes, costs, strict=True)]


def _facts(node: NodeInstance, cost: float, blobs: Collection[str]) -> NodeFacts:
    copies: dict[Copy, None] = {}
    accessed: dict[str, None] = {}
    written: dict[str, None] = {}
    unattached: dict[Copy, bool] = {}
    for use in node.uses:
        writes = use.usage not in READ_ONLY_USAGES
        on_gpu = use.touches_gpu
        for name in use.resources:
            if name in blobs:
                continue
            copy = (name, use.reads_history)
            copies[copy] = None
            if on_gpu and not use.reads_history:
                accessed[name] = None
                if writes:
                    written[name] = None
            if on_gpu and use.usage not in ATTACHMENTS:
                unattached[copy] = writes or unattached.get(copy, False)
    declaration = node.declaration
    return NodeFacts(
        records=node.records,
        executes=declaration.executes,
        priority=declaration.priority,
        cost=cost if node.records and declaration.executes else 0.0,
        targets=node.attached,
        bottleneck=_bottleneck(node),
        state=declaration.state,
        copies=tuple(copies),
        accessed=tuple(accessed),
        written=tuple(written),
        unattached=tuple(unattached.items()),
    )


def _bottleneck(node: NodeInstance) -> Bottleneck:
    if not node.records:
        return Bottleneck.NONE
    if node.attached:
        return Bottleneck.RASTER
    usages = {use.usage for use in node.uses if use.touches_gpu}
    return Bottleneck.TRANSFER if usages and usages <= _TRANSFERS else Bottleneck.COMPUTE
