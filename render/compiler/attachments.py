"""What a node renders to, and what happens to it when a render pass begins and ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from render.compiler.stages import (
    Attachment,
    InstanceGraph,
    Load,
    NodeInstance,
    PlacedResource,
    Placement,
    ResourceInstance,
    Store,
)
from render.compiler.timeline import Timeline
from render.graph.requests import ClearValue
from render.graph.resources import Extent
from render.memory.physical import TextureInfo
from render.sync.usages import ATTACHMENTS, Usage

_DEPTHS = frozenset({Usage.DEPTH, Usage.DEPTH_READ})
_NO_CLEAR: ClearValue = (0.0, 0.0, 0.0, 0.0)


Attached = tuple[str, Usage]
"""A resource id and how it is attached."""


@dataclass(frozen=True)
class Targets:
    """The attachments of a node as (resource id, usage) pairs, colours in the order of the requests and depth last.

    ``extent`` is the part that all of them have; None without attachments.
    """

    attachments: tuple[Attached, ...]
    extent: Extent | None

    def names(self) -> str:
        """The attachments for a message."""
        return ", ".join(f'"{name}" as {usage}' for name, usage in self.attachments)


def attachments_of(node: NodeInstance) -> tuple[Attached, ...]:
    """What the node renders to, colours in the order of the requests and depth last."""
    found: dict[str, Usage] = {}
    for use in node.uses:
        if use.usage in ATTACHMENTS and not use.history:
            for name in use.resources:
                # Testing against depth and writing it in one node is writing it.
                if found.get(name) is not Usage.DEPTH:
                    found[name] = use.usage
    return tuple(sorted(found.items(), key=lambda item: item[1] in _DEPTHS))


def targets_of(node: NodeInstance, placed: Mapping[str, PlacedResource]) -> Targets:
    """What the node renders to, and at which size."""
    ordered = attachments_of(node)
    extents = [info.extent for name, _ in ordered if isinstance(info := placed[name].info, TextureInfo)]
    extent = (min(width for width, _ in extents), min(height for _, height in extents)) if extents else None
    return Targets(ordered, extent)


class LoadStore:
    """Decides the load and store operations of attachments."""

    def __init__(self, graph: InstanceGraph, placement: Placement, times: Mapping[str, Timeline]) -> None:
        self._resources: dict[str, ResourceInstance] = {item.id: item for item in graph.resources}
        self._lasting = {placed.id for placed in placement.resources if placed.history or placed.kept}
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
