"""What a topological sort chooses from, and strongly connected components of graphs of names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol


class Ready(Protocol):
    """The nodes that may come next; ``pop`` chooses one of them."""

    def push(self, node: str) -> None:
        """``node`` may come now."""

    def pop(self) -> str:
        """Take out the node that comes next."""

    def __len__(self) -> int:
        """How many nodes may come."""


def components(graph: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Strongly connected components of more than one node, each sorted (Tarjan's algorithm, without recursion)."""
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    on_stack: set[str] = set()
    found: list[list[str]] = []
    for root in sorted(graph):
        if root in number:
            continue
        work: list[tuple[str, Iterator[str]]] = []

        def enter(node: str, work: list[tuple[str, Iterator[str]]] = work) -> None:
            number[node] = low[node] = len(number)
            stack.append(node)
            on_stack.add(node)
            work.append((node, iter(graph.get(node, ()))))

        enter(root)
        while work:
            node, successors = work[-1]
            for other in successors:
                if other not in number:
                    enter(other)
                    break
                if other in on_stack:
                    low[node] = min(low[node], number[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == number[node]:
                    members = [stack.pop()]
                    while members[-1] != node:
                        members.append(stack.pop())
                    on_stack.difference_update(members)
                    if len(members) > 1:
                        found.append(sorted(members))
    return found
