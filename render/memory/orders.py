"""Unit orders for first-fit."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from renderwright.render.memory.arcs import Ints
from renderwright.render.memory.problem import Problem


def orders(problem: Problem) -> Iterator[Ints]:
    """Seven orders of the units; pinned units come first in all.

    The first order begins with the units that are alive for more than half the circle, then sorts by size; ties go by
    start from the emptiest moment on (optimal for equal sizes on a line). The others are descending: size, duration;
    area; crowding, duration, area; size times the root of the duration; crowding, area, duration; duration, size.
    In measurements none is the best for all graphs; together they are some 1 % better than the best alone.
    """
    sizes, ranges = problem.sizes, problem.ranges
    durations = ranges.durations
    cut = ranges.moments[int(problem.loads.argmin())]
    yield _descending(problem, ranges.long, sizes, -((ranges.starts - cut) % ranges.period))
    yield _descending(problem, sizes, durations)
    area = sizes.astype(np.float64) * durations
    yield _descending(problem, area)
    crowding = problem.crowding
    yield _descending(problem, crowding, durations, area)
    yield _descending(problem, sizes * np.sqrt(durations))
    yield _descending(problem, crowding, area, durations)
    yield _descending(problem, durations, sizes)


def _descending(problem: Problem, *keys: NDArray[np.generic]) -> Ints:
    rows = [np.negative(key, dtype=np.float64) for key in reversed(keys)]
    return np.lexsort([*rows, problem.pins < 0] if problem.pinned else rows)
