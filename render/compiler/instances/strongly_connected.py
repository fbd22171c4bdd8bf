"""Strongly connected components of graphs of names (the algorithm of Kosaraju and Sharir)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def components(graph: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Strongly connected components of more than one node, each sorted; successors before predecessors."""
    predecessors: dict[str, list[str]] = {}
    for node, successors in graph.items():
        for other in successors:
            predecessors.setdefault(other, []).append(node)
    found = []
    assigned: set[str] = set()
    for root in reversed(_finishing_order(graph)):
        if root in assigned:
            continue
        assigned.add(root)
        members = [root]
        for member in members:
            new = [node for node in dict.fromkeys(predecessors.get(member, ())) if node not in assigned]
            assigned.update(new)
            members += new
        if len(members) > 1:
            found.append(sorted(members))
    return found[::-1]


def _finishing_order(graph: Mapping[str, Sequence[str]]) -> list[str]:
    """The nodes in the order in which a depth-first search leaves them."""
    order = []
    seen: set[str] = set()
    for root in sorted(graph):
        path = [(root, iter(graph[root]))] if root not in seen else []
        seen.add(root)
        while path:
            node, successors = path[-1]
            successor = next((other for other in successors if other not in seen), None)
            if successor is None:
                order.append(node)
                path.pop()
            else:
                seen.add(successor)
                path.append((successor, iter(graph.get(successor, ()))))
    return order
