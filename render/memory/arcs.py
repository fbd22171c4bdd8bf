"""Arcs of cyclic time, their overlaps, and the items of a packing problem."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


class PackItem(NamedTuple):
    """An item of a packing problem: ``size`` bytes that are in use on the half-open arc [start, end).

    The arc may wrap; ``end - start`` equal to 0 or to the period is the whole circle. ``twin`` is the index of the item
    that prefers the same offset, or -1. ``pin`` is a required offset, or None: packing problems in files
    (``instances``) pin items, the compiler pins none. Items of one ``kind`` have equal size and alignment, and prefer
    to follow one another at one offset; -1 is no kind.
    """

    start: int
    end: int
    size: int
    alignment: int = 1
    twin: int = -1
    pin: int | None = None
    kind: int = -1


def arc_length(start: int, end: int, period: int) -> int:
    """Moments on the arc [start, end), from 1 to ``period``."""
    return (end - start - 1) % period + 1


def arcs_meet(first: tuple[int, int], second: tuple[int, int], period: int) -> bool:
    """Whether two half-open arcs share a moment."""
    gap = (second[0] - first[0]) % period
    return gap < arc_length(*first, period) or (period - gap) % period < arc_length(*second, period)


def ahead(moments: Ints, starts: Ints, period: int) -> NDArray[Any]:
    """A row for each moment: the time since each of the starts. All values are below ``period``."""
    small = _small(period)
    since: NDArray[Any] = moments.astype(small)[:, None] - starts.astype(small)
    since += (since < 0) * small(period)
    return since


def conflict_matrix(starts: Ints, lengths: Ints, period: int) -> NDArray[np.bool_]:
    """The conflict matrix: whether two arcs share a moment; False on the diagonal. Starts are below ``period``."""
    small = _small(period)
    starts, ends = starts.astype(small), (starts + lengths).astype(small)
    meet: NDArray[np.bool_] = (starts < ends[:, None]) & (starts[:, None] < ends)
    # An arc that wraps also overlaps arcs that start before its end in the next round.
    late = (ends > period).nonzero()[0]
    there = starts < (ends[late] - small(period))[:, None]
    meet[late] |= there
    meet[:, late] |= there.T
    meet.flat[:: len(starts) + 1] = False
    return meet


def _small(period: int) -> type[np.signedinteger[Any]]:
    """The smallest integer type that holds moments of two rounds; comparisons of small integers are faster."""
    return np.int16 if period < 1 << 14 else np.int32 if period < 1 << 30 else np.int64
