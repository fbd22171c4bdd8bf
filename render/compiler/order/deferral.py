"""Deferral of units that execute nothing: each is scheduled right before the first unit that needs its result."""

from __future__ import annotations

from collections.abc import Collection
from itertools import count

from renderwright.render.compiler.order.dependency_graph import DependencyGraph


class DeferredUnits:
    """Units that could be scheduled and are not yet. Their successors do not wait for them.

    Units are deferred in a legal order, and are scheduled in that order.
    """

    def __init__(self, dependencies: DependencyGraph) -> None:
        self._predecessors = dependencies.predecessors
        self._units = dependencies.units
        self._clock = count()
        self._deferred_at: dict[int, int] = {}
        self._expanded: set[int] = set()

    def defer(self, unit: int) -> None:
        """The unit has no unscheduled predecessors left, other than deferred ones."""
        self._deferred_at[unit] = next(self._clock)

    def take_needed_by(self, unit: int) -> list[int]:
        """Take the units that must come before the unit, in a legal order."""
        needed: set[int] = set()
        work = [unit] if self._deferred_at else []
        while work:
            new = [each for each in self._direct(work.pop()) if each in self._deferred_at and each not in needed]
            needed.update(new)
            work += new
        return self._take(needed)

    def take_all(self) -> list[int]:
        """Take the units that no other unit has needed, in a legal order."""
        return self._take(tuple(self._deferred_at))

    def _direct(self, unit: int) -> list[int]:
        """Direct predecessors. A join node is expanded once: the first unit behind it takes all units before it."""
        found: list[int] = []
        for node in self._predecessors[unit]:
            if node < self._units:
                found.append(node)
            elif node not in self._expanded:
                self._expanded.add(node)
                found += self._predecessors[node]
        return found

    def _take(self, units: Collection[int]) -> list[int]:
        taken = sorted(units, key=self._deferred_at.__getitem__)
        for unit in taken:
            del self._deferred_at[unit]
        return taken
