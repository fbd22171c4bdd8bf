"""Cross-frame async work: work of another queue than graphics that no node of its own frame waits for.

It may go on while the next frame runs. The graphics queue of that frame waits for it where it first needs to, at the
latest when the frame after begins: compute that is pipelined with graphics, and a frame or more behind it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from renderwright.render.compiler.queues.dependencies import Hyperedge
from renderwright.render.compiler.queues.eligibility import Eligibility
from renderwright.render.compiler.rates import writes
from renderwright.render.compiler.resources.access_history import AccessHistory, NodeAccess
from renderwright.render.compiler.values.instances import InstanceGraph, NodeInstance
from renderwright.render.compiler.values.queue_plan import CrossFrameWork, ExecutionInterval
from renderwright.render.compiler.values.uses import Use
from renderwright.render.sync.flags import Layout
from renderwright.render.sync.queues import GRAPHICS


def may_cross_frames(
    graph: InstanceGraph, eligible: Sequence[Eligibility], edges: Sequence[Hyperedge]
) -> Mapping[int, Set[int]]:
    """The nodes whose declarations let them be cross-frame work, each with its successors on the device."""
    successors: dict[int, set[int]] = {node: set() for node, one in enumerate(eligible) if one.queues}
    for edge in edges:
        for node in edge.befores if edge.on_device else ():
            if node in successors:
                successors[node].update(edge.afters)
    found: dict[int, Set[int]] = {}
    for node in sorted(successors, reverse=True):
        if successors[node] <= found.keys() and not _makes_a_sink(graph, graph.nodes[node]):
            found[node] = successors[node]
    return found


def _makes_a_sink(graph: InstanceGraph, node: NodeInstance) -> bool:
    uses = [use for use in node.uses if use.touches_gpu and not use.reads_history]
    return any(name in graph.sinks for use in uses for name in use.resources)


def crossing_nodes(queues: Sequence[str], may_cross: Mapping[int, Set[int]]) -> Set[int]:
    """The nodes of ``may_cross`` that are cross-frame work if all nodes run on these queues."""
    found: set[int] = set()
    for node in sorted(may_cross, reverse=True):
        if queues[node] != GRAPHICS and may_cross[node] <= found:
            found.add(node)
    return found


def cross_frame_work(
    graph: InstanceGraph,
    histories: Mapping[str, AccessHistory],
    queues: Sequence[str],
    execution_intervals: Sequence[ExecutionInterval],
) -> tuple[CrossFrameWork, ...]:
    """The cross-frame work of a frame whose nodes stand in the order of issue.

    It is what records something on another queue than graphics and has an execution interval that no node ends within
    the frame.
    """
    count = len(queues)
    unawaited = [
        node
        for node, (_, end) in enumerate(execution_intervals)
        if end == count and queues[node] != GRAPHICS and graph.nodes[node].records
    ]
    next_frame = _NextFrame(graph, histories)
    found: list[CrossFrameWork] = []
    for queue in dict.fromkeys(queues[node] for node in unawaited):
        # The first wait of the next frame for anything on the queue covers all that the queue was given before.
        implied = min(end for (_, end), name in zip(execution_intervals, queues, strict=True) if name == queue)
        nodes = [node for node in unawaited if queues[node] == queue]
        for wait_point, members in _by_wait_point(nodes, queues, next_frame, implied).items():
            found.append(CrossFrameWork(tuple(reversed(members)), wait_point, wait_point == implied < count))
    return tuple(sorted(found))


def _by_wait_point(
    nodes: Sequence[int], queues: Sequence[str], next_frame: _NextFrame, implied: int
) -> Mapping[int, Sequence[int]]:
    """The successive ``nodes`` of one queue by the graphics node of the next frame that waits for them, the last node
    first, back to one that has to be over before the next frame begins. At ``implied`` all are waited for."""
    found: dict[int, list[int]] = {}
    wait_point = implied
    for node in reversed(nodes):
        if next_frame.begins_after(node):
            break
        # A wait for a node covers all before it on its queue.
        wait_point = min([wait_point, *[other for other in next_frame.dependents(node) if queues[other] == GRAPHICS]])
        found.setdefault(wait_point, []).append(node)
    return found


class _NextFrame:
    """What the next frame has to wait for."""

    def __init__(self, graph: InstanceGraph, histories: Mapping[str, AccessHistory]) -> None:
        self._graph = graph
        self._histories = histories
        self._descs = {item.id: item.resource.desc for item in graph.resources}
        history_uses = [use for node in graph.nodes for use in node.uses if use.reads_history]
        self._read_later = {name for use in history_uses if use.request.frames > 1 for name in use.resources}

    def begins_after(self, node: int) -> bool:
        """Whether all of the next frame waits for the node: a sink is there when its frame ends."""
        return any(
            name in self._graph.sinks and writes(use.request, self._descs[name]) for name, use in self._uses(node)
        )

    def dependents(self, node: int) -> Iterator[int]:
        """The nodes of the next frame that may have to wait for a node of this one.

        They are the history readers of a resource that it writes, reads in another layout, or is the first to use; and
        the users of a resource whose history it reads, since they write that copy anew.
        """
        for name, use in self._uses(node):
            for other in self._histories[name].own if use.reads_history else self._conflicting_readers(name, node):
                if other.node != node:
                    yield other.node

    def _uses(self, node: int) -> Iterator[tuple[str, Use]]:
        for use in self._graph.nodes[node].uses:
            if use.touches_gpu:
                for name in use.resources:
                    yield name, use

    def _conflicting_readers(self, name: str, node: int) -> Iterator[NodeAccess]:
        """The reads of a resource's history in the next frame that have to come after the node's access to it."""
        if name in self._read_later:
            return
        accessed = self._histories[name]
        own = next(access.scope for access in accessed.own if access.node == node)
        # The first use of a texture comes behind a clear, or at least a layout change on its queue: that is a write.
        first = accessed.own[0].node == node and own.layout is not Layout.UNDEFINED
        for access in accessed.history_reads:
            if own.writes or first or accessed.cells or access.scope.layout != own.layout:
                yield access
