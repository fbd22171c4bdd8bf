"""The policy ``random:SEED``: any legal order, for tests."""

from __future__ import annotations

import random
from bisect import insort


class RandomOrder:
    """Each step takes one of the ready nodes, all with equal probability.

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
        """Take a node, all with equal probability."""
        return self._ready.pop(self._random.randrange(len(self._ready)))

    def __len__(self) -> int:
        return len(self._ready)
