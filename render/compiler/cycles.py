"""Cycles: nodes that wait for one another."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence

from render.compiler.faults import Fault, error, invalid
from render.compiler.precedence import Edge, EdgeReason, Precedence, topological_groups
from render.compiler.toposort import components
from render.graph.requests import NodeDeclaration

Graph = dict[str, dict[str, Edge]]
"""Successors of a node with one edge to each."""


def break_cycles(declarations: Mapping[str, NodeDeclaration], groups: Sequence[Precedence]) -> list[Fault]:
    """Faults that leave no cycle, each with the whole cycle in its message.

    Of a cycle, a before/after goes if there is one (nobody's picture depends on it); else the node that has no side
    effects, the smallest priority and the largest name. An edge with another reason beside before/after cannot go.
    """
    done = set(topological_groups(sorted(declarations), groups))
    if len(done) == len(declarations):
        return []
    graph: Graph = {name: {} for name in declarations if name not in done}
    for edge in _edges_within(groups, graph):
        known = graph[edge.before].get(edge.after)
        if known is None or known.reason is EdgeReason.EXPLICIT:
            graph[edge.before][edge.after] = edge
    faults = []
    work = [graph]
    while work:
        part = work.pop()
        for members in components({name: sorted(after) for name, after in part.items()}):
            inside = _part(part, members)
            cycle = _shortest_cycle(inside, members[0])
            faults.append(_repair(inside, cycle, declarations))
            work.append(inside)
    return sorted(faults, key=lambda fault: str(fault.problem))


def _edges_within(groups: Iterable[Precedence], names: Collection[str]) -> Iterable[Edge]:
    for group in groups:
        befores = [before for before in group.befores if before in names]
        if befores:
            for after in (after for after in group.afters if after in names):
                for before in befores:
                    yield Edge(before, after, group.reason, group.resource)


def _part(graph: Graph, names: Iterable[str]) -> Graph:
    chosen = set(names)
    return {name: {b: edge for b, edge in graph[name].items() if b in chosen} for name in sorted(chosen)}


def _shortest_cycle(graph: Graph, start: str) -> list[Edge]:
    """A shortest cycle through ``start`` (breadth first, smaller names first)."""
    reached: dict[str, Edge] = {}
    queue = deque([start])
    while start not in reached:
        node = queue.popleft()
        for other, edge in sorted(graph[node].items()):
            if other not in reached:
                reached[other] = edge
                queue.append(other)
    path = [reached[start]]
    while path[-1].before != start:
        path.append(reached[path[-1].before])
    return path[::-1]


def _repair(graph: Graph, cycle: Sequence[Edge], declarations: Mapping[str, NodeDeclaration]) -> Fault:
    """Take the weakest link of the cycle out of ``graph``, and say so."""
    path = f"`{cycle[0].before}`"
    for edge in cycle:
        path += f" -> `{edge.after}` ({edge.reason}{f': `{edge.resource}`' if edge.resource else ''})"
    nodes = [declarations[edge.before] for edge in cycle]
    message = f"these nodes wait for one another in a cycle: {path}"
    where = [node.source for node in nodes]
    wishes = sorted((edge.before, edge.after) for edge in cycle if edge.reason is EdgeReason.EXPLICIT)
    if wishes:
        before, after = wishes[0]
        del graph[before][after]
        hint = f"that `{before}` runs before `{after}` is ignored; take this before/after out of its declaration"
        return Fault(error("cycle", message, hint, where), ignored=(wishes[0],))
    victim = max(nodes, key=lambda node: (not node.side_effects, -node.priority, node.name)).name
    del graph[victim]
    for successors in graph.values():
        successors.pop(victim, None)
    hint = f"`{victim}` is left out; let one of them read another resource, or last frame's (history)"
    return invalid(victim, error("cycle", message, hint, where))
