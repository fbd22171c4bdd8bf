"""Nodes that execute nothing: they hold up nobody, and come right before the first node that wants their result."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import count

from render.compiler.ordering.facts import NodeFacts
from render.compiler.ordering.gates import Gates


class PutOff:
    """The nodes that could have come and have not."""

    def __init__(self, facts: Sequence[NodeFacts], gates: Gates) -> None:
        self._gates = gates
        self._age: dict[int, int] = {}
        self._ages = count()
        # In front of each gate; a gate is asked only once, since all of them come with the first node behind it.
        idle = {node for node, fact in enumerate(facts) if not fact.executes}
        self._idle = [[node for node in nodes if node in idle] for nodes in gates.befores] if idle else []

    def add(self, node: int) -> None:
        """The node could come now."""
        self._age[node] = next(self._ages)

    def wanted_by(self, node: int) -> list[int]:
        """Those that have to come before the node, in a legal order; they count as come."""
        if not self._age:
            return []
        found: set[int] = set()
        work = [node]
        while work:
            for gate in self._gates.arriving[work.pop()]:
                if self._idle[gate]:
                    new = [other for other in self._idle[gate] if other in self._age and other not in found]
                    self._idle[gate] = []
                    found.update(new)
                    work += new
        return self._come(found)

    def rest(self) -> list[int]:
        """Those that nobody has wanted, in a legal order."""
        return self._come(self._age.keys())

    def _come(self, nodes: Collection[int]) -> list[int]:
        # Older ones have waited for none of the younger ones.
        result = sorted(nodes, key=self._age.__getitem__)
        for node in result:
            del self._age[node]
        return result
