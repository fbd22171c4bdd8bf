"""The sequence of algorithms for one problem, and the effort of each."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from renderwright.render.memory.arcs import Ints
from renderwright.render.memory.loops import Loops
from renderwright.render.memory.policy import PackPolicy
from renderwright.render.memory.problem import Problem, spread
from renderwright.render.memory.solver import UNLIMITED, Budget, Solver
from renderwright.render.memory.twins import Pairs, join, tie

ORDERS = 7
MANY_ITEMS = 150  # from here on FAST tries few orders
FEW_ORDERS = 2
TIED_ORDERS = 2  # of FAST, with all twins tied
STEPS = 20  # an item
MORE_STEPS = 40  # an item, where the gap is
MOST_STEPS = 16000
WIDE = 1.05
DIVES = 16
TYING_STEPS = 10  # an item, to tie all twins at once
SQUEEZING_STEPS = 40  # to tie one more pair
THOROUGH_SECONDS = 20.0
APART_SHARE = 0.8  # of the time is for untied items, the rest for tying twins


@dataclass(frozen=True)
class Effort:
    """The effort of each algorithm: first-fit orders, first-fit orders with all twins tied (``FAST`` only), dives,
    steps of the search, further steps if the gap stays wide, steps to tie all twins at once; and the time limit in
    seconds."""

    orders: int
    tied_orders: int
    dives: int = 0
    steps: int = 0
    more_steps: int = 0
    tying_steps: int = 0
    seed: int = 0
    seconds: float | None = None


def effort_of(policy: PackPolicy, count: int, steps: int | None, seed: int, seconds: float | None) -> Effort:
    """The effort of a policy for ``count`` items; ``steps`` (in all) and ``seconds`` override the policy's limits."""
    if policy is PackPolicy.FAST:
        return Effort(FEW_ORDERS, 1) if count > MANY_ITEMS else Effort(ORDERS, TIED_ORDERS)
    thorough = policy is PackPolicy.THOROUGH
    if thorough and steps is None and seconds is None:
        seconds = THOROUGH_SECONDS
    tying = TYING_STEPS * count
    if steps is not None or thorough:
        return Effort(ORDERS, 0, DIVES, UNLIMITED if steps is None else steps, 0, tying, seed, seconds)
    return Effort(
        ORDERS, 0, DIVES, min(STEPS * count, MOST_STEPS), min(MORE_STEPS * count, MOST_STEPS), tying, seed, seconds
    )


def solve(single: Problem, pairs: Pairs, bound: int, effort: Effort, loops: Loops) -> Ints:
    """Offsets of the items in granules. Twins are tied where that does not enlarge the heap."""
    if pairs and not effort.steps and _ties_cost(single) and not single.pinned:
        return _joined(_apart(single, bound, effort, loops), pairs)
    tied = tie(single, pairs) if pairs else None
    if tied is None:
        solver = Solver(single, loops, bound)
        _improve(solver, effort, _Timer(effort.seconds).until(1.0))
        return solver.offsets
    if effort.steps:
        return _solve_well(single, tied, pairs, bound, effort, loops)
    return _solve_quickly(single, tied, pairs, bound, effort, loops)


def _ties_cost(single: Problem) -> bool:
    """Whether tying all twins certainly costs too much: there are many items, and some are alive for more than half
    the circle."""
    return single.count > MANY_ITEMS and bool(single.ranges.long.any())


def _solve_quickly(single: Problem, tied: Problem, pairs: Pairs, bound: int, effort: Effort, loops: Loops) -> Ints:
    """The lower of two packings: all twins tied, or none tied at first and then as many as fit."""
    if _ties_cost(single):
        return _joined(_apart(single, bound, effort, loops), pairs)
    together = Solver(tied, loops, bound)
    together.try_orders(effort.tied_orders)
    apart = _apart(single, bound, effort, loops, together.makespan)
    return _joined(apart, pairs) if apart.found else spread(tied, together.offsets)


def _apart(single: Problem, bound: int, effort: Effort, loops: Loops, limit: int = UNLIMITED) -> Solver:
    """A packing without tied twins."""
    apart = Solver(single, loops, bound, limit)
    apart.try_orders(effort.orders)
    return apart


def _joined(apart: Solver, pairs: Pairs) -> Ints:
    """The offsets with as many twins tied as fit."""
    return join(apart.problem, apart.offsets, apart.makespan, pairs, apart.loops)


def _solve_well(single: Problem, tied: Problem, pairs: Pairs, bound: int, effort: Effort, loops: Loops) -> Ints:
    """The lowest packing first, then as many tied twins as its makespan allows."""
    timer = _Timer(effort.seconds)
    together = Solver(tied, loops, bound)
    together.try_orders(effort.orders)
    together.dive(effort.dives)
    offsets = spread(tied, together.offsets)
    if together.done:
        return offsets
    apart = Solver(single, loops, bound)
    apart.start(offsets)
    _improve(apart, effort, timer.until(APART_SHARE))
    if apart.makespan >= together.makespan:
        return offsets
    return _tie_under(apart, tied, pairs, effort, timer.until(1.0))


class _Timer:
    """The time limit, if any."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._begun = time.monotonic()

    def until(self, share: float) -> float | None:
        """The moment at which this share of the time has passed."""
        return None if self._seconds is None else self._begun + share * self._seconds


def _improve(solver: Solver, effort: Effort, until: float | None) -> None:
    solver.try_orders(effort.orders)
    solver.dive(effort.dives)
    if effort.steps:
        solver.search(Budget(effort.steps, effort.seed, until))
    if effort.more_steps and solver.makespan > WIDE * solver.bound:
        solver.search(Budget(effort.more_steps, effort.seed + 1, until))


def _tie_under(apart: Solver, tied: Problem, pairs: Pairs, effort: Effort, until: float | None) -> Ints:
    """Searches for an equally good packing with all twins tied. Without one, twins are tied in the packing at hand:
    first the pairs that fit, then one pair after the other for which the search makes room."""
    single, makespan = apart.problem, apart.makespan
    solver = Solver(tied, apart.loops, makespan)
    solver.try_orders(effort.orders)
    solver.dive(effort.dives)
    solver.search(Budget(effort.tying_steps, effort.seed, until))
    if solver.done:
        return spread(tied, solver.offsets)
    offsets = _joined(apart, pairs)
    tying = ~pairs.apart(offsets)
    for pair in np.lexsort((pairs.others, pairs.ones, -single.sizes[pairs.ones])).tolist():
        if tying[pair]:
            continue
        apart.loops.between()
        tying[pair] = True
        budget = Budget(SQUEEZING_STEPS, effort.seed, until)
        more = tie(single, pairs.only(tying))
        if more is not None and not budget.expired():
            solver = Solver(more, apart.loops, makespan)
            assert more.units is not None
            lows = np.empty(more.count, np.int64)
            lows[more.units] = offsets
            if solver.squeeze(lows, int(more.units[pairs.ones[pair]]), budget):
                offsets = spread(more, solver.offsets)
                continue
        tying[pair] = False
    return offsets
