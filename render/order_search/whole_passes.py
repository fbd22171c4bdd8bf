"""Keeps passes whole: the units of each pass of a known order become one unit.

A search over them cuts no pass. The known order shows that the passes can be put in an order at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from renderwright.render.compiler.order.node_facts import NodeFacts
from renderwright.render.order_search.problem import Order, OrderProblem
from renderwright.render.order_search.schedule_cost import OpenWork, ScheduleModel
from renderwright.render.order_search.unit_sets import unit_set, units_of


def with_whole_passes(problem: OrderProblem, order: Order, schedule: ScheduleModel) -> OrderProblem:
    """The problem with one unit for each pass that ``order`` makes."""
    passes = sorted(_passes(problem, order, schedule), key=min)
    number = {unit: rank for rank, units in enumerate(passes) for unit in units}
    before = []
    for rank, units in enumerate(passes):
        befores = {number[other] for unit in units for other in units_of(problem.before[unit])}
        before.append(unit_set(befores - {rank}))
    return OrderProblem(
        members=tuple([problem.nodes(units) for units in passes]),
        facts=tuple([_together([problem.facts[unit] for unit in units]) for units in passes]),
        before=tuple(before),
        priorities=tuple([problem.priorities[units[0]] for units in passes]),
        resources=tuple([resource.renumbered(number) for resource in problem.resources]),
        names=problem.names,
    )


def _passes(problem: OrderProblem, order: Order, schedule: ScheduleModel) -> list[list[int]]:
    """The units of each pass, in order; a unit that records nothing is apart, except inside of a pass."""
    passes: list[list[int]] = []
    silent: list[int] = []
    work = OpenWork()
    for unit in order:
        if not problem.facts[unit].records:
            silent.append(unit)
            continue
        after = schedule.next(work, unit)
        if after.cost.passes == work.cost.passes:
            passes[-1] += [*silent, unit]
        else:
            passes += [*([each] for each in silent), [unit]]
        silent, work = [], after
    return passes + [[each] for each in silent]


def _together(facts: Sequence[NodeFacts]) -> NodeFacts:
    """The facts of units that are one pass."""
    recording = [unit for unit in facts if unit.records] or facts
    return replace(
        recording[0],
        executes=any(unit.executes for unit in facts),
        cost=sum([unit.cost for unit in facts]),
        copies=tuple(dict.fromkeys([copy for unit in facts for copy in unit.copies])),
        accessed=tuple(dict.fromkeys([name for unit in facts for name in unit.accessed])),
        written=tuple(dict.fromkeys([name for unit in facts for name in unit.written])),
        unattached=tuple(dict.fromkeys([used for unit in facts for used in unit.unattached])),
    )
