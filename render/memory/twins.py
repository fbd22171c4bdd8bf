"""Twins: two items that prefer one offset, so that one texture serves both frames.

Tied twins are one unit that is alive while either is. Ties cost memory (up to 30 % was observed with histories), so a
pair is tied only where that does not enlarge the heap.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from renderwright.render.memory.arcs import Ints
from renderwright.render.memory.item_arrays import ItemArrays
from renderwright.render.memory.live_ranges import Bools, LiveRanges
from renderwright.render.memory.loops import Loops
from renderwright.render.memory.occupancy import Occupancy
from renderwright.render.memory.problem import Problem, pinned_clash


@dataclass(frozen=True)
class Pairs:
    """Pairs of twins, by item number: ``ones`` and ``others``."""

    ones: Ints
    others: Ints

    def __len__(self) -> int:
        return len(self.ones)

    def only(self, which: Bools) -> Pairs:
        """A subset of the pairs."""
        return Pairs(self.ones[which], self.others[which])

    def apart(self, offsets: Ints) -> Bools:
        """Which pairs do not share an offset."""
        different: Bools = offsets[self.ones] != offsets[self.others]
        return different


def pairs_of(single: Problem, items: ItemArrays) -> Pairs:
    """The twins that could share an offset; the units of ``single`` are the items."""
    pairs = Pairs(items.twins, items.other_twins)
    possible = ~single.conflicts[pairs.ones, pairs.others]
    if single.pinned:
        pins, other_pins = single.pins[pairs.ones], single.pins[pairs.others]
        possible &= (pins < 0) | (other_pins < 0) | (pins == other_pins)
    return pairs.only(possible)


@dataclass(frozen=True, eq=False)
class TiedRanges(LiveRanges):
    """The live ranges of units with two items each, ``firsts`` and ``lasts``; both are equal for a unit of one item.

    ``single`` has the ranges of the items.
    """

    single: LiveRanges
    firsts: Ints
    lasts: Ints

    @cached_property
    def moments(self) -> Ints:
        """The distinct starts of the items."""
        return self.single.moments

    def alive_at(self, numbers: Ints) -> Bools:
        """See ``LiveRanges``."""
        items = self.single.alive_at(numbers)
        return items[:, self.firsts] | items[:, self.lasts]

    def sums(self, weights: Ints) -> Ints:
        """See ``LiveRanges``; the two items of a unit are never alive at once."""
        own = np.zeros(len(self.single.starts), np.int64)
        own[self.firsts] = weights
        own[self.lasts] = weights
        return self.single.sums(own)


def tie(single: Problem, pairs: Pairs) -> Problem | None:
    """The problem in which each pair is a unit; None if pins prevent a tie."""
    partners = np.arange(single.count)
    partners[pairs.ones] = pairs.others
    firsts = np.delete(np.arange(single.count), pairs.others)
    lasts = partners[firsts]
    units = np.empty(single.count, np.int64)
    units[firsts] = units[lasts] = np.arange(len(firsts))
    ranges = single.ranges
    rows = ranges.conflicts[firsts] | ranges.conflicts[lasts]
    alignments = np.lcm(single.alignments[firsts], single.alignments[lasts])
    problem = Problem(
        TiedRanges(
            ranges.period,
            ranges.starts[firsts],
            np.maximum(ranges.durations[firsts], ranges.durations[lasts]),
            rows[:, firsts] | rows[:, lasts],
            ranges,
            firsts,
            lasts,
        ),
        single.granule,
        np.maximum(single.sizes[firsts], single.sizes[lasts]),
        alignments,
        np.maximum(single.pins[firsts], single.pins[lasts]),
        units,
    )
    misaligned = (problem.pins >= 0) & (problem.pins % alignments != 0)
    return None if misaligned.any() or pinned_clash(problem) else problem


def join(single: Problem, offsets: Ints, makespan: int, pairs: Pairs, loops: Loops) -> Ints:
    """Moves twins to one offset where both fit below ``makespan``, the largest first."""
    apart = pairs.only(pairs.apart(offsets))
    if not apart:
        return offsets
    ones, others = apart.ones, apart.others
    sizes = np.maximum(single.sizes[ones], single.sizes[others])
    order = np.lexsort((others, ones, -sizes))
    ones, others, sizes = ones[order], others[order], sizes[order]
    alignments = np.lcm(single.alignments[ones], single.alignments[others])
    pins = np.maximum(single.pins[ones], single.pins[others])
    if not loops.compiled:
        rows = zip(*(each.tolist() for each in (ones, others, sizes, alignments, pins)), strict=True)
        return _join_interpreted(single, offsets, makespan, rows)
    lows = offsets.copy()
    loops.join(
        loops.rows(single.conflicts[ones] | single.conflicts[others]), ones, others, sizes, alignments, pins,
        makespan, single.sizes, lows, lows.argsort(kind="stable"),
    )  # fmt: skip
    return lows


def _join_interpreted(
    single: Problem, offsets: Ints, makespan: int, pairs: Iterable[tuple[int, int, int, int, int]]
) -> Ints:
    """``join_in_turn``, faster when interpreted."""
    joined, lengths, near = offsets.tolist(), single.sizes.tolist(), single.ranges.bits
    occupancy = Occupancy()
    for unit, low in enumerate(joined):
        occupancy.put(unit, low, low + lengths[unit])
    for one, other, size, alignment, pin in pairs:
        low = occupancy.lowest(near[one] | near[other], size, alignment, max(pin, 0), makespan + 1)
        if low % alignment == 0 and low + size <= makespan and pin in (-1, low):
            for unit in (one, other):
                occupancy.take(unit, joined[unit], joined[unit] + lengths[unit])
                occupancy.put(unit, low, low + lengths[unit])
                joined[unit] = low
    return np.array(joined, np.int64)
