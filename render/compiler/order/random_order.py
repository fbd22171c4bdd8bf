"""The policy ``random:SEED``: any legal order, for tests."""

from __future__ import annotations

import random
from bisect import insort


class RandomOrder:
    """Each step takes one of the ready nodes, all with equal probability.

    That is uniform over the choices of a step, not over whole orders: an order in which many nodes are ready for long
    is less likely than one in which few are. Every legal order has a chance. The ready nodes stand sorted by id, so
    that a seed means the same order however the graph was put together.
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._ready: list[str] = []

    def push(self, node: str) -> None:
        """``node`` may come now."""
        insort(self._ready, node)

    def pop(self) -> str:
        """A node chosen with equal probability."""
        return self._ready.pop(self._random.randrange(len(self._ready)))

    def __len__(self) -> int:
        return len(self._ready)
