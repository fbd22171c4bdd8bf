"""Cycles: nodes that wait for one another."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice
from typing import TypeVar

from renderwright.render.compiler.diagnostics.faults import Fault, error, invalid
from renderwright.render.compiler.instances.strongly_connected import components
from renderwright.render.compiler.instances.topological_sort import first_order
from renderwright.render.compiler.values.precedence import Edge, EdgeReason, Precedence
from renderwright.render.graph.requests import NodeDeclaration

Graph = dict[str, dict[str, Edge]]
"""Successors of a node with one edge to each."""

Wish = tuple[str, str]
"""A before/after: who comes before whom."""

Weak = TypeVar("Weak", str, Wish)
"""What a cycle can be broken at: a node or a wish."""

SMALL = 100
"""Nodes and edges of a tangle in which the least that has to leave is searched for."""

STEPS = 20_000
"""How many nodes and edges such a search may look at, all in all."""


def break_cycles(declarations: Mapping[str, NodeDeclaration], groups: Sequence[Precedence]) -> list[Fault]:
    """Faults that leave no cycle, each with a whole cycle in its message.

    As little as possible goes: of nodes that wait for one another by what they make and use, the fewest that leave no
    cycle, and among as many those without side effects, with the smallest priority and the largest name. Cycles that a
    before/after closes lose as few of these wishes as possible and no node (nobody's picture depends on a wish). An
    edge with another reason beside before/after cannot go. Tangles that are not ``SMALL``, or where the fewest are not
    found in ``STEPS``, lose the weakest link of one cycle after the other.
    """
    done = set(first_order(sorted(declarations), groups))
    if len(done) == len(declarations):
        return []
    graph: Graph = {name: {} for name in declarations if name not in done}
    for edge in _edges_within(groups, graph):
        known = graph[edge.before].get(edge.after)
        if known is None or known.reason is EdgeReason.EXPLICIT:
            graph[edge.before][edge.after] = edge
    weakest = sorted(graph, key=lambda name: _weakness(declarations[name]), reverse=True)
    faults = []
    for victim, cycle in _broken(_without_wishes(graph), weakest, _without_node):
        graph = _without_node(graph, victim)
        faults.append(_node_fault(victim, cycle, declarations))
    wishes = [(edge.before, edge.after) for after in graph.values() for edge in after.values() if _is_wish(edge)]
    for wish, cycle in _broken(graph, sorted(wishes), _without_wish):
        faults.append(_wish_fault(wish, cycle, declarations))
    return sorted(faults, key=lambda fault: str(fault.problem))


def _weakness(node: NodeDeclaration) -> tuple[bool, int, str]:
    return (not node.side_effects, -node.priority, node.name)


def _edges_within(groups: Iterable[Precedence], names: Collection[str]) -> Iterable[Edge]:
    for group in groups:
        befores = [before for before in group.befores if before in names]
        if befores:
            for after in (after for after in group.afters if after in names):
                for before in befores:
                    yield Edge(before, after, group.reason, group.resource)


def _is_wish(edge: Edge) -> bool:
    return edge.reason is EdgeReason.EXPLICIT


def _without_wishes(graph: Graph) -> Graph:
    return {name: {b: edge for b, edge in after.items() if not _is_wish(edge)} for name, after in graph.items()}


def _without_wish(graph: Graph, wish: Wish) -> Graph:
    before, after = wish
    left = dict(graph)
    left[before] = {name: edge for name, edge in graph[before].items() if name != after}
    return left


def _without_node(graph: Graph, node: str) -> Graph:
    return {name: {b: edge for b, edge in after.items() if b != node} for name, after in graph.items() if name != node}


def _tangles(graph: Graph) -> list[Graph]:
    """The parts of the graph in which every node waits for every other."""
    found = []
    for members in components({name: sorted(after) for name, after in graph.items()}):
        chosen = set(members)
        found.append({name: {b: edge for b, edge in graph[name].items() if b in chosen} for name in sorted(chosen)})
    return found


def _broken(
    graph: Graph, weakest: Sequence[Weak], without: Callable[[Graph, Weak], Graph]
) -> Iterator[tuple[Weak, list[Edge]]]:
    """What has to leave so that no cycle is left, each with a cycle that it takes part in."""
    work = _tangles(graph)
    while work:
        left = work.pop()
        inside = [one for one in weakest if _is_in(one, left)]
        chosen = _fewest(left, inside, without)
        if not chosen:
            cycle = _shortest_cycle(left, min(left))
            chosen = [next(one for one in inside if _is_on(one, cycle))]
        for number, one in enumerate(chosen):
            rest = left
            for other in chosen[number + 1 :]:
                rest = without(rest, other)
            yield one, _cycle_with(one, rest)
            left = without(left, one)
        work += _tangles(left)


def _fewest(tangle: Graph, weakest: Sequence[Weak], without: Callable[[Graph, Weak], Graph]) -> list[Weak]:
    """The smallest choice that leaves no cycle, the weakest first, or nothing if it is not soon found."""
    size = len(tangle) + sum(len(after) for after in tangle.values())
    if size > SMALL:
        return []
    choices = (some for count in range(1, len(weakest) + 1) for some in combinations(weakest, count))
    for chosen in islice(choices, STEPS // size):
        left = tangle
        for one in chosen:
            left = without(left, one)
        if not _tangles(left):
            return list(chosen)
    return []


def _is_in(one: Weak, graph: Graph) -> bool:
    return one in graph if isinstance(one, str) else one[1] in graph.get(one[0], ())


def _is_on(one: Weak, cycle: Sequence[Edge]) -> bool:
    return any(one == edge.before if isinstance(one, str) else one == (edge.before, edge.after) for edge in cycle)


def _cycle_with(one: Weak, graph: Graph) -> list[Edge]:
    """A shortest cycle that the node or the wish is part of, from its smallest name on."""
    if isinstance(one, str):
        path = _shortest_cycle(graph, one)
    else:
        before, after = one
        narrowed = graph | {before: {after: graph[before][after]}}
        path = _shortest_cycle(narrowed, before)
    first = min(range(len(path)), key=lambda number: path[number].before)
    return path[first:] + path[:first]


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


def _message(cycle: Sequence[Edge]) -> str:
    path = f"`{cycle[0].before}`"
    for edge in cycle:
        path += f" -> `{edge.after}` ({edge.reason}{f': `{edge.resource}`' if edge.resource else ''})"
    return f"these nodes wait for one another in a cycle: {path}"


def _node_fault(victim: str, cycle: Sequence[Edge], declarations: Mapping[str, NodeDeclaration]) -> Fault:
    where = [declarations[edge.before].source for edge in cycle]
    hint = f"`{victim}` is left out; let one of them read another resource, or last frame's (history)"
    return invalid(victim, error("cycle", _message(cycle), hint, where))


def _wish_fault(wish: Wish, cycle: Sequence[Edge], declarations: Mapping[str, NodeDeclaration]) -> Fault:
    before, after = wish
    where = [declarations[edge.before].source for edge in cycle]
    hint = f"that `{before}` runs before `{after}` is ignored; take this before/after out of its declaration"
    return Fault(error("cycle", _message(cycle), hint, where), ignored=(wish,))
