"""Twins: two items that would like one offset, so that one texture serves both frames.

Tied, they are one unit that is alive wherever either is. Ties cost memory (up to 30 % was seen where histories cross
them), so they are wishes: kept where the heap does not grow for them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from renderwright.render.memory.arcs import Ints
from renderwright.render.memory.loops import Loops
from renderwright.render.memory.problem import Bools, Lives, Problem, pinned_clash
from renderwright.render.memory.shelf import Shelf


@dataclass(frozen=True)
class Pairs:
    """Pairs of items: ``ones``, and the ``others`` that would like their offsets."""

    ones: Ints
    others: Ints

    def __len__(self) -> int:
        return len(self.ones)

    def only(self, which: Bools) -> Pairs:
        """Some of them."""
        return Pairs(self.ones[which], self.others[which])

    def apart(self, offsets: Ints) -> Bools:
        """Which of them do not share an offset."""
        different: Bools = offsets[self.ones] != offsets[self.others]
        return different


def pairs_of(single: Problem, twins: tuple[Ints, Ints]) -> Pairs:
    """The twins (the lower number first) that could share an offset; ``single`` has the items as its units."""
    pairs = Pairs(*twins)
    possible = ~single.conflicts[twins]
    if single.pinned:
        pins, other_pins = single.pins[pairs.ones], single.pins[pairs.others]
        possible &= (pins < 0) | (other_pins < 0) | (pins == other_pins)
    return pairs.only(possible)


@dataclass(frozen=True, eq=False)
class TiedLives(Lives):
    """The lives of units that have two items each, first ones (``heads``) and last ones (``ends``), or one that is
    both."""

    single: Lives
    heads: Ints
    ends: Ints

    @cached_property
    def moments(self) -> Ints:
        """Those of the items."""
        return self.single.moments

    def alive_at(self, numbers: Ints) -> Bools:
        """As ``Lives``."""
        items = self.single.alive_at(numbers)
        return items[:, self.heads] | items[:, self.ends]

    def sums(self, weights: Ints) -> Ints:
        """As ``Lives``; the two are never alive at once."""
        own = np.zeros(len(self.single.starts), np.int64)
        own[self.heads] = weights
        own[self.ends] = weights
        return self.single.sums(own)


def tie(single: Problem, pairs: Pairs) -> Problem | None:
    """The problem in which each pair is a unit; None where pins do not allow all the ties."""
    lasts = np.arange(single.count)
    lasts[pairs.ones] = pairs.others
    heads = np.delete(np.arange(single.count), pairs.others)
    ends = lasts[heads]
    units = np.empty(single.count, np.int64)
    units[heads] = units[ends] = np.arange(len(heads))
    lives = single.lives
    rows = lives.conflicts[heads] | lives.conflicts[ends]
    alignments = np.lcm(single.alignments[heads], single.alignments[ends])
    problem = Problem(
        TiedLives(
            lives.period,
            lives.starts[heads],
            np.maximum(lives.durations[heads], lives.durations[ends]),
            rows[:, heads] | rows[:, ends],
            lives,
            heads,
            ends,
        ),
        single.granule,
        np.maximum(single.sizes[heads], single.sizes[ends]),
        alignments,
        np.maximum(single.pins[heads], single.pins[ends]),
        units,
    )
    askew = (problem.pins >= 0) & (problem.pins % alignments != 0)
    return None if askew.any() or pinned_clash(problem) else problem


def join(single: Problem, offsets: Ints, makespan: int, pairs: Pairs, loops: Loops) -> Ints:
    """Moves twins to one offset wherever both find room below ``makespan``, the largest first."""
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
        return _join_on_shelf(single, offsets, makespan, rows)
    lows = offsets.copy()
    loops.join(
        loops.rows(single.conflicts[ones] | single.conflicts[others]), ones, others, sizes, alignments, pins,
        makespan, single.sizes, lows, lows.argsort(kind="stable"),
    )  # fmt: skip
    return lows


def _join_on_shelf(
    single: Problem, offsets: Ints, makespan: int, pairs: Iterable[tuple[int, int, int, int, int]]
) -> Ints:
    """As ``join_in_turn``, which takes long where it is interpreted."""
    joined, lengths, near = offsets.tolist(), single.sizes.tolist(), single.lives.bits
    shelf = Shelf()
    for unit, low in enumerate(joined):
        shelf.put(unit, low, low + lengths[unit])
    for one, other, size, alignment, pin in pairs:
        low = shelf.lowest(near[one] | near[other], size, alignment, max(pin, 0), makespan + 1)
        if low % alignment == 0 and low + size <= makespan and pin in (-1, low):
            for unit in (one, other):
                shelf.take(unit, joined[unit], joined[unit] + lengths[unit])
                shelf.put(unit, low, low + lengths[unit])
                joined[unit] = low
    return np.array(joined, np.int64)
