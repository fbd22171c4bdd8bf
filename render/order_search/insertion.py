"""Moves single units of an order to other places where the packed heaps get smaller.

The peak of live bytes misses what packing adds: copies that outlive a frame may overlap in pairs without a moment that
they share. So this search packs after each move. It takes the first move that is an improvement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from renderwright.render.order_search.beam import Models
from renderwright.render.order_search.packed import packed_bytes
from renderwright.render.order_search.problem import Order, OrderProblem
from renderwright.render.order_search.unit_sets import unit_set

PLACES_AT_ONCE = 4
"""The places of a unit that are looked at between two calls of ``between``, also where priorities forbid them."""


def insertions(
    problem: OrderProblem, models: Models, order: Order, moves: int, between: Callable[[], None]
) -> tuple[Order, int]:
    """The order after moves, of which each was an improvement, and its packed bytes. At most ``moves`` are tried,
    and none where the heaps are no larger than the peak."""
    size = packed_bytes(problem, order)
    improved = True
    while improved and size > sum(models.pressure.peaks(order)):
        improved = False
        for other in _moved(problem, order, between):
            if not moves:
                return order, size
            moves -= 1
            between()
            peaks = models.pressure.peaks(other)
            if sum(peaks) >= size or not models.schedule.cost(other).within(models.limit):
                continue
            packed = packed_bytes(problem, other)
            if packed < size:
                order, size, improved = other, packed, True
                break
    return order, size


def _moved(problem: OrderProblem, order: Order, between: Callable[[], None]) -> Iterator[Order]:
    """The legal orders in which one unit is at another place."""
    for place, unit in enumerate(order):
        between()
        rest = order[:place] + order[place + 1 :]
        first = max([number + 1 for number, other in enumerate(rest) if problem.before[unit] >> other & 1], default=0)
        behind = [number for number, other in enumerate(rest) if problem.after[unit] >> other & 1]
        last = min(behind, default=len(rest))
        for new in range(first, last + 1):
            if new % PLACES_AT_ONCE == 0:
                between()
            moved = (*rest[:new], unit, *rest[new:])
            if new != place and keeps_priorities(problem, moved):
                yield moved


def keeps_priorities(problem: OrderProblem, order: Order) -> bool:
    """Whether each unit has the largest priority of those that are ready with it."""
    if not problem.has_priorities:
        return True
    done = 0
    for number, unit in enumerate(order):
        ready = [other for other in order[number:] if not problem.before[other] & ~done]
        if unit not in problem.allowed(ready):
            return False
        done |= 1 << unit
    assert done == unit_set(order)
    return True
