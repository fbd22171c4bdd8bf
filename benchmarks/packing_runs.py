"""Runs packers and baselines on problems, validates their packings, and summarises them."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.packing_cases import Case
from renderwright.render.memory.arcs import arc_length, conflict_matrix
from renderwright.render.memory.baselines import BASELINES, from_items
from renderwright.render.memory.packing import PackPolicy, pack


@dataclass(frozen=True)
class Answer:
    """The result of a method on a problem: bytes, a lower bound (0 for none), seconds."""

    makespan: int
    bound: int
    seconds: float


@dataclass(frozen=True)
class Outcome:
    """The results on one problem by method."""

    case: Case
    answers: dict[str, Answer]

    @property
    def bound(self) -> int:
        """The largest lower bound of any method."""
        return max(answer.bound for answer in self.answers.values())

    @property
    def reference(self) -> int:
        """The reference of makespans: the least known one, including this run's, else the bound."""
        found = min(answer.makespan for answer in self.answers.values())
        return min(self.case.best_known, found) if self.case.best_known else self.bound

    def ratio(self, method: str) -> float:
        """The method's makespan over the reference."""
        return self.answers[method].makespan / self.reference if self.reference else 1.0

    def proved(self, method: str) -> bool:
        """Whether the method's makespan equals the bound and is thus optimal."""
        return self.answers[method].makespan == self.bound


Method = Callable[[Case], tuple[Sequence[int], int, int]]
"""Offsets, makespan and bound (0 for none) of a problem."""


def policy_method(policy: PackPolicy, seconds: float | None = None) -> Method:
    """The packer with a policy; ``seconds`` is for ``THOROUGH``."""

    def run(case: Case) -> tuple[Sequence[int], int, int]:
        packing = pack(case.items, case.period, policy, seconds=seconds)
        bound = packing.makespan if packing.optimal else max(packing.load, packing.clique)
        return packing.offsets, packing.makespan, bound

    return run


def baseline_methods() -> dict[str, Method]:
    """The published methods by name."""

    def method(name: str) -> Method:
        def run(case: Case) -> tuple[Sequence[int], int, int]:
            layout = BASELINES[name](from_items(case.items, case.period))
            return layout.offsets, layout.total, 0

        return run

    return {name: method(name) for name in BASELINES}


def outcome_of(case: Case, methods: dict[str, Method]) -> Outcome:
    """The results of all methods. Raises AssertionError for invalid offsets."""
    answers = {}
    for name, method in methods.items():
        start = time.perf_counter()
        offsets, makespan, bound = method(case)
        seconds = time.perf_counter() - start
        if wrong_places(case, offsets, makespan):
            raise AssertionError(f"{name} packs {case.name} wrongly")
        answers[name] = Answer(makespan, bound, seconds)
    return Outcome(case, answers)


def wrong_places(case: Case, offsets: Sequence[int], makespan: int) -> bool:
    """Whether conflicting items overlap, or an item is misaligned or outside of the heap."""
    if not case.items:
        return bool(offsets) or makespan != 0
    low = np.array(offsets, np.int64)
    high = low + np.array([item.size for item in case.items], np.int64)
    alignments = np.array([item.alignment for item in case.items], np.int64)
    starts = np.array([item.start % case.period for item in case.items], np.int64)
    lengths = np.array([arc_length(item.start, item.end, case.period) for item in case.items], np.int64)
    overlap = (low[:, None] < high[None, :]) & (low[None, :] < high[:, None])
    misplaced = (low < 0).any() or (low % alignments).any() or high.max() > makespan
    return bool(misplaced or (overlap & conflict_matrix(starts, lengths, case.period)).any())


@dataclass(frozen=True)
class Summary:
    """A method over many problems: makespan over the reference, number of proven optima, and seconds."""

    problems: int
    mean: float
    most: float
    proved: int
    median_seconds: float
    most_seconds: float


def summary(outcomes: Iterable[Outcome], method: str) -> Summary | None:
    """The method's summary over the problems that it was run on; None without any."""
    done = [outcome for outcome in outcomes if method in outcome.answers]
    if not done:
        return None
    ratios = [outcome.ratio(method) for outcome in done]
    seconds = [outcome.answers[method].seconds for outcome in done]
    return Summary(
        len(done),
        statistics.fmean(ratios),
        max(ratios),
        sum(outcome.proved(method) for outcome in done),
        statistics.median(seconds),
        max(seconds),
    )
