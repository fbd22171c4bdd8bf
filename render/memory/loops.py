"""The packer's inner loops, interpreted or compiled by numba.

They are plain functions of integers on lists or numpy arrays, with equal results. The first compilation takes seconds
(numba caches it on disk beside the sources), and loading the cache takes some tenths of a second. Neither happens
implicitly: ``warm_up`` does it, once in a process.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.render.memory import ejection
from renderwright.render.memory.clique_growth import grow
from renderwright.render.memory.dives import dive
from renderwright.render.memory.first_fit import first_fit, interpreted_first_fit
from renderwright.render.memory.joining import join_in_turn
from renderwright.render.memory.live_ranges import LiveRanges

COMPILED_STEPS = 256  # of ``eject`` at once
INTERPRETED_STEPS = 4096  # times the number of units: a millisecond or two


@dataclass(frozen=True)
class Loops:
    """The functions, and constructors of their arguments: lists if interpreted, arrays if compiled.

    The packer calls ``between`` between short steps of its work; exceptions of ``between`` end the packing.
    """

    first_fit: Callable[..., int]
    eject: Callable[..., tuple[int, int, int, int, bool]]
    dive: Callable[..., int]
    join: Callable[..., int]
    grow: Callable[..., int]
    compiled: bool
    between: Callable[[], None] = lambda: None

    def steps_at_once(self, count: int) -> int:
        """The steps of ``eject`` between two calls of ``between``, for ``count`` units."""
        return COMPILED_STEPS if self.compiled else max(1, INTERPRETED_STEPS // count)

    def first_fit_among(self, ranges: LiveRanges) -> Callable[..., int]:
        """``first_fit`` for units with these live ranges: compiled, or the variant that is faster when interpreted."""
        if self.compiled:
            return partial(self.first_fit, self.rows(ranges.conflicts))
        return partial(interpreted_first_fit, ranges.bits)

    def numbers(self, values: NDArray[np.int64]) -> Any:
        """A new sequence of numbers, as an argument of the functions."""
        return values.astype(np.int64) if self.compiled else values.tolist()

    def rows(self, matrix: NDArray[np.bool_]) -> Any:
        """A matrix of 0 and 1, as a read-only argument of the functions."""
        return np.ascontiguousarray(matrix).view(np.uint8) if self.compiled else [row.tobytes() for row in matrix]

    def zeros(self, rows: int, count: int) -> Any:
        """Rows of zeros."""
        return np.zeros((rows, count), np.int64) if self.compiled else [[0] * count for _ in range(rows)]


PLAIN = Loops(first_fit, ejection.eject, dive, join_in_turn, grow, compiled=False)


def current() -> Loops:
    """The compiled loops if ``warm_up`` has been called and numba is installed, else the interpreted ones."""
    return _compiled() if _compiled.cache_info().currsize else PLAIN


def warm_up() -> Loops:
    """Compiles the loops or loads them from numba's cache, if numba is installed. Call it where a pause does no
    harm."""
    return _compiled()


@cache
def _compiled() -> Loops:
    try:
        numba: Any = importlib.import_module("numba")
    except ImportError:
        return PLAIN
    for part in ejection.PARTS:
        numba.extending.register_jitable(part)
    try:
        loops = _jitted(numba.njit(cache=True, nogil=True))
    except RuntimeError:  # no cache folder is writable
        loops = _jitted(numba.njit(nogil=True))
    _call_all(loops)
    return loops


def _jitted(jit: Callable[[Any], Any]) -> Loops:
    return Loops(jit(first_fit), jit(ejection.eject), jit(dive), jit(join_in_turn), jit(grow), compiled=True)


def _call_all(loops: Loops) -> None:
    """Calls each function with the types that the packer uses, so that none is compiled later."""
    one = loops.numbers(np.ones(1, np.int64))
    free = loops.numbers(np.full(1, -1))
    rows = loops.rows(np.zeros((1, 1), np.bool_))
    room = [loops.numbers(np.zeros(3, np.int64)) for _ in range(3)]
    order = loops.numbers(np.zeros(1, np.int64))
    loops.first_fit(rows, order, one, one, free, 9, room[0], room[1])
    loops.eject(rows, one, one, free, one, 0, 1, 1, 0, 1, 0, order, *room, loops.zeros(4, 3))
    bounds = loops.numbers(np.arange(2))
    needs = loops.numbers(np.ones(1, np.int64))
    left, offsets = loops.zeros(2, 1)
    loops.dive(order, rows, one, one, bounds, order, 9, needs, offsets, left, loops.zeros(2, 1))
    loops.join(rows, order[:0], order[:0], one, one, free, 9, one, offsets, order)
    loops.grow(rows, order, one, room[0], 1)
