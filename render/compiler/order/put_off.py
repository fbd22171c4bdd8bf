"""Nodes that execute nothing: they hold up nobody, and come right before the first node that wants their result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count

from renderwright.render.compiler.order.facts import NodeFacts
from renderwright.render.compiler.order.gates import Gates


class PutOff:
    """The nodes that could have come and have not: ``ages`` of these, by number; the older they are the smaller."""

    def __init__(self, facts: Sequence[NodeFacts], gates: Gates) -> None:
        self.ages: dict[int, int] = {}
        self._befores = gates.befores
        self._next = count()
        # By their own numbers, and those of the gates behind them; each is asked only once, since all of them come with
        # the first node behind it.
        self._idle: dict[int, list[int]] = {}
        for node in [number for number, fact in enumerate(facts) if not fact.executes]:
            self._idle[node] = [node]
            for gate in gates.afters[node]:
                if gate >= gates.count:
                    self._idle.setdefault(gate, []).append(node)

    def add(self, node: int) -> None:
        """The node could come now."""
        self.ages[node] = next(self._next)

    def wanted_by(self, node: int) -> list[int]:
        """Those that have to come before the node, in a legal order; they count as come."""
        found: set[int] = set()
        work = [node]
        while work:
            for before in self._befores[work.pop()]:
                if before in self._idle:
                    new = [other for other in self._idle.pop(before) if other in self.ages and other not in found]
                    found.update(new)
                    work += new
        return self._come(found) if found else []

    def rest(self) -> list[int]:
        """Those that nobody has wanted, in a legal order."""
        return self._come(self.ages)

    def _come(self, nodes: Iterable[int]) -> list[int]:
        # Older ones have waited for none of the younger ones.
        result = sorted(nodes, key=self.ages.__getitem__)
        for node in result:
            del self.ages[node]
        return result
