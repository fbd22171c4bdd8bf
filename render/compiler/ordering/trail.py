"""What the nodes so far leave behind, as far as it decides which of the ready nodes are good to go on with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from render.compiler.ordering.facts import Bottleneck, NodeFacts, State
from render.compiler.ordering.ready_bins import OLD, Bin
from render.compiler.ordering.weights import Weights

DISTANCE = 4
"""With so many nodes between, a producer does not hold up its consumer any more."""

SWITCHES = 4
"""So many switches of state count as the most that there can be."""


class Trail:
    """Nodes are numbers; ``place`` is how many of those so far have recorded and executed."""

    def __init__(self, facts: Sequence[NodeFacts], weights: Weights) -> None:
        self._weights = weights
        self._facts = facts
        states: dict[State, int] = {(): 0}
        self._state_of = [states.setdefault(fact.state, len(states)) if fact.state else 0 for fact in facts]
        self._states = list(states)
        self._state: dict[str, Any] = {}
        self._bottleneck = Bottleneck.NONE
        self._written: dict[str, int] = {}
        self.place = 0

    @property
    def oldest(self) -> int:
        """What was written before this place makes no difference."""
        return self.place - DISTANCE

    def bin_of(self, node: int) -> Bin:
        """What this node has in common with others that the nodes so far are as good for."""
        fact = self._facts[node]
        place = OLD
        if self._weights.distance:
            written = self._written
            for name in fact.touched:
                if name in written and written[name] > place:
                    place = written[name]
            if place < self.place - DISTANCE:
                place = OLD
        return fact.bottleneck, self._state_of[node], place

    def offset(self, where: Bin) -> float:
        """What the nodes so far add to the score of the nodes of a bin."""
        weights = self._weights
        bottleneck, state, place = where
        score = -weights.state * self.switches(self._states[state]) if state else 0.0
        if bottleneck == self._bottleneck and bottleneck:
            score -= weights.bottleneck
        if place != OLD:
            score -= weights.distance * (1.0 - (self.place - place - 1) / DISTANCE)
        return score

    def switches(self, state: State) -> float:
        """How many switches a state costs now, as a part of the most that count."""
        current = self._state
        differing = sum([key not in current or bool(current[key] != value) for key, value in state])
        return min(differing, SWITCHES) / SWITCHES

    def lead_to(self, node: int) -> None:
        """The node comes next."""
        fact = self._facts[node]
        if fact.state:
            self._state.update(fact.state)
        if fact.records and fact.executes:
            if self._weights.distance:
                for name in fact.written:
                    self._written[name] = self.place
            self._bottleneck = fact.bottleneck
            self.place += 1
