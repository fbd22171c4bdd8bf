"""The search for orders that need less memory, within a bound on what they cost.

It is a pure function of the problem: the work is bounded in sets and moves, not in seconds, and nothing is random.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from renderwright.render.order_search.beam import BeamWeights, Models, beam
from renderwright.render.order_search.insertion import insertions, keeps_priorities
from renderwright.render.order_search.list_orders import list_orders
from renderwright.render.order_search.packed import packed_bytes
from renderwright.render.order_search.pressure import pressure_model
from renderwright.render.order_search.problem import Order, OrderProblem
from renderwright.render.order_search.schedule_cost import (
    NO_LIMIT,
    ScheduleCost,
    ScheduleModel,
    schedule_model,
)
from renderwright.render.order_search.shifts import shifted
from renderwright.render.order_search.whole_passes import with_whole_passes

SETS = 8_000
"""The number of sets that one beam extends; a beam is at most ``WIDEST`` and at least ``NARROWEST`` sets wide."""

WIDEST = 4096
NARROWEST = 8
LIVE = (0.0, 1.0, 4.0, 16.0, 1e6)
"""The beams: how much live bytes count beside the peak. Small values look at what is certain, large ones ahead."""

SHIFTS = 1_000_000
"""The number of shifts that are tried from one order, times the number of units."""

MOVES = 40_000
"""The number of moves of single units that are tried, times the number of units."""

MOST_MOVES = 1_000

BEST = 3
"""The number of orders that are worth a compile."""


@dataclass(frozen=True)
class OrderBound:
    """What a found order may cost: no pass is cut with ``keep_passes``, and the frame's GPU time may grow by the
    fraction ``time``."""

    keep_passes: bool = True
    time: float = 0.02

    def limit(self, schedule: ScheduleModel, order: Order) -> ScheduleCost:
        """The limit for orders in place of this one."""
        known = schedule.cost(order)
        allowed = ScheduleCost(known.passes, known.drained + self.time * schedule.work)
        return allowed if self.keep_passes else ScheduleCost(NO_LIMIT.passes, allowed.drained)


DEFAULT_BOUND = OrderBound()
UNBOUNDED = OrderBound(keep_passes=False, time=1e9)


def better_orders(
    whole: OrderProblem, nodes: tuple[str, ...], bound: OrderBound, between: Callable[[], None]
) -> list[tuple[str, ...]]:
    """Orders of the nodes that should need less memory than ``nodes``, the best first; empty if none is found.

    ``between`` is called between steps; its exceptions end the search.
    """
    if not whole.resources:
        return []
    found: dict[tuple[str, ...], int] = {}
    between()
    for problem in _views(whole, nodes, bound):
        between()
        found |= _smaller(problem, nodes, bound, between)
    legal = [each for each in found if keeps_priorities(whole, whole.order_of(each))]
    return sorted(legal, key=found.__getitem__)[:BEST]


def _views(whole: OrderProblem, nodes: tuple[str, ...], bound: OrderBound) -> list[OrderProblem]:
    """The problem with whole passes, if they are kept. Priorities may have to cut them, so there is the problem of
    single units, too."""
    if not bound.keep_passes:
        return [whole]
    passes = with_whole_passes(whole, whole.order_of(nodes), schedule_model(whole.facts))
    return [passes, whole] if whole.has_priorities else [passes]


def _smaller(
    problem: OrderProblem, nodes: tuple[str, ...], bound: OrderBound, between: Callable[[], None]
) -> dict[tuple[str, ...], int]:
    """Orders that need less memory by a fast packing, with their bytes."""
    order, schedule = problem.order_of(nodes), schedule_model(problem.facts)
    models = Models(pressure_model(problem), schedule, bound.limit(schedule, order))
    between()
    known = packed_bytes(problem, order)
    found: dict[Order, int] = {}
    for candidate in _candidates(problem, models, between):
        between()
        found.setdefault(candidate, packed_bytes(problem, candidate))
    most = min(MOST_MOVES, MOVES // max(problem.count, 1))
    # The known order depends on the declarations, the best of the others hardly.
    for start in dict.fromkeys([order, min(found, key=found.__getitem__, default=order)]):
        moved, size = insertions(problem, models, start, most, between)
        found[moved] = size
    return {problem.nodes(each): found[each] for each in found if found[each] < known}


def _candidates(problem: OrderProblem, models: Models, between: Callable[[], None]) -> list[Order]:
    """The orders of the beams and of list scheduling, and the best of each kind after shifts.

    The known order is none of them, so that graphs that mean the same have the same ones.
    """
    beams, lists = _by_beams(problem, models, between), list_orders(problem, between)
    found, moves = [*beams, *lists], SHIFTS // max(problem.count, 1)
    for starts in (beams, lists[:1], lists[1:]):
        if starts:
            between()
            start = min(starts, key=lambda order: sum(models.pressure.peaks(order)))
            found.append(shifted(problem, models, start, moves, between))
    return [order for order in dict.fromkeys(found) if models.schedule.cost(order).within(models.limit)]


def _by_beams(problem: OrderProblem, models: Models, between: Callable[[], None]) -> list[Order]:
    """The orders that the beams find."""
    width = max(NARROWEST, min(WIDEST, SETS // max(problem.count, 1)))
    found = [beam(problem, models, width, BeamWeights(live), between) for live in LIVE]
    if any(order is None for order in found):
        # The limit has ended a beam, so time at barriers counts from the start.
        largest = float(max([resource.size for resource in problem.resources], default=1))
        found += [beam(problem, models, width, BeamWeights(live, 10.0 * largest), between) for live in LIVE[1:]]
    return [order for order in found if order is not None]
