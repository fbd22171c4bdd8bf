"""Regrouping: moves items, in an existing packing, to the offset that an item of the same kind used just before.

Images with equal descriptions that follow one another at one offset can be one image, without changes of layout in
between. The packing does not grow. Only items that do not follow one of their kind move, either to an offset that one
has just left or out of the way of others. Each move increases the number of items that follow one of their kind, so the
hill climb terminates, in a local optimum.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from renderwright.render.memory.arcs import PackItem

MOST_WORK = 1 << 20
"""The budget in pairs of items compared: some milliseconds."""

CANDIDATES = 4
"""The number of candidate offsets of either sort for an item."""

Ints = NDArray[np.int64]
Unit = tuple[int, ...]


def regroup(
    items: Sequence[PackItem], period: int, offsets: Sequence[int], between: Callable[[], None] = lambda: None
) -> tuple[int, ...]:
    """Offsets with which more items follow one of their kind. Calls ``between`` before it looks at an item.

    Items without a kind and pinned items do not move. With more than a thousand items none moves. Twins at one offset
    move together if that helps, otherwise alone.
    """
    free = [number for number, item in enumerate(items) if item.kind >= 0 and item.pin is None]
    if not free or len(items) ** 2 > MOST_WORK:
        return tuple(offsets)
    free.sort(key=lambda number: items[number].start)
    search = _Search(items, period, offsets)
    for together in (True, False):
        moved = True
        while moved:
            units = _units(items, free, search.lows.tolist()) if together else [(number,) for number in free]
            moved = False
            for unit in units:
                between()
                moved = search.improve(unit) or moved
    return tuple(search.lows.tolist())


def _units(items: Sequence[PackItem], numbers: Sequence[int], offsets: Sequence[int]) -> list[Unit]:
    """The items, paired with their twins if both are at one offset."""
    found: list[Unit] = []
    for number in numbers:
        twin = items[number].twin
        if twin < 0 or offsets[twin] != offsets[number]:
            found.append((number,))
        elif number < twin:
            found.append((number, twin))
    return found


class _Search:
    """The current offsets, and which items follow one of their kind.

    ``work`` counts the pairs of items compared.
    """

    def __init__(self, items: Sequence[PackItem], period: int, offsets: Sequence[int]) -> None:
        self.lows = np.array(offsets, np.int64)
        self.work = 0
        self._period = period
        self._sizes = np.array([item.size for item in items], np.int64)
        self._starts = np.array([item.start for item in items], np.int64)
        self._ends = np.array([item.end for item in items], np.int64)
        self._alignments = np.array([item.alignment for item in items], np.int64)
        self._makespan = int((self.lows + self._sizes).max())
        self._lengths = (self._ends - self._starts - 1) % period + 1
        self._kinds = np.array([item.kind for item in items], np.int64)
        some = (self._kinds >= 0).nonzero()[0]
        self._follows: NDArray[np.bool_] = np.zeros(len(items), np.bool_)
        self._follows[some] = self._following(some)

    def improve(self, unit: Unit) -> bool:
        """Move a unit that does not follow its kind to the offset with the largest gain; returns whether one exists."""
        members = np.array(unit)
        if self._follows[members].all() or self.work >= MOST_WORK:
            return False
        here, size = int(self.lows[unit[0]]), int(self._sizes[unit[0]])
        best, most = None, 0
        gaps = self._gaps(members)
        for low in self._candidates(unit[0], gaps):
            rows = self._touched(here, low, size)
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

    def _candidates(self, number: int, gaps: Sequence[tuple[int, int]]) -> list[int]:
        """Other offsets at which an item fits: the first few that items of its kind left last before its start, and the
        lowest ones of the first few gaps, where it may be out of the way of others."""
        here, size, alignment = (int(each[number]) for each in (self.lows, self._sizes, self._alignments))
        alike = ((self._kinds == self._kinds[number]) & (self.lows != here)).nonzero()[0]
        since = (self._starts[number] - self._ends[alike]) % self._period
        left: list[int] = self.lows[alike[np.argsort(since, kind="stable")]].tolist()
        room = [low for low in dict.fromkeys(left) if any(start <= low <= end - size for start, end in gaps)]
        lowest = [-(-start // alignment) * alignment for start, _ in gaps]
        free = [low for low, (_, end) in zip(lowest, gaps, strict=True) if low <= end - size and low != here]
        return list(dict.fromkeys([*room[:CANDIDATES], *free[:CANDIDATES]]))

    def _gaps(self, members: Ints) -> list[tuple[int, int]]:
        """The free bytes, as [start, end), over the live ranges of the unit's items."""
        self.work += len(self.lows)
        starts = self._starts[members, None]
        behind, ahead = (self._starts - starts) % self._period, (starts - self._starts) % self._period
        meets = np.logical_or.reduce((behind < self._lengths[members, None]) | (ahead < self._lengths), axis=0)
        meets[members] = False
        lows, tops = self.lows[meets], (self.lows + self._sizes)[meets]
        order = np.argsort(lows, kind="stable")
        ends = np.maximum.accumulate(np.concatenate([[0], tops[order]]))
        begins = np.concatenate([lows[order], [self._makespan]])
        return [(start, end) for start, end in zip(ends.tolist(), begins.tolist(), strict=True) if start < end]

    def _touched(self, here: int, low: int, size: int) -> Ints:
        """The items with a kind that overlap either of two byte ranges."""
        tops = self.lows + self._sizes
        near = ((self.lows < here + size) & (here < tops)) | ((self.lows < low + size) & (low < tops))
        return (near & (self._kinds >= 0)).nonzero()[0]

    def _following(self, rows: Ints) -> NDArray[np.bool_]:
        """Which of these items follow one of their kind, without another use of their bytes in between."""
        self.work += len(rows) * len(self.lows)
        lows, tops = self.lows, self.lows + self._sizes
        since = (self._starts[rows, None] - self._ends) % self._period
        alike = (self._kinds[rows, None] == self._kinds) & (lows[rows, None] == lows)
        near = (lows < tops[rows, None]) & (lows[rows, None] < tops)
        own = np.where(alike, since, self._period).min(axis=1)
        others = np.where(near & ~alike, since, self._period).min(axis=1)
        found: NDArray[np.bool_] = own < others
        return found
