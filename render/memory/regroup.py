"""Items of one kind come to lie where another one of that kind has just been, in a packing that is there.

Images of one description that follow one another at one place can be one image, whose memory then needs no preparation
in between. The packing gets no larger: an item only moves to where one of its kind lies already. Each move makes more
items follow their like than before, so this ends; it is a hill climb, and finds no more than it meets on its way.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from render.memory.arcs import PackItem

MOST_WORK = 1 << 20
"""How many pairs of items are looked at before what has been found is enough: some milliseconds."""

CANDIDATES = 4
"""To how many places an item may move: those that its like has left last."""

Ints = NDArray[np.int64]
Unit = tuple[int, ...]


def regroup(items: Sequence[PackItem], period: int, offsets: Sequence[int]) -> tuple[int, ...]:
    """The offsets with which more items follow one of their kind.

    Items without a kind and pinned ones stay where they are, and all of them where they are more than a thousand. Twins
    at one offset keep having one.
    """
    units = sorted(_units(items, offsets), key=lambda unit: items[unit[0]].start)
    if not units or len(items) ** 2 > MOST_WORK:
        return tuple(offsets)
    search = _Search(items, period, offsets)
    moved = True
    while moved and search.work < MOST_WORK:
        moved = False
        for unit in units:
            moved |= search.improve(unit)
    return tuple(search.lows.tolist())


def _units(items: Sequence[PackItem], offsets: Sequence[int]) -> list[Unit]:
    found: list[Unit] = []
    for number, item in enumerate(items):
        if item.kind < 0 or item.pin is not None:
            continue
        twin = item.twin
        if twin < 0 or offsets[twin] != offsets[number]:
            found.append((number,))
        elif number < twin:
            found.append((number, twin))
    return found


class _Search:
    """Where the items lie now, and which of them follow one of their kind.

    ``work`` counts the pairs of items that have been looked at.
    """

    def __init__(self, items: Sequence[PackItem], period: int, offsets: Sequence[int]) -> None:
        self.lows = np.array(offsets, np.int64)
        self.work = 0
        self._period = period
        self._sizes = np.array([item.size for item in items], np.int64)
        self._starts = np.array([item.start for item in items], np.int64)
        self._ends = np.array([item.end for item in items], np.int64)
        self._lengths = (self._ends - self._starts - 1) % period + 1
        self._kinds = np.array([item.kind for item in items], np.int64)
        some = (self._kinds >= 0).nonzero()[0]
        self._follows = np.zeros(len(items), np.bool_)
        self._follows[some] = self._following(some)

    def improve(self, unit: Unit) -> bool:
        """Move a unit that does not follow its like to where most items do so then; whether there is such a place."""
        members = np.array(unit)
        if self._follows[members].all():
            return False
        here = int(self.lows[unit[0]])
        best, most = None, 0
        for low in self._left_last(unit[0], here):
            if self.work >= MOST_WORK or not self._has_room(members, low):
                continue
            rows = self._touched(here, low, int(self._sizes[unit[0]]))
            self.lows[members] = low
            follows = self._following(rows)
            self.lows[members] = here
            gain = int(follows.sum()) - int(self._follows[rows].sum())
            if gain > most:
                best, most = (low, rows, follows), gain
        if best is None:
            return False
        self.lows[members], rows, follows = best
        self._follows[rows] = follows
        return True

    def _left_last(self, number: int, here: int) -> list[int]:
        """The other offsets of its kind, those first that others have left last before it begins; the first few."""
        alike = ((self._kinds == self._kinds[number]) & (self.lows != here)).nonzero()[0]
        since = (self._starts[number] - self._ends[alike]) % self._period
        found: dict[int, None] = dict.fromkeys(self.lows[alike[np.argsort(since, kind="stable")]].tolist())
        return list(found)[:CANDIDATES]

    def _has_room(self, members: Ints, low: int) -> bool:
        self.work += len(self.lows)
        near = (self.lows < low + self._sizes[members[0]]) & (low < self.lows + self._sizes)
        near[members] = False
        others = near.nonzero()[0]
        starts, lengths = self._starts[others], self._lengths[others]
        for number in members:
            start = self._starts[number]
            behind, ahead = (starts - start) % self._period, (start - starts) % self._period
            if ((behind < self._lengths[number]) | (ahead < lengths)).any():
                return False
        return True

    def _touched(self, here: int, low: int, size: int) -> Ints:
        """The items of any kind that have bytes in one of two places."""
        tops = self.lows + self._sizes
        near = ((self.lows < here + size) & (here < tops)) | ((self.lows < low + size) & (low < tops))
        return (near & (self._kinds >= 0)).nonzero()[0]

    def _following(self, rows: Ints) -> NDArray[np.bool_]:
        """Which of these items come behind one of their kind, nobody else having had any of their bytes since."""
        self.work += len(rows) * len(self.lows)
        lows, tops = self.lows, self.lows + self._sizes
        since = (self._starts[rows, None] - self._ends) % self._period
        alike = (self._kinds[rows, None] == self._kinds) & (lows[rows, None] == lows)
        near = (lows < tops[rows, None]) & (lows[rows, None] < tops)
        own = np.where(alike, since, self._period).min(axis=1)
        others = np.where(near & ~alike, since, self._period).min(axis=1)
        found: NDArray[np.bool_] = own < others
        return found
