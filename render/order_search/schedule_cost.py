"""The cost of an order besides memory: render passes, and the time for which the GPU drains at barriers.

The first unit of a pass that uses what the pass before it writes has to wait for all of it. The GPU runs partly empty
meanwhile, for a part of the shorter of the two; with other work in between it does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf

from renderwright.render.compiler.order.node_facts import NodeFacts
from renderwright.render.compiler.order.open_pass import OpenPass

DRAINED = 0.1
"""The part of the shorter of two passes for which a barrier between them keeps the GPU from being busy."""


@dataclass(frozen=True, slots=True)
class ScheduleCost:
    """``passes`` is the number of passes, ``drained`` the time lost at barriers, in the unit of the nodes' costs."""

    passes: float
    drained: float

    def within(self, limit: ScheduleCost) -> bool:
        """Whether it exceeds the limit in neither."""
        return self.passes <= limit.passes and self.drained <= limit.drained + 1e-9


NO_COST = ScheduleCost(0, 0.0)
NO_LIMIT = ScheduleCost(inf, inf)


@dataclass(frozen=True, slots=True)
class OpenWork:
    """The schedule so far: the ``units`` of the last pass as a bit set, its ``time``, and the cost of all."""

    units: int = 0
    time: float = 0.0
    cost: ScheduleCost = NO_COST


@dataclass(frozen=True)
class ScheduleModel:
    """The units as their costs depend on their order.

    By unit, as bit sets: ``joins`` are the units with which it can share a pass, ``waits`` those that it has to wait
    for if they come right before it.
    """

    costs: tuple[float, ...]
    records: tuple[bool, ...]
    joins: tuple[int, ...]
    waits: tuple[int, ...]

    @cached_property
    def work(self) -> float:
        """The costs of all units."""
        return sum(self.costs)

    def cost(self, order: Iterable[int]) -> ScheduleCost:
        """The cost of an order."""
        work = OpenWork()
        for unit in order:
            work = self.next(work, unit)
        return work.cost

    def next(self, work: OpenWork, unit: int) -> OpenWork:
        """The schedule with one more unit."""
        if not self.records[unit]:
            return work
        own, before = self.costs[unit], work.units
        if before and not before & ~self.joins[unit]:
            return OpenWork(before | 1 << unit, work.time + own, work.cost)
        lost = DRAINED * min(own, work.time) if before & self.waits[unit] else 0.0
        return OpenWork(1 << unit, own, ScheduleCost(work.cost.passes + 1, work.cost.drained + lost))


def schedule_model(facts: Sequence[NodeFacts]) -> ScheduleModel:
    """The model of units with these facts."""
    return ScheduleModel(
        tuple([unit.cost for unit in facts]), tuple([unit.records for unit in facts]), _joins(facts), _waits(facts)
    )


def _joins(facts: Sequence[NodeFacts]) -> tuple[int, ...]:
    same_targets: dict[object, list[int]] = {}
    for number, unit in enumerate(facts):
        if unit.targets:
            same_targets.setdefault(unit.targets, []).append(number)
    joins = [0] * len(facts)
    for group in same_targets.values():
        for number in group:
            alone = OpenPass()
            alone.add(facts[number])
            for other in group:
                if alone.takes(facts[other]):
                    joins[other] |= 1 << number
    return tuple(joins)


def _waits(facts: Sequence[NodeFacts]) -> tuple[int, ...]:
    """Two units wait for each other if they use one resource and one of them writes it."""
    writing: dict[str, int] = {}
    using: dict[str, int] = {}
    for number, unit in enumerate(facts):
        for name in unit.written:
            writing[name] = writing.get(name, 0) | 1 << number
        for name in unit.accessed:
            using[name] = using.get(name, 0) | 1 << number
    waits = []
    for unit in facts:
        bits = 0
        for name in unit.accessed:
            bits |= writing.get(name, 0)
        for name in unit.written:
            bits |= using.get(name, 0)
        waits.append(bits)
    return tuple(waits)
