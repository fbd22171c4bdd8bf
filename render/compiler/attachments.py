"""What a node renders to, and what happens to it when a render pass begins and ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from render.compiler.stages import (
    Attachment,
    InstanceGraph,
    Load,
    NodeInstance,
    Placement,
    ResourceInstance,
    StatePlan,
    Store,
)
from render.compiler.timeline import Timeline, records
from render.graph.requests import ClearValue
from render.graph.resources import Extent
from render.memory.physical import TextureInfo
from render.sync.usages import ATTACHMENTS, Usage

_DEPTHS = frozenset({Usage.DEPTH, Usage.DEPTH_READ})
_NO_CLEAR: ClearValue = (0.0, 0.0, 0.0, 0.0)


Attached = tuple[str, Usage]
"""A resource id and how it is attached."""

NodeTargets = tuple[tuple[Attached, ...] | None, ...]
"""What each node renders to, by number; None for one that records nothing."""


def attached_words(targets: Sequence[Attached]) -> str:
    """The attachments for a message."""
    return ", ".join(f'"{name}" as {usage}' for name, usage in targets)


def attachments_of(node: NodeInstance) -> tuple[Attached, ...]:
    """What the node renders to, colours in the order of the requests and depth last."""
    found: dict[str, Usage] = {}
    for use in node.uses:
        if use.usage in ATTACHMENTS and not use.history:
            for name in use.resources:
                # Testing against depth and writing it in one node is writing it.
                if found.get(name) is not Usage.DEPTH:
                    found[name] = use.usage
    if len(found) < 2:
        return tuple(found.items())
    colors = [item for item in found.items() if item[1] not in _DEPTHS]
    return (*colors, *(item for item in found.items() if item[1] in _DEPTHS))


def targets_by_node(graph: InstanceGraph) -> NodeTargets:
    """``attachments_of`` each node in order, None for those that record nothing."""
    return tuple(attachments_of(node) if records(node) else None for node in graph.nodes)


def pass_extents(state: StatePlan, placement: Placement) -> tuple[Extent | None, ...]:
    """The part that all attachments of a pass have; None without attachments."""
    extents = {each.id: each.info.extent for each in placement.resources if isinstance(each.info, TextureInfo)}
    return tuple(_shared_extent([extents[each.resource] for each in item.attachments]) for item in state.passes)


def _shared_extent(extents: Sequence[Extent]) -> Extent | None:
    if len(extents) < 2:
        return extents[0] if extents else None
    return min([width for width, _ in extents]), min([height for _, height in extents])


class LoadStore:
    """Decides the load and store operations of attachments."""

    def __init__(self, graph: InstanceGraph, times: Mapping[str, Timeline], lasting: Set[str]) -> None:
        self._resources: dict[str, ResourceInstance] = {item.id: item for item in graph.resources}
        self._lasting = lasting
        self._sinks = set(graph.sinks)
        self._times = times

    def attachment(self, name: str, usage: Usage, first: int, last: int) -> Attachment:
        """The attachment of a pass of the nodes ``first`` to ``last``."""
        clear = self._resources[name].resource.clear
        return Attachment(
            name, usage, self._load(name, usage, first, last, clear), self._store(name, usage, last), clear or _NO_CLEAR
        )

    def _load(self, name: str, usage: Usage, first: int, last: int, clear: ClearValue | None) -> Load:
        if usage is Usage.DEPTH_READ:
            return Load.LOAD
        if usage is Usage.RESOLVE:
            return Load.DISCARD  # every texel is overwritten
        if not first <= self._times[name].own[0].node <= last:
            return Load.LOAD
        return Load.DISCARD if clear is None else Load.CLEAR

    def _store(self, name: str, usage: Usage, last: int) -> Store:
        if usage is Usage.DEPTH_READ:
            return Store.NONE
        time = self._times[name]
        wanted = (
            time.own[-1].node > last
            or name in self._lasting
            or name in self._sinks
            or time.presented
            or self._resources[name].resource.external
        )
        return Store.STORE if wanted else Store.DISCARD
