"""The policies that choose among ready nodes without a score: ``declared`` and ``random:SEED``."""

from __future__ import annotations

import heapq
import random
from bisect import insort
from collections.abc import Iterable

from renderwright.render.compiler.order.tie_break import TieBreak, tie_break
from renderwright.render.compiler.values.instances import NodeInstance
from renderwright.render.types.usages import ATTACHMENTS


class DeclaredOrder:
    """Order of declaration, with nodes of the same attachments next to each other.

    Ready nodes are in one heap for all and one per set of attachments. A node is popped from one heap only; ``_ready``
    tells which entries of the other one are outdated.
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


class RandomOrder:
    """Any legal order, for tests: each step takes one of the ready nodes, all with equal probability.

    The distribution is uniform over the choices of a step, not over whole orders. Every legal order has a chance.
    Ready nodes are sorted by id, so that the result of a seed does not depend on the order of the graph's nodes.
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._ready: list[str] = []

    def push(self, node: str) -> None:
        """Add a node without unscheduled predecessors."""
        insort(self._ready, node)

    def pop(self) -> str:
        """Take a node."""
        return self._ready.pop(self._random.randrange(len(self._ready)))

    def __len__(self) -> int:
        return len(self._ready)
