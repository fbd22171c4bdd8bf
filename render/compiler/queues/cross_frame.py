"""Late work: what another queue does and no node of its own frame waits for.

It may go on while the next frame runs. The graphics queue of that frame waits for it where it first needs to, at the
latest when the frame after begins: compute that is pipelined with graphics, and a frame or more behind it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from renderwright.render.compiler.queues.dependencies import Group
from renderwright.render.compiler.queues.eligibility import Ability
from renderwright.render.compiler.rates import writes
from renderwright.render.compiler.resources.access_history import NodeAccess, Timeline
from renderwright.render.compiler.values.instances import InstanceGraph, NodeInstance
from renderwright.render.sync.flags import Layout
from renderwright.render.sync.queues import GRAPHICS

NodeSet = Set[int]


class Late(NamedTuple):
    """Nodes of one queue that follow one another, and ``join``: the node of the next frame, on the graphics queue, that
    is the first to come after them. Where there is none, it is the number of nodes: the beginning of the frame after.

    Who waits for what the same queue does in the next frame comes after the late work anyway: then the join is
    ``implied``.
    """

    nodes: tuple[int, ...]
    join: int
    implied: bool = False


def joins_of(graph: InstanceGraph, times: Mapping[str, Timeline], node: int) -> Iterator[int] | None:
    """The nodes of the next frame that may have to wait for what a node does; None if its own frame has to.

    Those are the readers of the history of what it writes, of what it reads in another layout, and of a texture that
    it is the first to use; and the users of what it reads the history of, since that copy is the one that they write
    anew. What the frame is made for is there when it ends.
    """
    descs = {item.id: item.resource.desc for item in graph.resources}
    histories = [use for each in graph.nodes for use in each.uses if use.history]
    older = {name for use in histories if use.request.frames > 1 for name in use.resources}
    uses = [(name, use) for use in graph.nodes[node].uses if use.touches_gpu for name in use.resources]
    for name, use in uses:
        if name in graph.sinks and writes(use.request, descs[name]):
            return None
    return (
        other.node
        for name, use in uses
        for other in (times[name].own if use.history else _after(times[name], node, name not in older))
        if other.node != node
    )


def _after(time: Timeline, node: int, next_frame: bool) -> Iterator[NodeAccess]:
    """The accesses to the history of a resource, if it is read in the ``next_frame``, that have to come after what a
    node does with it.

    In front of a texture's first use its queue clears it, or changes at least its layout: a write, whatever the use.
    """
    mine = next(access.scope for access in time.own if access.node == node)
    opens = time.own[0].node == node and mine.layout is not Layout.UNDEFINED
    for access in time.history if next_frame else ():
        if mine.writes or opens or time.cells or access.scope.layout != mine.layout:
            yield access


def late_work(
    graph: InstanceGraph, times: Mapping[str, Timeline], queues: Sequence[str], windows: Sequence[tuple[int, int]]
) -> tuple[Late, ...]:
    """The late work of a frame, by number, whose nodes stand in the order of issue.

    It is what records something on another queue than graphics and has a window that nobody ends within the frame.
    """
    count = len(queues)
    unawaited = [
        node
        for node, (_, end) in enumerate(windows)
        if end == count and queues[node] != GRAPHICS and graph.nodes[node].records
    ]
    found = []
    for queue in dict.fromkeys(queues[node] for node in unawaited):
        # Who waits for anything on the queue waits for all that it was given before.
        implied = min(end for (_, end), name in zip(windows, queues, strict=True) if name == queue)
        join, members = implied, list[int]()
        for node in sorted((each for each in unawaited if queues[each] == queue), reverse=True):
            joins = joins_of(graph, times, node)
            if joins is None:
                break
            # Waiting for a node is waiting for all before it on its queue.
            first = min((other for other in joins if queues[other] == GRAPHICS), default=join)
            if first < join and members:
                found.append(Late(tuple(reversed(members)), join, join == implied < count))
                members = []
            join = min(first, join)
            members.append(node)
        if members:
            found.append(Late(tuple(reversed(members)), join, join == implied < count))
    return tuple(sorted(found))


def deferrable(graph: InstanceGraph, able: Sequence[Ability], groups: Sequence[Group]) -> Mapping[int, NodeSet]:
    """The nodes that could be late by what is declared, each with those that come after it on the device."""
    afters: dict[int, set[int]] = {node: set() for node, ability in enumerate(able) if ability.queues}
    for group in groups:
        for node in group.befores if group.device else ():
            if node in afters:
                afters[node].update(group.afters)
    sinks = set(graph.sinks)
    found: dict[int, NodeSet] = {}
    for node in sorted(afters, reverse=True):
        if afters[node] <= found.keys() and not _makes(graph.nodes[node], sinks):
            found[node] = afters[node]
    return found


def _makes(node: NodeInstance, names: Set[str]) -> bool:
    return any(use.touches_gpu and not use.history and not names.isdisjoint(use.resources) for use in node.uses)


def late_among(queues: Sequence[str], may: Mapping[int, NodeSet]) -> NodeSet:
    """Those of the ``deferrable`` nodes that are late if nodes run on these queues."""
    late: set[int] = set()
    for node in sorted(may, reverse=True):
        if queues[node] != GRAPHICS and may[node] <= late:
            late.add(node)
    return late
