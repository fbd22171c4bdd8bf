"""Cycles of dependencies, and the smallest repair: a minimum feedback set of nodes or of declared orders."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice
from typing import TypeVar

from renderwright.render.compiler.diagnostics.faults import Fault, error, invalid, owners, quoted
from renderwright.render.compiler.diagnostics.findings import Problem
from renderwright.render.compiler.instances.strongly_connected import components
from renderwright.render.compiler.instances.topological_sort import first_order
from renderwright.render.compiler.resolve.bind import BoundGraph
from renderwright.render.compiler.resolve.dense_cycles import nodes_to_remove, orders_to_ignore
from renderwright.render.compiler.values.precedence import Edge, EdgeReason, Precedence, precedences
from renderwright.render.errors import SourceLocation
from renderwright.render.graph.requests import NodeDeclaration

Graph = dict[str, dict[str, Edge]]
"""Successors of each node, with one edge to each."""

Candidate = TypeVar("Candidate", bound=Hashable)
"""What can be taken out to break a cycle, together with its edges: a node or a declared order."""

SEARCHED_SIZE = 100
"""Nodes and edges of the largest strongly connected component in which a minimum is searched for."""

SEARCH_STEPS = 20_000
"""How many nodes and edges one search may visit."""

BREAKING_STEPS = 100_000
"""How many nodes and edges may be visited while the cycles of large components are broken one after the other."""

SHOWN_EDGES = 8
"""The most edges of a cycle that a message shows."""


def check_cycles(bound: BoundGraph) -> list[Fault]:
    """Dependencies have no cycle."""
    rootless = list(_rootless_renames(bound))
    if not rootless and len(bound.order) == len(bound.nodes):
        return []
    return break_cycles(bound.declarations, [*bound.dependencies, *rootless])


def _rootless_renames(bound: BoundGraph) -> Iterator[Precedence]:
    """Edges between renames that lead to no creation. Some of them may form a loop."""
    origins = bound.origins
    for name, renames in sorted(origins.renames.items()):
        if name in origins.creations and not origins.roots[name]:
            creator = origins.creations[name][0].node.name
            for rename in renames:
                yield from precedences((creator,), (rename.node.name,), EdgeReason.USE_RENAME, name)


def break_cycles(declarations: Mapping[str, NodeDeclaration], dependencies: Sequence[Precedence]) -> list[Fault]:
    """Faults that leave no cycle, each with a whole cycle in its message.

    No node of the skeleton leaves for a plugin's, and none of a plugin for a later one's. Cycles without a declared
    order lose a minimum set of nodes of the last owner on them; among equally small sets, nodes without side effects,
    with a small priority and a large name leave first. The other cycles lose a minimum set of declared orders, and no
    node. A declared order that other dependencies imply as well cannot be ignored. Components larger than
    ``SEARCHED_SIZE``, and those in which ``SEARCH_STEPS`` find no minimum, lose the weakest link of one cycle after the
    other. What has cycles left after ``BREAKING_STEPS`` loses enough at once (``dense_cycles``), with one message.
    """
    ordered = set(first_order(sorted(declarations), dependencies))
    if len(ordered) == len(declarations):
        return []
    graph = _graph(dependencies, [name for name in declarations if name not in ordered])
    victims: list[str] = []
    faults = []
    kept: set[str] = set()
    for owner in owners(declarations.values()):
        own = [name for name in graph if declarations[name].plugin == owner]
        among = _without(_restricted(graph, {*own, *kept}), _is_declared, [True])
        weakest = sorted(own, key=lambda name: _weakness(declarations[name]), reverse=True)
        for some, cycle in _feedback_set(among, weakest, _predecessor, _nodes_at_once):
            victims += some
            faults += _node_faults(some, cycle, declarations)
        kept.update(set(own).difference(victims))
    graph = _without(graph, _predecessor, victims)
    orders = sorted(_pair(edge) for after in graph.values() for edge in after.values() if _is_declared(edge))
    for ignored, cycle in _feedback_set(graph, orders, _pair, _orders_at_once):
        faults.append(_order_fault(ignored, cycle, declarations))
    return sorted(faults, key=lambda fault: (str(fault.problem), str(fault.removal)))


def _weakness(node: NodeDeclaration) -> tuple[bool, int, str]:
    return (not node.side_effects, -node.priority, node.name)


def _is_declared(edge: Edge) -> bool:
    return edge.reason is EdgeReason.EXPLICIT


def _predecessor(edge: Edge) -> str:
    return edge.before


def _pair(edge: Edge) -> tuple[str, str]:
    return edge.before, edge.after


def _graph(dependencies: Iterable[Precedence], names: Collection[str]) -> Graph:
    """The dependencies among some nodes; of several edges between two nodes, the first that is not declared stays."""
    graph: Graph = {name: {} for name in names}
    for group in dependencies:
        befores = [before for before in group.befores if before in graph]
        afters = [after for after in group.afters if after in graph]
        for after in afters:
            for before in befores:
                known = graph[before].get(after)
                if known is None or _is_declared(known):
                    graph[before][after] = Edge(before, after, group.reason, group.resource)
    return graph


def _without(graph: Graph, candidate_of: Callable[[Edge], Candidate], removed: Collection[Candidate]) -> Graph:
    """The graph without the edges of some candidates. A node without outgoing edges is on no cycle."""
    return {
        name: {other: edge for other, edge in after.items() if candidate_of(edge) not in removed}
        for name, after in graph.items()
    }


def _restricted(graph: Graph, names: Collection[str]) -> Graph:
    """The part of the graph among some nodes."""
    return {
        name: {other: edge for other, edge in after.items() if other in names}
        for name, after in graph.items()
        if name in names
    }


def _strong_components(graph: Graph) -> list[Graph]:
    found = []
    for members in components({name: sorted(after) for name, after in graph.items()}):
        inside = set(members)
        found.append({name: {b: edge for b, edge in graph[name].items() if b in inside} for name in sorted(inside)})
    return found


def _feedback_set(
    graph: Graph,
    weakest: Sequence[Candidate],
    candidate_of: Callable[[Edge], Candidate],
    at_once: Callable[[Graph, Sequence[Candidate]], list[Candidate]],
) -> Iterator[tuple[list[Candidate], list[Edge]]]:
    """Candidates without which the graph has no cycle: one with a cycle that it is part of, or many with an example.

    ``weakest`` are the candidates, the preferred one first; ``candidate_of`` gives the one that an edge leaves with.
    ``at_once`` gives enough of the candidates inside a component that has too many cycles.
    """
    rank = {candidate: number for number, candidate in enumerate(weakest)}
    work = _strong_components(graph)
    visited = 0
    while work:
        left = work.pop()
        there = {candidate_of(edge) for after in left.values() for edge in after.values()}
        inside = sorted(there & rank.keys(), key=rank.__getitem__)
        chosen = _minimum_set(left, inside, candidate_of)
        if not chosen:
            visited += _size(left)
            if visited > BREAKING_STEPS:
                yield at_once(left, inside), _shortest_cycle(left, min(left))
                continue
            on_cycle = {candidate_of(edge) for edge in _shortest_cycle(left, min(left))}
            chosen = [next(candidate for candidate in inside if candidate in on_cycle)]
        for number, candidate in enumerate(chosen):
            rest = _without(left, candidate_of, chosen[:number] + chosen[number + 1 :])
            yield [candidate], _cycle_with(candidate, rest, candidate_of)
        work += _strong_components(_without(left, candidate_of, chosen))


def _size(component: Graph) -> int:
    return len(component) + sum(len(after) for after in component.values())


def _nodes_at_once(component: Graph, weakest: Sequence[str]) -> list[str]:
    return nodes_to_remove(component, weakest)


def _orders_at_once(component: Graph, orders: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    edges = [edge for after in component.values() for edge in after.values()]
    return orders_to_ignore(component, orders, [_pair(edge) for edge in edges if not _is_declared(edge)])


def _minimum_set(
    component: Graph, weakest: Sequence[Candidate], candidate_of: Callable[[Edge], Candidate]
) -> list[Candidate]:
    """The smallest set without which the component has no cycle, the weakest first; empty if the search is too long."""
    size = _size(component)
    if size > SEARCHED_SIZE:
        return []
    choices = (some for count in range(1, len(weakest) + 1) for some in combinations(weakest, count))
    for chosen in islice(choices, SEARCH_STEPS // size):
        if not _strong_components(_without(component, candidate_of, chosen)):
            return list(chosen)
    return []


def _cycle_with(candidate: Candidate, graph: Graph, candidate_of: Callable[[Edge], Candidate]) -> list[Edge]:
    """A shortest cycle through the candidate, starting at its smallest name."""
    own = [edge for after in graph.values() for edge in after.values() if candidate_of(edge) == candidate]
    start = own[0].before
    cycle = _shortest_cycle(graph | {start: {edge.after: edge for edge in own}}, start)
    first = min(range(len(cycle)), key=lambda number: cycle[number].before)
    return cycle[first:] + cycle[:first]


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


def _path(cycle: Sequence[Edge]) -> str:
    path = f"`{cycle[0].before}`"
    for edge in cycle[:SHOWN_EDGES]:
        path += f" -> `{edge.after}` ({edge.reason}{f': `{edge.resource}`' if edge.resource else ''})"
    if len(cycle) > SHOWN_EDGES:
        path += f" -> {len(cycle) - SHOWN_EDGES} more"
    return path


def _problem(
    cycle: Sequence[Edge],
    hint: str,
    declarations: Mapping[str, NodeDeclaration],
    *,
    many: bool,
    where: Sequence[SourceLocation] = (),
) -> Problem:
    """The problem of one cycle, or of ``many`` with one as an example; ``where`` comes before its nodes."""
    words = "these nodes wait for one another in a cycle"
    if many:
        words = "nodes wait for one another in too many cycles to break one after the other, such as"
    nodes = [declarations[edge.before].source for edge in cycle]
    return error("cycle", f"{words}: {_path(cycle)}", hint, [*where, *nodes])


def _node_faults(
    victims: Sequence[str], cycle: Sequence[Edge], declarations: Mapping[str, NodeDeclaration]
) -> list[Fault]:
    are = "is" if len(victims) == 1 else "are"
    hint = f"{quoted(victims)} {are} left out; let one of them read another resource, or last frame's (history)"
    problem = _problem(cycle, hint, declarations, many=len(victims) > 1)
    return [invalid(victim, problem) for victim in victims]


def _order_fault(
    ignored: Sequence[tuple[str, str]], cycle: Sequence[Edge], declarations: Mapping[str, NodeDeclaration]
) -> Fault:
    before, after = ignored[0]
    hint = f"that `{before}` runs before `{after}` is ignored"
    if len(ignored) == 1:
        hint += "; take this before/after out of its declaration"
    else:
        hint += f", and {len(ignored) - 1} more declared orders; take these before/after out of the declarations"
    where = [source for pair in ignored for source in _declared_at(pair, declarations)]
    return Fault(_problem(cycle, hint, declarations, many=len(ignored) > 1, where=where), ignored=tuple(ignored))


def _declared_at(pair: tuple[str, str], declarations: Mapping[str, NodeDeclaration]) -> list[SourceLocation]:
    """The lines by which one node runs before another."""
    before, after = (declarations[name] for name in pair)
    declared = [before.ordered_at(after.name)] if after.name in before.before else []
    return [*declared, *([after.ordered_at(before.name)] if before.name in after.after else [])]
