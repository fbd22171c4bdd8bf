"""Cyclic live ranges of units, and their overlaps.

Time is compressed to the distinct starts of the ranges. Two ranges overlap exactly if one contains the start of the
other, and the load increases only at starts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from renderwright.render.memory.arcs import Ints, ahead, conflict_matrix

Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class LiveRanges:
    """The cyclic live range of each unit: a packing problem without sizes.

    ``starts`` and ``durations`` are moments on a circle of ``period``. ``conflicts`` is the matrix of the conflict
    graph: whether two units share a moment (False on the diagonal).
    """

    period: int
    starts: Ints
    durations: Ints
    conflicts: Bools

    @cached_property
    def moments(self) -> Ints:
        """The distinct starts."""
        ordered = np.sort(self.starts)
        moments: Ints = ordered[np.concatenate([[True], ordered[1:] != ordered[:-1]])]
        return moments

    def alive_at(self, numbers: Ints) -> Bools:
        """A row for each of some ``moments`` (by number) and a column for each unit: whether the unit is alive."""
        since = ahead(self.moments[numbers], self.starts, self.period)
        return since < self.durations.astype(since.dtype)

    @cached_property
    def alive(self) -> Bools:
        """A row for each unit and a column for each of the ``moments``."""
        return np.ascontiguousarray(self.alive_at(np.arange(len(self.moments))).T)

    def sums(self, weights: Ints) -> Ints:
        """The sum of the weights of the units that are alive at each of the ``moments``."""
        ends = self.starts + self.durations
        wrapping = ends > self.period
        ends[wrapping] -= self.period
        steps = np.zeros(len(self.moments) + 1, np.int64)
        np.add.at(steps, self.moments.searchsorted(self.starts), weights)
        np.subtract.at(steps, self.moments.searchsorted(ends), weights)
        sums: Ints = steps[:-1].cumsum() + weights[wrapping].sum()
        return sums

    @cached_property
    def long(self) -> Bools:
        """Whether a unit is alive for more than half the circle. Such units overlap pairwise."""
        return 2 * self.durations > self.period

    @cached_property
    def bits(self) -> Sequence[int]:
        """The conflicts of each unit as a bit set."""
        packed = np.packbits(np.ascontiguousarray(self.conflicts), axis=1, bitorder="little")
        rows: list[bytes] = packed.view(f"V{packed.shape[1]}").ravel().tolist()
        return [int.from_bytes(row, "little") for row in rows]


def live_ranges(starts: Ints, ends: Ints, period: int) -> LiveRanges:
    """The live ranges [start, end) on a circle of ``period``; none is longer than the circle."""
    durations = (ends - starts - 1) % period + 1
    starts = starts % period
    return LiveRanges(period, starts, durations, conflict_matrix(starts, durations, period))
