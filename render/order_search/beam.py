"""Beam search over sets of finished units.

Which copies are live depends on the set of finished units and not on their order, so for each set one order is enough
(M. Held and R. M. Karp, "A dynamic programming approach to sequencing problems", J. SIAM 10, 1962). A beam that is wide
enough for all sets finds the least peak of all orders.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from renderwright.render.order_search.pressure import Bytes, PressureModel
from renderwright.render.order_search.problem import Order, OrderProblem
from renderwright.render.order_search.schedule_cost import OpenWork, ScheduleCost, ScheduleModel
from renderwright.render.order_search.unit_sets import units_of

STEP = 24
"""The number of sets that are extended between two calls of ``between``, which takes a millisecond or two."""


@dataclass(frozen=True)
class BeamWeights:
    """Weights of a set's rank beside its peak: of live bytes, and of drained time in bytes a unit of time."""

    live: float = 0.0
    per_time: float = 0.0


@dataclass(frozen=True)
class Models:
    """The models of memory and schedule that judge an order, and the limit of the schedule's cost."""

    pressure: PressureModel
    schedule: ScheduleModel
    limit: ScheduleCost


@dataclass(frozen=True, slots=True, eq=False)
class _State:
    """A set of finished units with the best order known for it: its last ``unit``, and the set before that."""

    done: int
    ready: tuple[int, ...]
    live: Bytes
    peaks: Bytes
    work: OpenWork
    unit: int
    parent: _State | None


@dataclass(frozen=True, slots=True)
class _Extension:
    """A set with one more unit, and its rank in the beam: the smallest is the best."""

    rank: tuple[float, float]
    done: int
    live: Bytes
    peaks: Bytes
    work: OpenWork
    unit: int
    parent: _State


def beam(
    problem: OrderProblem, models: Models, width: int, weights: BeamWeights, between: Callable[[], None]
) -> Order | None:
    """An order within the limit; None if none of the sets in the beam has one. Calls ``between`` again and again."""
    ready = tuple([unit for unit in range(problem.count) if not problem.before[unit]])
    start = models.pressure.start
    states = [_State(0, ready, start, start, OpenWork(), -1, None)]
    for _ in range(problem.count):
        best: dict[int, _Extension] = {}
        for number, state in enumerate(states):
            if number % STEP == 0:
                between()
            for new in _extensions(problem, models, weights, state):
                known = best.get(new.done)
                if known is None or new.rank < known.rank:
                    best[new.done] = new
        kept = sorted(best.values(), key=lambda new: new.rank)[:width]
        states = [_extended(problem, new) for new in kept]
    return _order(states[0]) if states else None


def _extensions(problem: OrderProblem, models: Models, weights: BeamWeights, state: _State) -> list[_Extension]:
    """The set with each of the ready units."""
    found = []
    for unit in problem.allowed(state.ready):
        work = models.schedule.next(state.work, unit)
        if not work.cost.within(models.limit):
            continue
        during, live = models.pressure.after(state.done, unit, state.live)
        peaks = tuple(map(max, state.peaks, during))
        more = sum(live) + weights.per_time * work.cost.drained
        rank = sum(peaks) + weights.live * more, more
        found.append(_Extension(rank, state.done | 1 << unit, live, peaks, work, unit, state))
    return found


def _extended(problem: OrderProblem, new: _Extension) -> _State:
    waiting = tuple([unit for unit in new.parent.ready if unit != new.unit])
    released = tuple([after for after in units_of(problem.after[new.unit]) if not problem.before[after] & ~new.done])
    return _State(new.done, waiting + released, new.live, new.peaks, new.work, new.unit, new.parent)


def _order(last: _State) -> Order:
    order = []
    state: _State | None = last
    while state is not None and state.unit >= 0:
        order.append(state.unit)
        state = state.parent
    return tuple(reversed(order))
