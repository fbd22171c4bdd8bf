"""The policy ``declared``: order of declaration, with nodes of the same attachments next to each other."""

from __future__ import annotations

import heapq
from collections.abc import Iterable

from renderwright.render.compiler.order.tie_break import TieBreak, tie_break
from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.types.usages import ATTACHMENTS


class DeclaredOrder:
    """Ready nodes in one heap for all and one per set of attachments.

    A node is popped from one heap only; ``_ready`` tells which entries of the other one are outdated.
    """

    def __init__(self, nodes: Iterable[NodeInstance]) -> None:
        self._keys: dict[str, TieBreak] = {}
        self._targets: dict[str, frozenset[str]] = {}
        for node in nodes:
            self._keys[node.id] = tie_break(node)
            self._targets[node.id] = frozenset(
                resource for use in node.uses if use.usage in ATTACHMENTS for resource in use.resources
            )
        self._all: list[tuple[TieBreak, str]] = []
        self._same_targets: dict[frozenset[str], list[tuple[TieBreak, str]]] = {}
        self._ready: set[str] = set()
        self._last: frozenset[str] = frozenset()

    def push(self, node: str) -> None:
        """Add a node without unscheduled predecessors."""
        self._ready.add(node)
        entry = (self._keys[node], node)
        heapq.heappush(self._all, entry)
        if self._targets[node]:
            heapq.heappush(self._same_targets.setdefault(self._targets[node], []), entry)

    def pop(self) -> str:
        """Take the first node with the attachments of the last one, else the first of all."""
        for heap in (self._same_targets.get(self._last, []), self._all):
            while heap:
                node = heapq.heappop(heap)[1]
                if node in self._ready:
                    self._ready.remove(node)
                    self._last = self._targets[node]
                    return node
        raise IndexError("no node is ready")

    def __len__(self) -> int:
        return len(self._ready)
