"""The solver of one packing problem: first-fit orders, then dives, then the ejection search."""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from renderwright.render.memory.arcs import Ints
from renderwright.render.memory.loops import Loops
from renderwright.render.memory.orders import orders
from renderwright.render.memory.problem import Problem

UNLIMITED = 1 << 62
DIVE_UNITS = 200
WEIGHTS = 1 << 20
PENALTY = 4
NOISE = 64  # random choices of 1024
PHASE = 4  # steps a unit before the cap is raised
GENERATOR = 2147483647  # x * 48271 mod 2**31 - 1 (S. Park, K. Miller 1988, revised 1993): no overflow anywhere


@dataclass(frozen=True)
class Budget:
    """The budget of the search: steps, an optional deadline by ``time.monotonic``, and the seed of random choices."""

    steps: int
    seed: int = 0
    until: float | None = None

    def expired(self) -> bool:
        """Whether time is up."""
        return self.until is not None and time.monotonic() >= self.until


class Solver:
    """Holds the best packing found, in granules: ``offsets`` of the units and their ``makespan``.

    The search stops at ``bound``. Only packings below ``limit`` are kept; until one is ``found``, ``makespan`` is the
    limit. ``start`` or ``try_orders`` gives the first packing.
    """

    def __init__(self, problem: Problem, loops: Loops, bound: int, limit: int = UNLIMITED) -> None:
        self.problem = problem
        self.bound = bound
        self.makespan = limit
        self.found = False
        self.loops = loops
        self._best: Any
        # The units sorted by their best offsets.
        self._ranked: Any
        self._best, self._ranked = loops.zeros(2, problem.count)
        self._first_fit = loops.first_fit_among(problem.ranges)
        self._sizes = loops.numbers(problem.sizes)
        self._alignments = loops.numbers(problem.alignments)
        self._pins = loops.numbers(problem.pins)

    @property
    def offsets(self) -> Ints:
        """The units' offsets in granules."""
        return np.asarray(self._best, np.int64)

    @property
    def done(self) -> bool:
        """Whether the makespan has reached the bound."""
        return self.makespan <= self.bound

    def start(self, offsets: Ints) -> None:
        """Begin with the offsets of a packing."""
        self._settle(self._by_offset(offsets))

    def try_orders(self, most: int) -> None:
        """First-fit in at most ``most`` orders; a run that cannot improve the makespan stops early."""
        for order in islice(orders(self.problem), most):
            if self.done:
                return
            self.loops.between()
            self._settle(self.loops.numbers(order))

    def dive(self, dives: int) -> None:
        """Dives with the bound as the cap, for small problems without pins."""
        problem, loops = self.problem, self.loops
        if not dives or self.done or problem.count > DIVE_UNITS or self.problem.pinned:
            return
        units, slots = np.nonzero(problem.ranges.alive)
        rows = loops.rows(problem.conflicts)
        bounds = loops.numbers(np.searchsorted(units, np.arange(problem.count + 1)))
        moments = loops.numbers(slots)
        urgency = self._weights()
        left, offsets = loops.zeros(2, problem.count)
        scratch = loops.zeros(2, problem.count)
        for _ in range(dives):
            loops.between()
            sequence = loops.numbers(np.argsort(-urgency, kind="stable"))
            stuck = loops.dive(
                sequence, rows, self._sizes, self._alignments, bounds, moments, self.bound,
                loops.numbers(problem.loads), offsets, left, scratch,
            )  # fmt: skip
            if not stuck:
                self._settle(self._by_offset(np.asarray(offsets)))
                return
            urgency[np.array(left[:stuck], np.int64)] *= 2

    def search(self, budget: Budget) -> None:
        """Guided ejection search under caps that decrease with success and increase with failure."""
        problem, loops = self.problem, self.loops
        if self.done or not self.found:
            return
        count = problem.count
        weights = loops.numbers(self._weights())
        penalties = loops.numbers(np.full(count, PENALTY))
        offsets, placed, pool = (self._copy(self._best), self._room(), self._room())
        placed[:count] = self._ranked
        scratch = loops.zeros(4, count + 1)
        rows = loops.rows(problem.conflicts)
        random = budget.seed % (GENERATOR - 1) + 1
        steps, cap, there, waiting = budget.steps, self._low_cap(), count, 0
        phase = PHASE * count
        while steps > 0 and self.makespan > max(self.bound, problem.floor) and not budget.expired():
            loops.between()
            most = min(steps, phase, loops.steps_at_once(count))
            left, random, there, waiting, stuck = loops.eject(
                rows, self._sizes, self._alignments, self._pins, weights, cap, most, there, waiting, random,
                NOISE, penalties, offsets, placed, pool, scratch,
            )  # fmt: skip
            steps -= most - left
            phase -= most
            if waiting and phase > 0 and not stuck:
                continue
            phase = PHASE * count
            if waiting and cap < self.makespan - 1:
                cap = self.makespan - 1 - (self.makespan - 1 - cap) // 2
                continue
            if waiting:
                penalties = loops.numbers(np.full(count, PENALTY))
            else:
                self._settle(self._copy(placed[:count]))
            offsets[:] = self._best
            placed[:count] = self._ranked
            there, waiting, cap = count, 0, self._low_cap()

    def squeeze(self, offsets: Ints, unit: int, budget: Budget) -> bool:
        """Searches for room below the bound for one more unit in a packing of all others, and returns whether it
        succeeds. ``offsets`` are those of the others, with an arbitrary value for the unit. On success the result is
        the solver's packing."""
        loops, count = self.loops, self.problem.count
        if self._pins[unit] >= 0 or self.problem.floor > self.bound:
            return False
        there = self._copy(self._best)
        placed, pool = self._room(), self._room()
        there[:] = loops.numbers(offsets)
        order = offsets.argsort(kind="stable")
        placed[: count - 1] = loops.numbers(order[order != unit])
        pool[0] = unit
        rows, weights = loops.rows(self.problem.conflicts), loops.numbers(self._weights())
        penalties, scratch = loops.numbers(np.full(count, PENALTY)), loops.zeros(4, count + 1)
        random = budget.seed % (GENERATOR - 1) + 1
        steps, ranked, waiting, stuck = budget.steps, count - 1, 1, False
        while steps > 0 and waiting and not stuck:
            loops.between()
            most = min(steps, loops.steps_at_once(count))
            left, random, ranked, waiting, stuck = loops.eject(
                rows, self._sizes, self._alignments, self._pins, weights, self.bound, most, ranked, waiting, random,
                NOISE, penalties, there, placed, pool, scratch,
            )  # fmt: skip
            steps -= most - left
        if not waiting:
            self._settle(self._copy(placed[:count]))
        return not waiting

    def _low_cap(self) -> int:
        """The cap half-way between the lower bound and the best makespan."""
        # The end of pinned units can be above the bound if tied twins are pinned.
        return (max(self.bound, self.problem.floor) + self.makespan - 1) // 2

    def _weights(self) -> Any:
        """The difficulty of placing each unit: size times the root of the duration, as integers of at least 1."""
        weights = self.problem.sizes * np.sqrt(self.problem.ranges.durations)
        return np.maximum(1, weights / weights.max() * WEIGHTS).astype(np.int64)

    def _settle(self, order: Any) -> None:
        """First-fit in this order; keeps a better result. In the offset order of a packing it is never worse."""
        if self.problem.pinned:
            order = self.loops.numbers(np.array(sorted(order, key=lambda unit: bool(self._pins[unit] < 0)), np.int64))
        offsets, placed = self._copy(self._best), self._room()
        makespan = self._first_fit(order, self._sizes, self._alignments, self._pins, self.makespan, offsets, placed)
        if makespan >= 0:
            self.makespan, self.found = int(makespan), True
            self._best, self._ranked = offsets, placed[: self.problem.count]

    def _by_offset(self, offsets: Ints) -> Any:
        return self.loops.numbers(offsets.argsort(kind="stable"))

    def _room(self) -> Any:
        return self.loops.zeros(1, self.problem.count + 1)[0]

    def _copy(self, values: Any) -> Any:
        return values.copy()
