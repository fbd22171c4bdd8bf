"""Whether a node can join the render pass before it, or the words that say why it cannot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from render.compiler.attachments import Targets
from render.compiler.stages import InstanceGraph, PlacedResource, Placement
from render.compiler.timeline import NodeAccess, Timeline
from render.sync.usages import ATTACHMENTS

Key = tuple[str, bool]
"""A resource id, and whether it is the previous frame's copy."""


@dataclass
class OpenPass:
    """A pass that may still take in nodes: its recording nodes, and the last of them to use each resource."""

    targets: Targets
    nodes: list[int]
    accesses: dict[Key, NodeAccess] = field(default_factory=dict)


class PassMerging:
    """Joins nodes whose commands may stand in one render pass with all barriers in front of it."""

    def __init__(self, graph: InstanceGraph, placement: Placement, times: Mapping[str, Timeline]) -> None:
        self._ids = [node.id for node in graph.nodes]
        self._placed = {resource.id: resource for resource in placement.resources}
        self._accesses: list[dict[Key, NodeAccess]] = [{} for _ in graph.nodes]
        for name, time in times.items():
            for access in time.own:
                self._accesses[access.node][name, False] = access
            for access in time.history:
                self._accesses[access.node][name, True] = access

    def start(self, node: int, targets: Targets) -> OpenPass:
        """A pass of one node."""
        return OpenPass(targets, [node], dict(self._accesses[node]))

    def add(self, group: OpenPass, node: int) -> None:
        """The node joins the pass."""
        group.nodes.append(node)
        group.accesses.update(self._accesses[node])

    def obstacle(self, group: OpenPass, node: int, targets: Targets) -> str:
        """Why the node cannot join the pass, or ''."""
        if not targets.attachments:
            return "it renders to no attachment"
        if not group.targets.attachments:
            return f'"{self._ids[group.nodes[-1]]}" before it renders to no attachment'
        if targets.attachments != group.targets.attachments:
            return f"it renders to {targets.names()}, the pass before it to {group.targets.names()}"
        if targets.extent != group.targets.extent:
            return f"it renders at {targets.extent}, the pass before it at {group.targets.extent}"
        for key, access in self._accesses[node].items():
            obstacle = self._hazard(group, key, access) or self._shared_memory(group, key)
            if obstacle:
                return obstacle
        return ""

    def _hazard(self, group: OpenPass, key: Key, access: NodeAccess) -> str:
        earlier = group.accesses.get(key)
        if earlier is None or (earlier.usages <= ATTACHMENTS and access.usages <= ATTACHMENTS):
            return ""
        name, other = key[0], self._ids[earlier.node]
        if earlier.scope.writes:
            return f'it uses "{name}" as {_words(access)}, and "{other}" in the pass before it writes that'
        if access.scope.writes:
            return f'it writes "{name}" as {_words(access)}, and "{other}" in the pass before it reads that'
        if earlier.scope.layout != access.scope.layout:
            return f'it uses "{name}" as {_words(access)}, and "{other}" in the pass before it as {_words(earlier)}'
        return ""

    def _shared_memory(self, group: OpenPass, key: Key) -> str:
        """A resource that takes over memory from another of the same pass needs a barrier between the two."""
        if key in group.accesses:
            return ""
        for other in group.accesses:
            if any(self._overlap(key, other, frame) for frame in (0, 1)):
                return f'"{key[0]}" lies in memory that "{other[0]}" gives up in the pass before it'
        return ""

    def _overlap(self, one: Key, other: Key, frame: int) -> bool:
        first, second = self._bytes(one, frame), self._bytes(other, frame)
        if first is None or second is None or first[0] != second[0]:
            return False
        return first[1] < second[2] and second[1] < first[2]

    def _bytes(self, key: Key, frame: int) -> tuple[int, int, int] | None:
        """(heap, first byte, end) of the copy that the key means in an even (0) or odd (1) frame."""
        placed: PlacedResource = self._placed[key[0]]
        if not placed.copies:
            return None
        copy = placed.copies[1 - frame if key[1] else frame]
        return copy.heap, copy.offset, copy.offset + placed.size


def _words(access: NodeAccess) -> str:
    return " and ".join(sorted(access.usages))
