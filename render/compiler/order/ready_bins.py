"""The nodes that may come next, kept such that the best of them is found without looking at each.

What the nodes so far leave behind is the same for many of them. Those for which it is are in one bin.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from typing import Any

from renderwright.render.compiler.order.facts import Bottleneck, NodeFacts, State
from renderwright.render.compiler.order.weights import Weights

Bin = tuple[int, int, int]
"""What nodes have in common that the node before decides about: bottleneck, number of the state, and the place where
what they use was last written (``OLD`` once it makes no difference)."""

Rank = tuple[int, float, int]
"""Negated priority, negated score, number: smaller comes first."""

OLD = -1

DISTANCE = 4
"""With so many nodes between, a producer does not hold up its consumer any more."""

SWITCHES = 4
"""So many switches of state count as the most that there can be."""


class ReadyBins:
    """Ready nodes in one heap for each bin, and in one for each set of targets.

    Within a bin only a node's own score matters. A node whose score changes is pushed again, and its old entry is
    dropped when it comes to light; so a step costs as much as there are bins, not nodes. ``ranks`` are those of the
    ready nodes by their own scores, None for the others.
    """

    def __init__(self, facts: Sequence[NodeFacts], weights: Weights) -> None:
        self._facts = facts
        self._weights = weights
        states: dict[State, int] = {(): 0}
        self._state_of = [states.setdefault(fact.state, len(states)) if fact.state else 0 for fact in facts]
        self._states = list(states)
        self._bins: dict[Bin, list[Rank]] = {}
        self._targets: dict[int, list[Rank]] = {}
        self.ranks: list[Rank | None] = [None] * len(facts)
        self._bin: list[Bin] = [(0, 0, OLD)] * len(facts)
        # What the nodes so far leave behind. Places count those that have recorded and executed.
        self._state: dict[str, Any] = {}
        self._bottleneck: Bottleneck | None = None
        self._written: dict[str, int] = {}
        self._place = 0
        # What it costs to use what so many nodes ago was written.
        self._distance = [weights.distance * (1.0 - gap / DISTANCE) for gap in range(DISTANCE + 1)]

    def put(self, rank: Rank, targets: int) -> None:
        """A node is ready, or its rank is another one; ``targets`` is the number of its set of attachments, or 0."""
        node = rank[2]
        before = self.ranks[node]
        if before is None:
            fact = self._facts[node]
            place = OLD
            if self._weights.distance:
                written = self._written
                for name in fact.touched:
                    if name in written and written[name] > place:
                        place = written[name]
                if place < self._place - DISTANCE:
                    place = OLD
            self._bin[node] = fact.bottleneck, self._state_of[node], place
        elif before == rank:
            return
        self.ranks[node] = rank
        where = self._bin[node]
        heapq.heappush(self._bins.setdefault(where, []), rank)
        if before is not None:
            self._drop_old(where)
        if targets:
            heapq.heappush(self._targets.setdefault(targets, []), rank)

    def best(self) -> Rank | None:
        """The first of all, if any is ready, as the nodes so far would have it."""
        best: Rank | None = None
        over = []
        current, now, weight = self._bottleneck, self._place, self._weights.bottleneck
        for where, heap in self._bins.items():
            bottleneck, state, place = where
            offset = self.switching(self._states[state]) if state else 0.0
            if bottleneck is current:
                offset += weight
            if place != OLD:
                gap = now - place - 1
                offset += self._distance[gap]
                if gap == DISTANCE:
                    over.append(where)
            priority, score, node = heap[0]
            rank = (priority, score + offset, node)
            if best is None or rank < best:
                best = rank
        for where in over:
            self._grow_old(where)
        return best

    def _grow_old(self, where: Bin) -> None:
        old = (where[0], where[1], OLD)
        for rank in self._bins.pop(where):
            if self.ranks[rank[2]] is rank:
                self._bin[rank[2]] = old
                heapq.heappush(self._bins.setdefault(old, []), rank)

    def _drop_old(self, where: Bin) -> None:
        """What has left the bin, or has got another rank, may not be at its top."""
        heap = self._bins[where]
        while self.ranks[heap[0][2]] is not heap[0]:
            heapq.heappop(heap)
            if not heap:
                del self._bins[where]
                return

    def first_with(self, targets: int, wanted: Callable[[int], bool], limit: int) -> Rank | None:
        """The first ``wanted`` one of the first ``limit`` ready nodes with those targets."""
        heap = self._targets.get(targets)
        if not heap:
            return None
        found: Rank | None = None
        passed: list[Rank] = []
        while heap and len(passed) < limit:
            top = heap[0]
            if self.ranks[top[2]] is top:
                if wanted(top[2]):
                    found = top
                    break
                passed.append(top)
            heapq.heappop(heap)
        for rank in passed:
            heapq.heappush(heap, rank)
        return found

    def switching(self, state: State) -> float:
        """What it costs to switch to a state."""
        current = self._state
        differing = sum([key not in current or bool(current[key] != value) for key, value in state])
        return self._weights.state * (min(differing, SWITCHES) / SWITCHES)

    def come(self, node: int) -> None:
        """The node comes next."""
        if self.ranks[node] is not None:
            self.ranks[node] = None
            self._drop_old(self._bin[node])
        fact = self._facts[node]
        if fact.state:
            self._state.update(fact.state)
        if fact.records and fact.executes:
            for name in fact.written:
                self._written[name] = self._place
            self._bottleneck = fact.bottleneck
            self._place += 1
