"""What the units scheduled so far leave behind for the next one: state, a busy part of the GPU, recent writes."""

from __future__ import annotations

from typing import Any, NamedTuple

from renderwright.render.compiler.order.node_facts import Bottleneck, NodeFacts, State
from renderwright.render.compiler.order.weights import Weights

DISTANCE = 4
"""With this number of units between, a producer does not hold up its consumer any more."""

MOST_SWITCHES = 4
"""This number of state switches and more count 1."""

_LONG_AGO = -1


class Context(NamedTuple):
    """What a ready unit's penalty depends on: its bottleneck, its state, and the place in the schedule at which
    something that it uses was last written."""

    bottleneck: Bottleneck
    state: State
    written_at: int


class RecentWork:
    """The terms distance, bottleneck and state. Places count the units that record and execute."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._state: dict[str, Any] = {}
        self._bottleneck: Bottleneck | None = None
        self._written_at: dict[str, int] = {}
        self._place = 0

    def context(self, unit: NodeFacts) -> Context:
        """The context of a unit whose predecessors are all scheduled."""
        written_at = _LONG_AGO
        if self._weights.distance:
            written_at = max([self._written_at.get(name, _LONG_AGO) for name in unit.accessed], default=_LONG_AGO)
        return self.aged(Context(unit.bottleneck, unit.state, written_at))

    def aged(self, context: Context) -> Context:
        """The context, without the place of a write that is too far back to count."""
        if context.written_at == _LONG_AGO or self._gap(context) < DISTANCE:
            return context
        return context._replace(written_at=_LONG_AGO)

    def penalty(self, context: Context) -> float:
        """The weighted sum of the three terms for a unit that comes next."""
        penalty = self.switch_penalty(context.state)
        if context.bottleneck is self._bottleneck:
            penalty += self._weights.bottleneck
        if context.written_at != _LONG_AGO:
            penalty += self._weights.distance * (1.0 - self._gap(context) / DISTANCE)
        return penalty

    def switch_penalty(self, state: State) -> float:
        """The weighted number of state switches."""
        switches = sum([key not in self._state or bool(self._state[key] != value) for key, value in state])
        return self._weights.state * (min(switches, MOST_SWITCHES) / MOST_SWITCHES)

    def schedule(self, unit: NodeFacts) -> None:
        """The unit comes next."""
        self._state.update(unit.state)
        if unit.records and unit.executes:
            self._written_at.update(dict.fromkeys(unit.written, self._place))
            self._bottleneck = unit.bottleneck
            self._place += 1

    def _gap(self, context: Context) -> int:
        return self._place - context.written_at - 1
