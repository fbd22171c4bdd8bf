"""List scheduling by a weighted score: of the ready units, the one with the best score comes next.

R. L. Graham, "Bounds on multiprocessing timing anomalies", SIAM J. Appl. Math. 17, 1969. docs/ordering.md describes the
terms of the score. Terms by file:

    nest                            nested_order, static_priority
    chain, spread, patience         critical_path, static_priority
    memory                          live_memory
    gather                          same_target_groups
    distance, bottleneck, state     recent_work
    merge                           open_pass
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from renderwright.render.compiler.order.costs import node_costs
from renderwright.render.compiler.order.deferral import DeferredUnits
from renderwright.render.compiler.order.dependency_graph import DependencyGraph, hyperedges
from renderwright.render.compiler.order.estimated_bytes import resource_bytes
from renderwright.render.compiler.order.live_memory import LiveMemory
from renderwright.render.compiler.order.node_facts import NodeFacts, node_facts
from renderwright.render.compiler.order.open_pass import OpenPass
from renderwright.render.compiler.order.ready_list import Rank, ReadyList
from renderwright.render.compiler.order.recent_work import RecentWork
from renderwright.render.compiler.order.same_target_groups import NO_TARGETS, SameTargetGroups, target_groups
from renderwright.render.compiler.order.scheduling_units import scheduling_units
from renderwright.render.compiler.order.static_priority import StaticPriority
from renderwright.render.compiler.order.tie_break import tie_break
from renderwright.render.compiler.order.weights import Weights
from renderwright.render.compiler.values.instances import InstanceGraph, NodeInstance

CANDIDATES = 8
"""How many ready units with the targets of the open pass are tried."""

UNITS_AT_ONCE = 32
"""The units that are scheduled between two calls of ``between``, which takes a millisecond or two."""


@dataclass(frozen=True)
class Schedule:
    """Unit numbers in order, and the most estimated bytes that are live at one time."""

    order: Sequence[int]
    peak: float


def weighted_order(
    graph: InstanceGraph,
    weightings: Sequence[Weights],
    measured: Mapping[str, float] | None = None,
    between: Callable[[], None] = lambda: None,
) -> list[NodeInstance]:
    """The graph's nodes in a legal order; ``measured`` is GPU time in microseconds by node name.

    Each weighting gives a schedule; the first of those with the lowest peak of live memory is taken. ``between`` is
    called between short steps.
    """
    graph = replace(graph, nodes=tuple(sorted(graph.nodes, key=tie_break)))
    facts = node_facts(graph, node_costs(graph.nodes, measured or {}))
    between()
    units = scheduling_units(facts, hyperedges(graph))
    between()
    static = StaticPriority(units.facts, units.dependencies)
    sizes = resource_bytes(graph)
    schedules = []
    for weights in weightings:
        live = LiveMemory(units.facts, sizes, graph.sinks)
        schedules.append(list_schedule(units.facts, units.dependencies, static, live, weights, between))
    best = min(schedules, key=lambda schedule: schedule.peak)
    return [graph.nodes[node] for unit in best.order for node in units.members[unit]]


def list_schedule(
    facts: Sequence[NodeFacts],
    dependencies: DependencyGraph,
    static: StaticPriority,
    live: LiveMemory,
    weights: Weights,
    between: Callable[[], None] = lambda: None,
) -> Schedule:
    """Schedule units, whose numbers settle ties. Calls ``between`` again and again."""
    order = _Scheduler(facts, dependencies, static.scores(weights), live, weights).run(between)
    return Schedule(order, live.peak)


class _Scheduler:
    """One run of list scheduling. A *rank* is a unit's priority and own score; penalties come on top."""

    def __init__(
        self,
        facts: Sequence[NodeFacts],
        dependencies: DependencyGraph,
        static: Sequence[float],
        live: LiveMemory,
        weights: Weights,
    ) -> None:
        self._facts = facts
        self._dependencies = dependencies
        self._static = static
        self._live = live
        self._weights = weights
        self._waiting = [len(predecessors) for predecessors in dependencies.predecessors]
        self._group = target_groups(facts)
        self._groups = SameTargetGroups(facts, dependencies, self._group)
        self._recent = RecentWork(weights)
        self._ready = ReadyList()
        self._deferred = DeferredUnits(dependencies)
        self._pass = OpenPass()
        self._pass_group = NO_TARGETS
        self._order: list[int] = []

    def run(self, between: Callable[[], None]) -> list[int]:
        """All units in order."""
        between()
        self._release([unit for unit in range(len(self._facts)) if not self._waiting[unit]])
        while self._ready:
            if len(self._order) % UNITS_AT_ONCE == 0:
                between()
            unit = self._best()
            for deferred in self._deferred.take_needed_by(unit):
                self._schedule(deferred)
            self._ready.remove(unit, self._group[unit])
            self._schedule(unit)
            self._release(self._complete(unit))
        for deferred in self._deferred.take_all():
            self._schedule(deferred)
        return self._order

    # choosing -------------------------------------------------------------------------------------------------------

    def _best(self) -> int:
        best = self._ready.best(self._recent)
        if self._pass_group != NO_TARGETS:
            for rank in self._ready.first_of_group(self._pass_group, CANDIDATES):
                if self._pass.takes(self._facts[rank.unit]):
                    # Inside a pass there are no barriers, so only the state counts against the unit. A rank negates its
                    # score: what is gained makes it less, and less is better.
                    gain = self._weights.merge - self._recent.switch_penalty(self._facts[rank.unit].state)
                    best = min(best, rank._replace(score=rank.score - gain))
                    break
        return best.unit

    def _rank(self, unit: int) -> Rank:
        score = self._static[unit] + self._weights.memory * self._live.relief(unit)
        if self._groups.incomplete(self._group[unit]):
            score -= self._weights.gather
        # Negated, so that the least rank is the best one.
        return Rank(-self._facts[unit].priority, -score, unit)

    def _update_ranks(self, units: Iterable[int]) -> None:
        for unit in units:
            if unit in self._ready:
                self._ready.update(self._rank(unit))

    # going on -------------------------------------------------------------------------------------------------------

    def _release(self, units: Iterable[int]) -> None:
        """These units have no unscheduled predecessors left. Those that execute nothing release their successors."""
        work = sorted(units)
        while work:
            unit = heapq.heappop(work)
            if self._facts[unit].executes:
                self._ready.add(self._rank(unit), self._recent.context(self._facts[unit]), self._group[unit])
            else:
                self._deferred.defer(unit)
                for successor in self._complete(unit):
                    heapq.heappush(work, successor)

    def _complete(self, unit: int) -> list[int]:
        """Successors no longer wait for the unit; returns those that wait for no other one."""
        released: list[int] = []
        resolved = [unit]
        for node in resolved:
            self._update_ranks(self._groups.resolve(node))
            for successor in self._dependencies.successors[node]:
                self._waiting[successor] -= 1
                if not self._waiting[successor]:
                    # A join node is resolved at once.
                    (released if successor < self._dependencies.units else resolved).append(successor)
        return released

    def _schedule(self, unit: int) -> None:
        """The unit comes next."""
        self._order.append(unit)
        facts = self._facts[unit]
        if facts.records:
            self._pass.add(facts)
            self._pass_group = self._group[unit]
        self._recent.schedule(facts)
        self._update_ranks(self._live.schedule(unit))
