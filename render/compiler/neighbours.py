"""Whether a node can join the render pass before it, or the words that say why it cannot."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field

from render.compiler.attachments import attached_words
from render.compiler.encounters import Accesses, Key
from render.compiler.queues.plan import QueuePlan
from render.compiler.stages import InstanceGraph
from render.compiler.timeline import NodeAccess
from render.compiler.uses import Attached
from render.sync.usages import ATTACHMENTS


@dataclass
class OpenPass:
    """A pass that may still take in nodes: its recording nodes, and the last of them to use each resource; whether all
    of them use attachments only, and for how many views at once they are drawn."""

    targets: tuple[Attached, ...]
    nodes: list[int]
    renders_only: bool
    views: int
    accesses: dict[Key, NodeAccess] = field(default_factory=dict)


class PassMerging:
    """Joins nodes whose commands may stand in one render pass with all barriers in front of it."""

    def __init__(
        self, graph: InstanceGraph, accesses: Accesses, clashes: Set[tuple[Key, Key]], queues: QueuePlan
    ) -> None:
        self._queues = queues
        self._ids = [node.id for node in graph.nodes]
        self._renders_only = [node.renders_only for node in graph.nodes]
        self._views = [node.views.count if node.views is not None else 1 for node in graph.nodes]
        self._accesses = accesses
        self._clashes = clashes

    def start(self, node: int, targets: tuple[Attached, ...]) -> OpenPass:
        """A pass of one node."""
        return OpenPass(targets, [node], self._renders_only[node], self._views[node], dict(self._accesses[node]))

    def add(self, group: OpenPass, node: int) -> None:
        """The node joins the pass."""
        group.nodes.append(node)
        group.renders_only = group.renders_only and self._renders_only[node]
        group.accesses.update(self._accesses[node])

    def obstacle(self, group: OpenPass, node: int, targets: tuple[Attached, ...]) -> str:
        """Why the node cannot join the pass, or ''."""
        if not targets:
            return "it renders to no attachment"
        if not group.targets:
            return f'"{self._ids[group.nodes[-1]]}" before it renders to no attachment'
        if targets != group.targets:
            return f"it renders to {attached_words(targets)}, the pass before it to {attached_words(group.targets)}"
        if self._views[node] != group.views:
            return f"it is drawn for {self._views[node]} views at once, the pass before it for {group.views}"
        if self._queues.several and (obstacle := self._other_queues(group.nodes[-1], node)):
            return obstacle
        if group.renders_only and self._renders_only[node]:
            return ""
        for key, access in self._accesses[node].items():
            earlier = group.accesses.get(key)
            obstacle = self._hazard(key, earlier, access) if earlier else self._shared_memory(group, key)
            if obstacle:
                return obstacle
        return ""

    def _other_queues(self, last: int, node: int) -> str:
        """A render pass cannot stop for another queue."""
        if self._queues.waits[node]:
            other = self._queues.waits[node][0]
            return f'it waits for "{self._ids[other]}" on the {self._queues.queues[other]} queue'
        if node in self._queues.joins:
            return "it waits for what another queue does since the frame before"
        if last in self._queues.signals:
            return f'another queue waits for "{self._ids[last]}" before it'
        return ""

    def _hazard(self, key: Key, earlier: NodeAccess, access: NodeAccess) -> str:
        if earlier.usages <= ATTACHMENTS and access.usages <= ATTACHMENTS:
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
        if not self._clashes:
            return ""
        for other in group.accesses:
            if (key, other) in self._clashes:
                return f'"{key[0]}" lies in memory that "{other[0]}" gives up in the pass before it'
        return ""


def _words(access: NodeAccess) -> str:
    return " and ".join(sorted(access.usages))
