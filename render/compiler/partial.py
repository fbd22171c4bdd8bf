"""The plan of a frame in which some nodes rest: other passes and barriers than the whole plan's, the same memory."""

from __future__ import annotations

from dataclasses import replace

from render.compiler.lives import Clock, lives
from render.compiler.plan import Plan
from render.compiler.program import program
from render.compiler.rates import without
from render.compiler.rest import Rest, rest_of
from render.compiler.state import state
from render.compiler.sync import sync


class PartialPlans:
    """The plans of one whole plan, each compiled once, when it is first asked for."""

    def __init__(self, plan: Plan) -> None:
        self.whole = plan
        self._rest: Rest | None = None
        self._known: dict[frozenset[str], Plan] = {frozenset(): plan}

    def plan(self, resting: frozenset[str]) -> Plan:
        """The plan of a frame in which the ``resting`` node instances do not run."""
        if resting not in self._known:
            whole = self.whole
            if self._rest is None:
                self._rest = rest_of(whole.graph, whole.placement, lives(whole.graph, Clock(whole.state)))
            self._known[resting] = partial_plan(whole, resting, self._rest)
        return self._known[resting]


def partial_plan(plan: Plan, resting: frozenset[str], rest: Rest) -> Plan:
    """``plan`` without the ``resting`` node instances; ``rest`` is that of its whole graph."""
    graph = without(plan.graph, resting)
    states = state(graph, plan.placement)
    barriers = sync(graph, plan.placement, states, rest)
    operations = program(graph, plan.placement, states, barriers)
    return replace(plan, graph=graph, state=states, sync=barriers, program=operations)
