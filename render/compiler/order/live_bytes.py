"""Which resources are alive while nodes are put in order, and what running a node would change about it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import compress

from renderwright.render.compiler.order.facts import Item, NodeFacts


class LiveBytes:
    """Counts the users that each resource still has. ``sizes`` are bytes by resource id, ``sinks`` never die.

    A resource begins with its first user. Its last user ends it, unless the next frame reads its history; the previous
    frame's copy ends with the last of its readers. A node that executes nothing begins resources and ends none.

    ``peak`` is the most bytes that have been alive at one time.
    """

    def __init__(self, facts: Sequence[NodeFacts], sizes: Mapping[str, float], sinks: Collection[str]) -> None:
        numbers: dict[Item, int] = {}
        self._size: list[float] = []
        self._users: list[list[int]] = []
        self._items: list[list[int]] = []
        for node, fact in enumerate(facts):
            mine = []
            for item in fact.items:
                number = numbers.get(item)
                if number is None:
                    size = sizes[item[0]]
                    if not size:
                        continue
                    number = numbers[item] = len(self._size)
                    self._size.append(size)
                    self._users.append([])
                mine.append(number)
                if fact.executes:
                    self._users[number].append(node)
            self._items.append(mine)
        # A node that executes nothing ends nothing.
        self._uses = [mine if fact.executes else [] for fact, mine in zip(facts, self._items, strict=True)]
        self._unit = max(self._size, default=1.0)
        self._begun = [history for _, history in numbers]
        self._left = list(map(len, self._users))
        for name in {name for name, history in numbers if history}.union(sinks):
            if (name, False) in numbers:
                self._left[numbers[name, False]] = 0  # it never ends, so nobody is the last one
        # The sum of those users' numbers: with one user left, it is that user.
        self._sum = list(map(sum, self._users))
        self._now = sum(compress(self._size, self._begun))
        self.peak = self._now

    def relief(self, node: int) -> float:
        """Bytes that end with the node less those that begin with it, in units of the largest resource, in [-1, 1]."""
        change = 0.0
        begun, left, size = self._begun, self._left, self._size
        for item in self._items[node]:
            if not begun[item]:
                change -= size[item]
            if left[item] == 1:
                change += size[item]
        if -self._unit < change < self._unit:
            return change / self._unit
        return 1.0 if change > 0.0 else -1.0

    def come(self, node: int) -> list[int]:
        """The node comes next; the nodes whose relief that changes."""
        changed: list[int] = []
        begun, left, total = self._begun, self._left, self._sum
        for item in self._items[node]:
            if not begun[item]:
                begun[item] = True
                self._now += self._size[item]
                changed += self._users[item]
        if self._now > self.peak:
            self.peak = self._now
        for item in self._uses[node]:
            left[item] = rest = left[item] - 1
            if rest > 1:
                total[item] -= node
            elif rest == 1:
                changed.append(total[item] - node)
            elif not rest:
                self._now -= self._size[item]
        return changed
