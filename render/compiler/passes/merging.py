"""Whether a node can join the render pass before it, or why it cannot."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass

from renderwright.render.compiler.diagnostics.merge_blockers import Obstacle
from renderwright.render.compiler.passes.aliasing_pairs import Accesses, Key
from renderwright.render.compiler.resources.access_history import NodeAccess, Timeline
from renderwright.render.compiler.resources.accesses import Touches
from renderwright.render.compiler.values.instances import InstanceGraph
from renderwright.render.compiler.values.queue_plan import QueuePlan
from renderwright.render.compiler.values.uses import Attached
from renderwright.render.types.usages import ATTACHMENTS


@dataclass(slots=True)
class OpenPass:
    """A pass that may still take in nodes: the first and the last of its recording nodes, what they render to, for how
    many views at once, whether all of them use attachments only, and why the pass before it could not take them in."""

    first: int
    last: int
    targets: tuple[Attached, ...]
    views: int
    renders_only: bool
    obstacle: Obstacle


class PassMerging:
    """Joins nodes whose commands may stand in one render pass with all barriers in front of it, pass by pass."""

    def __init__(
        self,
        graph: InstanceGraph,
        times: Mapping[str, Timeline],
        clashes: Set[tuple[Key, Key]],
        queues: QueuePlan,
    ) -> None:
        self._queues = queues
        self._nodes = graph.nodes
        self._accesses = Accesses(times)
        self._clashes = clashes
        # The nodes of the last pass (of alike neighbours the last one), and what those before them last used.
        self._members: list[tuple[int, Touches]] = []
        self._used: dict[Key, NodeAccess] = {}

    def start(self, node: int, touches: Touches, obstacle: Obstacle) -> OpenPass:
        """A pass of one node behind the others."""
        self._members = [(node, touches)]
        self._used.clear()
        return OpenPass(node, node, touches.targets or (), touches.views, touches.renders_only, obstacle)

    def add(self, group: OpenPass, node: int, touches: Touches) -> None:
        """The node joins the pass."""
        group.last = node
        group.renders_only = group.renders_only and touches.renders_only
        self._members.append((node, touches))

    def takes_alike(self, group: OpenPass) -> bool:
        """Whether neighbours that do the same as the last node of the pass can join it without being asked."""
        return group.renders_only and bool(group.targets) and not self._queues.several

    def obstacle(self, group: OpenPass, node: int, touches: Touches) -> Obstacle:
        """Why the node cannot join the pass, or ''."""
        targets = touches.targets
        if not targets:
            return "it renders to no attachment"
        if not group.targets:
            return f'"{self._id(group.last)}" before it renders to no attachment'
        if targets != group.targets:
            return targets, group.targets
        if touches.views != group.views:
            return f"it is drawn for {touches.views} views at once, the pass before it for {group.views}"
        if self._queues.several and (obstacle := self._other_queues(group.last, node)):
            return obstacle
        if group.renders_only and touches.renders_only:
            return ""
        known = self._last_used()
        for key, access in self._accesses.of(node, touches).items():
            earlier = known.get(key)
            obstacle = self._hazard(key, earlier, access) if earlier else self._shared_memory(known, key)
            if obstacle:
                return obstacle
        return ""

    def _last_used(self) -> Mapping[Key, NodeAccess]:
        """The last node of the pass to use each resource."""
        for member in self._members:
            self._used.update(self._accesses.of(*member))
        self._members.clear()
        return self._used

    def _id(self, node: int) -> str:
        return self._nodes[node].id

    def _other_queues(self, last: int, node: int) -> str:
        """A render pass cannot stop for another queue."""
        if self._queues.waits[node]:
            other = self._queues.waits[node][0]
            return f'it waits for "{self._id(other)}" on the {self._queues.queues[other]} queue'
        if node in self._queues.joins:
            return "it waits for what another queue does since the frame before"
        if last in self._queues.signals:
            return f'another queue waits for "{self._id(last)}" before it'
        return ""

    def _hazard(self, key: Key, earlier: NodeAccess, access: NodeAccess) -> str:
        if earlier.usages <= ATTACHMENTS and access.usages <= ATTACHMENTS:
            return ""
        name, other = key[0], self._id(earlier.node)
        if earlier.scope.writes:
            return f'it uses "{name}" as {_words(access)}, and "{other}" in the pass before it writes that'
        if access.scope.writes:
            return f'it writes "{name}" as {_words(access)}, and "{other}" in the pass before it reads that'
        if earlier.scope.layout != access.scope.layout:
            return f'it uses "{name}" as {_words(access)}, and "{other}" in the pass before it as {_words(earlier)}'
        return ""

    def _shared_memory(self, known: Mapping[Key, NodeAccess], key: Key) -> str:
        """A resource that takes over memory from another of the same pass needs a barrier between the two."""
        if not self._clashes:
            return ""
        for other in known:
            if (key, other) in self._clashes:
                return f'"{key[0]}" lies in memory that "{other[0]}" gives up in the pass before it'
        return ""


def _words(access: NodeAccess) -> str:
    return " and ".join(sorted(access.usages))
