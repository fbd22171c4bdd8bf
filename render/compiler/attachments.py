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
from render.compiler.timeline import NodeAccess, Timeline
from render.compiler.uses import Attached
from render.graph.requests import ClearValue
from render.graph.resources import Extent
from render.memory.physical import TextureInfo, mip_extent
from render.sync.ranges import WHOLE, Part
from render.sync.usages import Usage

_NO_CLEAR: ClearValue = (0.0, 0.0, 0.0, 0.0)


NodeTargets = tuple[tuple[Attached, ...] | None, ...]
"""What each node renders to, by number; None for one that records nothing."""


def attached_words(targets: Sequence[Attached]) -> str:
    """The attachments for a message."""
    return ", ".join(f'{f"{part} of " if part != WHOLE else ""}"{name}" as {usage}' for name, usage, part in targets)


def attachments_of(node: NodeInstance) -> tuple[Attached, ...]:
    """What the node renders to, colours in the order of the requests and depth last."""
    return node.attached


def targets_by_node(graph: InstanceGraph) -> NodeTargets:
    """``attachments_of`` each node in order, None for those that record nothing."""
    return tuple([node.attached if node.records else None for node in graph.nodes])


def pass_extents(state: StatePlan, placement: Placement) -> tuple[Extent | None, ...]:
    """The part that all attachments of a pass have; None without attachments."""
    extents = {each.id: each.info.extent for each in placement.resources if isinstance(each.info, TextureInfo)}
    return tuple(
        _shared_extent([mip_extent(extents[each.resource], each.part) for each in item.attachments])
        for item in state.passes
    )


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

    def attachment(self, name: str, usage: Usage, part: Part, first: int, last: int) -> Attachment:
        """The attachment of a pass of the nodes ``first`` to ``last``."""
        clear = self._resources[name].resource.clear
        time = self._times[name]
        own = [cell.own for cell in time.cells if cell.part.meets(part)] if time.cells else [time.own]
        load, store = self._load(own, usage, first, last, clear), self._store(name, own, usage, last)
        return Attachment(name, usage, load, store, clear or _NO_CLEAR, part)

    def _load(
        self, own: Sequence[Sequence[NodeAccess]], usage: Usage, first: int, last: int, clear: ClearValue | None
    ) -> Load:
        """``own`` are the accesses to what is attached, by cell."""
        if usage is Usage.DEPTH_READ:
            return Load.LOAD
        if usage is Usage.RESOLVE:
            return Load.DISCARD  # every texel is overwritten
        if not all(first <= accesses[0].node <= last for accesses in own):
            return Load.LOAD
        return Load.DISCARD if clear is None else Load.CLEAR

    def _store(self, name: str, own: Sequence[Sequence[NodeAccess]], usage: Usage, last: int) -> Store:
        if usage is Usage.DEPTH_READ:
            return Store.NONE
        wanted = (
            any(accesses[-1].node > last for accesses in own)
            or name in self._lasting
            or name in self._sinks
            or self._times[name].presented
            or self._resources[name].resource.external
        )
        return Store.STORE if wanted else Store.DISCARD
