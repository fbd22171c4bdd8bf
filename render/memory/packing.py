"""Cyclic dynamic storage allocation: offsets for resources whose lives are arcs on the circle of time.

Two methods run and the lower heap wins: the scanline of the frame-graph thesis (its Algorithm 1) and first-fit in
decreasing size. Both look for a hole between the already placed items whose arcs meet the new one's. In the scanline,
those holes are the algorithm's free blocks: a block that an item crossing the cut gave up counts as free exactly for
the items that end before it returns.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from render.memory.arcs import PackItem, arc_length, conflict_matrix
from render.memory.bound import load_profile

__all__ = ["PackItem", "Packing", "pack"]

_NO_ROOM = 2**62
_GROWS = 2**61


@dataclass(frozen=True)
class Packing:
    """An offset in bytes for each item, the size of the heap, and the load that bounds it from below."""

    offsets: tuple[int, ...]
    makespan: int
    load: int


@dataclass(frozen=True)
class _Units:
    """What is placed as one: an item, or two twins at one offset. ``members`` are item numbers."""

    members: tuple[tuple[int, ...], ...]
    sizes: NDArray[np.int64]
    alignments: NDArray[np.int64]
    lengths: NDArray[np.int64]
    conflicts: NDArray[np.bool_]


@dataclass(frozen=True)
class _Attempt:
    offsets: NDArray[np.int64]
    makespan: int


def pack(items: Sequence[PackItem], period: int) -> Packing:
    """Offsets such that items that are ever in use together are disjoint in memory.

    Twins get one offset where that does not make the heap larger. Equal inputs give equal results.
    Raises ``ValueError`` for an item without size, a negative alignment or an empty circle.
    """
    if not items:
        return Packing((), 0, 0)
    _check(items, period)
    profile = load_profile(items, period)
    load = max(total for _, total in profile)
    single = _singles(items, period)
    best: _Attempt | None = None
    tied = _tied(single, items)
    if tied is not None:
        best = _spread(_first_fit(tied, _by_size(tied), _NO_ROOM), tied, len(items))
    if best is None or best.makespan > load:
        alone = _first_fit(single, _by_size(single), best.makespan if best else _NO_ROOM)
        if alone is not None and alone.makespan > load:
            alone = _scanline(single, items, period, profile, alone.makespan) or alone
        elif alone is None and best is not None:
            alone = _scanline(single, items, period, profile, best.makespan)
        if alone is not None:
            best = _join_twins(alone, single, items)
    assert best is not None
    return Packing(tuple(best.offsets.tolist()), best.makespan, load)


def _check(items: Sequence[PackItem], period: int) -> None:
    if period < 1:
        raise ValueError(f"a circle of {period} moments")
    for number, item in enumerate(items):
        if item.size < 1 or item.alignment < 1 or abs(item.end - item.start) > period:
            raise ValueError(f"item {number} cannot be packed on a circle of {period}: {item}")
        if item.twin >= 0 and items[item.twin].twin != number:
            raise ValueError(f"item {number} calls {item.twin} its twin, which does not agree")


def _singles(items: Sequence[PackItem], period: int) -> _Units:
    starts = np.array([item.start for item in items], np.int64)
    lengths = np.array([arc_length(item.start, item.end, period) for item in items], np.int64)
    return _Units(
        tuple((number,) for number in range(len(items))),
        np.array([item.size for item in items], np.int64),
        np.array([item.alignment for item in items], np.int64),
        lengths,
        conflict_matrix(starts, lengths, period),
    )


def _tied(single: _Units, items: Sequence[PackItem]) -> _Units | None:
    """Twins as units, where their arcs allow it; None when there are no such twins."""
    members = tuple(
        (number, item.twin) if _can_tie(single, number, item.twin) else (number,)
        for number, item in enumerate(items)
        if not (_can_tie(single, number, item.twin) and item.twin < number)
    )
    if len(members) == len(items):
        return None
    heads = np.array([unit[0] for unit in members])
    tails = np.array([unit[-1] for unit in members])
    rows = single.conflicts[heads] | single.conflicts[tails]
    return _Units(
        members,
        np.maximum(single.sizes[heads], single.sizes[tails]),
        np.lcm(single.alignments[heads], single.alignments[tails]),
        np.maximum(single.lengths[heads], single.lengths[tails]),
        rows[:, heads] | rows[:, tails],
    )


def _can_tie(single: _Units, number: int, twin: int) -> bool:
    return twin >= 0 and twin != number and not single.conflicts[number, twin]


def _by_size(units: _Units) -> list[int]:
    return [int(unit) for unit in np.lexsort((-units.lengths, -units.sizes))]


def _first_fit(units: _Units, order: Sequence[int], limit: int) -> _Attempt | None:
    """Each unit in the lowest hole that takes it; None as soon as the heap cannot end below ``limit``."""
    shelf = _Shelf(units)
    for unit in order:
        shelf.put(unit, shelf.lowest(unit))
        if shelf.top >= limit:
            return None
    return shelf.attempt()


def _scanline(
    single: _Units, items: Sequence[PackItem], period: int, profile: Sequence[tuple[int, int]], limit: int
) -> _Attempt | None:
    """Algorithm 1: cut the circle where the load is least; what crosses the cut first, then the rest as time sweeps
    on from the cut, each in the tightest free block."""
    cut = min(profile, key=lambda step: step[1])[0]

    def rank(unit: int) -> tuple[int, int, int]:
        item = items[unit]
        if (cut - item.start) % period < single.lengths[unit]:
            return (-1, -item.alignment, -item.size)
        return ((item.start - cut) % period, -item.size, 0)

    shelf = _Shelf(single)
    for unit in sorted(range(len(items)), key=rank):
        shelf.put(unit, shelf.tightest(unit))
        if shelf.top >= limit:
            return None
    return shelf.attempt()


class _Shelf:
    """A heap that fills: offsets of the units placed so far, and the holes that they leave for another."""

    def __init__(self, units: _Units) -> None:
        count = len(units.members)
        self._units = units
        self._sizes: list[int] = units.sizes.tolist()
        self._alignments: list[int] = units.alignments.tolist()
        # Where every size is a whole number of one alignment, so is every offset.
        self._even = len(set(self._alignments)) == 1 and not (units.sizes % self._alignments[0]).any()
        self._offsets = np.zeros(count, np.int64)
        # Number, offset and end of the placed units, in the order of the offsets.
        self._placed = 0
        self._rows = np.zeros((3, count), np.int64)
        self.top = 0

    def fill(self, offsets: NDArray[np.int64]) -> None:
        """Place all units at once on the empty shelf."""
        order = np.argsort(offsets, kind="stable")
        self._offsets = offsets.copy()
        self._rows = np.stack([order, offsets[order], (offsets + self._units.sizes)[order]])
        self._placed = len(order)
        self.top = int(self._rows[2].max())

    def lowest(self, unit: int) -> int:
        """The lowest offset at which the unit fits."""
        return self._lowest(self._units.conflicts[unit], self._sizes[unit], self._alignments[unit])

    def tightest(self, unit: int) -> int:
        """The offset in the smallest hole below the top that takes the unit, else the lowest that grows the heap."""
        size = self._sizes[unit]
        lows, room = self._holes(self._units.conflicts[unit], size, self._alignments[unit])
        left = self.top - int(lows[-1]) - size
        room[-1] = left if left >= 0 else _GROWS
        room[room < 0] = _NO_ROOM
        return int(lows[room.argmin()])

    def lowest_for_both(self, one: int, other: int) -> int:
        """The lowest offset at which both units fit, were neither of them placed."""
        row = self._units.conflicts[one] | self._units.conflicts[other]
        row[[one, other]] = False
        alignment = math.lcm(self._alignments[one], self._alignments[other])
        return self._lowest(row, max(self._sizes[one], self._sizes[other]), alignment)

    def put(self, unit: int, offset: int) -> None:
        """Place the unit, which was not placed before."""
        rows, placed, end = self._rows, self._placed, offset + self._sizes[unit]
        rank = int(rows[1, :placed].searchsorted(offset))
        rows[:, rank + 1 : placed + 1] = rows[:, rank:placed]
        rows[:, rank] = (unit, offset, end)
        self._placed = placed + 1
        self._offsets[unit] = offset
        self.top = max(self.top, end)

    def move(self, unit: int, offset: int) -> None:
        """Place the unit somewhere else."""
        rows, placed = self._rows, self._placed
        rank = int((rows[0, :placed] == unit).argmax())
        rows[:, rank : placed - 1] = rows[:, rank + 1 : placed]
        self._placed = placed - 1
        self.put(unit, offset)

    def offset(self, unit: int) -> int:
        """Where the unit is."""
        return int(self._offsets[unit])

    def attempt(self) -> _Attempt:
        """The result."""
        return _Attempt(self._offsets, int((self._offsets + self._units.sizes).max()))

    def _lowest(self, conflicts: NDArray[np.bool_], size: int, alignment: int) -> int:
        lows, room = self._holes(conflicts, size, alignment)
        return int(lows[(room >= 0).argmax()])

    def _holes(
        self, conflicts: NDArray[np.bool_], size: int, alignment: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Aligned starts of the holes among placed conflicts, upwards, and the bytes that ``size`` leaves in each."""
        ranked, offsets, ends = self._rows[:, : self._placed]
        near = conflicts[ranked].nonzero()[0]
        lows = np.zeros(len(near) + 1, np.int64)
        np.maximum.accumulate(ends[near], out=lows[1:])
        if not self._even:
            lows = -(-lows // alignment) * alignment
        room = np.empty(len(near) + 1, np.int64)
        np.subtract(offsets[near], lows[:-1], out=room[:-1])
        room -= size
        room[-1] = _NO_ROOM
        return lows, room


def _spread(attempt: _Attempt | None, units: _Units, count: int) -> _Attempt | None:
    """Offsets of units as offsets of items."""
    if attempt is None:
        return None
    offsets = np.zeros(count, np.int64)
    for unit, members in enumerate(units.members):
        offsets[list(members)] = attempt.offsets[unit]
    return _Attempt(offsets, attempt.makespan)


def _join_twins(attempt: _Attempt, single: _Units, items: Sequence[PackItem]) -> _Attempt:
    """Moves twins to one offset wherever both fit below the top of the heap."""
    pairs = [(number, item.twin) for number, item in enumerate(items) if _can_tie(single, number, item.twin)]
    pairs = [(one, other) for one, other in pairs if one < other]
    shelf = _Shelf(single)
    shelf.fill(attempt.offsets)
    for one, other in sorted(pairs, key=lambda pair: (-items[pair[0]].size, pair)):
        if shelf.offset(one) == shelf.offset(other):
            continue
        offset = shelf.lowest_for_both(one, other)
        if offset + max(items[one].size, items[other].size) <= attempt.makespan:
            shelf.move(one, offset)
            shelf.move(other, offset)
    return shelf.attempt()
