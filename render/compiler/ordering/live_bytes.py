"""Which resources are alive while nodes are put in order, and what running a node would change about it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from render.compiler.ordering.facts import NodeFacts


class LiveBytes:
    """Counts the users that each resource still has. ``sizes`` are bytes by resource id, ``sinks`` never die.

    A resource begins with its first user. Its last user ends it, unless the next frame reads its history; the previous
    frame's copy ends with the last of its readers. A node that executes nothing begins resources and ends none.

    ``peak`` is the most bytes that have been alive at one time.
    """

    def __init__(self, facts: Sequence[NodeFacts], sizes: Mapping[str, float], sinks: Collection[str]) -> None:
        numbers: dict[tuple[str, bool], int] = {}
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
        self._unit = max(self._size, default=1.0)
        self._begun = [history for _, history in numbers]
        self._kept = [not history and (name in sinks or (name, True) in numbers) for name, history in numbers]
        self._left = [len(users) for users in self._users]
        # The sum of those users' numbers: with one user left, it is that user.
        self._sum = [sum(users) for users in self._users]
        self._now = sum([size for size, begun in zip(self._size, self._begun, strict=True) if begun])
        self.peak = self._now

    def relief(self, node: int) -> float:
        """Bytes that end with the node less those that begin with it, in units of the largest resource, in [-1, 1]."""
        change = 0.0
        begun, left, kept = self._begun, self._left, self._kept
        for item in self._items[node]:
            if not begun[item]:
                change -= self._size[item]
            if left[item] == 1 and not kept[item]:
                change += self._size[item]
        return max(-1.0, min(1.0, change / self._unit)) if change else 0.0

    def begin(self, node: int) -> list[int]:
        """The node's resources exist from now on; the nodes whose relief that changes."""
        changed: list[int] = []
        begun = self._begun
        for item in self._items[node]:
            if not begun[item]:
                begun[item] = True
                self._now += self._size[item]
                changed += self._users[item]
        if self._now > self.peak:
            self.peak = self._now
        return changed

    def run(self, node: int) -> list[int]:
        """The node is done with its resources; the nodes whose relief that changes."""
        changed = self.begin(node)
        left = self._left
        for item in self._items[node]:
            left[item] -= 1
            if left[item] > 1:
                self._sum[item] -= node
            elif left[item]:
                changed.append(self._sum[item] - node)
            elif not self._kept[item]:
                self._now -= self._size[item]
        return changed
