"""Shifts what frees memory in front of the peak, and what holds memory behind it.

A beam compares sets of equally many units, so it postpones what needs much memory for a while, such as the whole of one
view. This search takes an order as it is. A unit behind the peak that ends a live range moves to a place before the
peak, with all that it needs; a unit before the peak that begins one moves behind it, with all that needs it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from renderwright.render.order_search.beam import Models
from renderwright.render.order_search.pressure import Bytes, PressureModel
from renderwright.render.order_search.problem import Order, OrderProblem

NEAR_PEAK = 0.95
"""Moments with this part of the peak or more count, since the peak itself may be reached several times."""


@dataclass(frozen=True, slots=True)
class _Shift:
    """The units from a place on in another order; those behind them stay."""

    first: int
    units: tuple[int, ...]

    def applied(self, order: Order) -> Order:
        """The order after the shift."""
        return (*order[: self.first], *self.units, *order[self.first + len(self.units) :])


def shifted(problem: OrderProblem, models: Models, order: Order, moves: int, between: Callable[[], None]) -> Order:
    """The order after shifts, of which each was an improvement; at most ``moves`` are tried."""
    improved = True
    while improved:
        improved = False
        known = _Profile(models.pressure, order)
        for shift in _shifts(problem, models.pressure, order, known.loads):
            if not moves:
                return order
            moves -= 1
            between()
            if known.is_better(shift) and models.schedule.cost(shift.applied(order)).within(models.limit):
                order, improved = shift.applied(order), True
                break
    return order


class _Profile:
    """Live bytes along an order, and what a shift makes of them.

    A shift changes live bytes between its ends and nowhere else: the units before and behind it find the same sets.
    """

    def __init__(self, pressure: PressureModel, order: Order) -> None:
        self._pressure = pressure
        self._during = pressure.profile(order)
        self._states = _states(pressure, order)
        self.loads = [sum(live) for live in self._during]
        self._near = NEAR_PEAK * max(self.loads, default=0)

    def is_better(self, shift: _Shift) -> bool:
        """Whether the peaks get lower, or as high as before with less near them."""
        end = shift.first + len(shift.units)
        new = self._pressure.profile(shift.units, *self._states[shift.first])
        if self._excess(map(sum, new)) >= self._excess(self.loads[shift.first : end]):
            return False
        peaks = _peaks([*self._during[: shift.first], *new, *self._during[end:]])
        return sum(peaks) <= sum(_peaks(self._during))

    def _excess(self, loads: Iterable[int]) -> float:
        """Bytes x moments near the peak."""
        return sum([load - self._near for load in loads if load > self._near])


def _states(pressure: PressureModel, order: Order) -> list[tuple[int, Bytes]]:
    """The units done and the live bytes before each place."""
    states = [(0, pressure.start)]
    for unit in order:
        done, live = states[-1]
        states.append((done | 1 << unit, pressure.after(done, unit, live)[1]))
    return states


def _peaks(profile: Sequence[Bytes]) -> Bytes:
    return tuple([max(of_class) for of_class in zip(*profile, strict=True)])


def _shifts(problem: OrderProblem, pressure: PressureModel, order: Order, loads: Sequence[int]) -> Iterator[_Shift]:
    """Legal shifts after which less memory may be live at the peak."""
    peak = max(range(len(order)), key=loads.__getitem__)
    valleys = [place for place in range(peak, -1, -1) if place == 0 or loads[place] > loads[place - 1]]
    for place in range(peak + 1, len(order)):
        if pressure.ends[order[place]]:
            for target in valleys:
                yield _pulled(problem, order, place, target)
    for place in range(peak - 1, -1, -1):
        if pressure.begins[order[place]]:
            pushed = _pushed(problem, order, place, peak)
            if pushed is not None:
                yield pushed


def _pulled(problem: OrderProblem, order: Order, place: int, target: int) -> _Shift:
    """The unit at ``place`` moved to ``target``, before that, with all units in between that it needs."""
    needed = 1 << order[place]
    moved, staying = [], []
    for unit in reversed(order[target : place + 1]):
        if needed >> unit & 1:
            moved.append(unit)
            needed |= problem.before[unit]
        else:
            staying.append(unit)
    return _Shift(target, (*reversed(moved), *reversed(staying)))


def _pushed(problem: OrderProblem, order: Order, place: int, peak: int) -> _Shift | None:
    """The unit at ``place`` moved behind the peak with all units in between that need it; None if the peak does."""
    moving = 1 << order[place]
    moved, staying = [], []
    for unit in order[place : peak + 1]:
        if moving >> unit & 1 or problem.before[unit] & moving:
            moving |= 1 << unit
            moved.append(unit)
        else:
            staying.append(unit)
    return _Shift(place, (*staying, *moved)) if moved[-1] != order[peak] else None
