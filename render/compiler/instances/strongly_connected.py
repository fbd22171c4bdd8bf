"""Strongly connected components of graphs of names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence


def components(graph: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Strongly connected components of more than one node, each sorted (Tarjan's algorithm, without recursion)."""
    search = _Search(graph)
    for root in sorted(graph):
        if root not in search.number:
            search.explore(root)
    return search.found


class _Search:
    """The state of Tarjan's depth-first search: discovery numbers, low links, and the stack of open nodes."""

    def __init__(self, graph: Mapping[str, Sequence[str]]) -> None:
        self.found: list[list[str]] = []
        self.number: dict[str, int] = {}
        self._graph = graph
        self._low: dict[str, int] = {}
        self._open: dict[str, None] = {}
        self._path: list[tuple[str, Iterator[str]]] = []

    def explore(self, root: str) -> None:
        """Visit everything reachable from ``root``."""
        self._enter(root)
        while self._path:
            node, successors = self._path[-1]
            if not self._descend(node, successors):
                self._leave(node)

    def _enter(self, node: str) -> None:
        self.number[node] = self._low[node] = len(self.number)
        self._open[node] = None
        self._path.append((node, iter(self._graph.get(node, ()))))

    def _descend(self, node: str, successors: Iterator[str]) -> bool:
        for other in successors:
            if other not in self.number:
                self._enter(other)
                return True
            if other in self._open:
                self._low[node] = min(self._low[node], self.number[other])
        return False

    def _leave(self, node: str) -> None:
        self._path.pop()
        if self._path:
            parent, _ = self._path[-1]
            self._low[parent] = min(self._low[parent], self._low[node])
        if self._low[node] < self.number[node]:
            return
        members: list[str] = []
        while not members or members[-1] != node:
            member, _ = self._open.popitem()
            members.append(member)
        if len(members) > 1:
            self.found.append(sorted(members))
