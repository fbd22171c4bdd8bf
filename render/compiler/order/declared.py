"""The policy ``declared``: as the nodes were registered, with nodes of the same attachments side by side."""

from __future__ import annotations

import heapq
from collections.abc import Iterable

from renderwright.render.compiler.order.keys import Key, declared_key
from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.types.usages import ATTACHMENTS


class DeclaredOrder:
    """Ready nodes in one heap for all and one for each set of attachments; a node leaves the other heap later."""

    def __init__(self, nodes: Iterable[NodeInstance]) -> None:
        self._keys: dict[str, Key] = {}
        self._targets: dict[str, frozenset[str]] = {}
        for node in nodes:
            self._keys[node.id] = declared_key(node)
            targets = (use.resources for use in node.uses if use.usage in ATTACHMENTS)
            self._targets[node.id] = frozenset(resource for resources in targets for resource in resources)
        self._all: list[tuple[Key, str]] = []
        self._same: dict[frozenset[str], list[tuple[Key, str]]] = {}
        self._ready: set[str] = set()
        self._last: frozenset[str] = frozenset()

    def push(self, node: str) -> None:
        """``node`` may come now."""
        self._ready.add(node)
        entry = (self._keys[node], node)
        heapq.heappush(self._all, entry)
        if self._targets[node]:
            heapq.heappush(self._same.setdefault(self._targets[node], []), entry)

    def pop(self) -> str:
        """The first node that draws to what the last one drew to, or else the first of all."""
        for heap in (self._same.get(self._last, []), self._all):
            while heap:
                node = heapq.heappop(heap)[1]
                if node in self._ready:
                    self._ready.remove(node)
                    self._last = self._targets[node]
                    return node
        raise IndexError("no node is ready")

    def __len__(self) -> int:
        return len(self._ready)
