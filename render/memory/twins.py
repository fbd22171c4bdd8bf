"""Twins: two items that would like one offset, so that one texture serves both frames.

Tied, they are one unit that is alive wherever either is. Ties cost memory (up to 30 % was seen where histories cross
them), so they are wishes: kept where the heap does not grow for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, compress

import numpy as np

from render.memory.arcs import PackItem
from render.memory.first_fit import lowest_gap, lowest_hole
from render.memory.loops import Loops
from render.memory.problem import Ints, Lives, Problem, pinned_clash

Pairs = list[tuple[int, int]]


def pairs_of(single: Problem, items: Sequence[PackItem]) -> Pairs:
    """The twins (the lower number first) that could share an offset; ``single`` has the items as its units."""
    pairs = [(number, item.twin) for number, item in enumerate(items) if number < item.twin]
    if not pairs:
        return []
    ones, others = _columns(pairs)
    pins, other_pins = single.pins[ones], single.pins[others]
    possible = ~single.conflicts[ones, others] & ((pins < 0) | (other_pins < 0) | (pins == other_pins))
    return list(compress(pairs, possible.tolist()))


def _columns(pairs: Pairs) -> Ints:
    return np.array(list(chain.from_iterable(pairs)), np.int64).reshape(-1, 2).T


def tie(single: Problem, pairs: Pairs) -> Problem | None:
    """The problem in which each pair is a unit; None where pins do not allow all the ties."""
    tails = dict(pairs)
    seconds = set(tails.values())
    members = tuple((one, tails[one]) if one in tails else (one,) for one in range(single.count) if one not in seconds)
    heads = np.array([unit[0] for unit in members])
    ends = np.array([unit[-1] for unit in members])
    lives = single.lives
    rows = lives.conflicts[heads] | lives.conflicts[ends]
    alignments = np.lcm(single.alignments[heads], single.alignments[ends])
    problem = Problem(
        Lives(
            lives.period,
            lives.moments,
            lives.starts[heads],
            np.maximum(lives.durations[heads], lives.durations[ends]),
            lives.alive[heads] | lives.alive[ends],
            rows[:, heads] | rows[:, ends],
        ),
        single.granule,
        members,
        np.maximum(single.sizes[heads], single.sizes[ends]),
        alignments,
        np.maximum(single.pins[heads], single.pins[ends]),
    )
    askew = (problem.pins >= 0) & (problem.pins % alignments != 0)
    return None if askew.any() or pinned_clash(problem) else problem


def join(single: Problem, offsets: Sequence[int], makespan: int, pairs: Pairs, loops: Loops) -> list[int]:
    """Moves twins to one offset wherever both find room below ``makespan``, the largest first."""
    apart = [pair for pair in pairs if offsets[pair[0]] != offsets[pair[1]]]
    if not apart:
        return list(offsets)
    ones, others = _columns(apart)
    sizes = np.maximum(single.sizes[ones], single.sizes[others])
    order = np.lexsort((others, ones, -sizes))
    ones, others, sizes = ones[order], others[order], sizes[order]
    alignments = np.lcm(single.alignments[ones], single.alignments[others])
    pins = np.maximum(single.pins[ones], single.pins[others])
    if not loops.compiled:
        rows = zip(*(each.tolist() for each in (ones, others, sizes, alignments, pins)), strict=True)
        return _join_on_shelf(single, offsets, makespan, rows)
    lows = np.array(offsets, np.int64)
    loops.join(
        loops.rows(single.conflicts[ones] | single.conflicts[others]), ones, others, sizes, alignments, pins,
        makespan, single.sizes, lows, np.argsort(lows, kind="stable"),
    )  # fmt: skip
    found: list[int] = lows.tolist()
    return found


def _join_on_shelf(
    single: Problem, offsets: Sequence[int], makespan: int, pairs: Iterable[tuple[int, int, int, int, int]]
) -> list[int]:
    """As ``join_in_turn``, which takes long where it is interpreted."""
    shelf: _Shelf | _LongShelf = (_Shelf if single.lives.sparse else _LongShelf)(single, offsets)
    joined = list(offsets)
    for one, other, size, alignment, pin in pairs:
        low = shelf.lowest(one, other, size, alignment, max(pin, 0))
        if low % alignment == 0 and low + size <= makespan and pin in (-1, low):
            for unit in (one, other):
                joined[unit] = low
                shelf.move(unit, low)
    return joined


class _Shelf:
    """Where units lie, for those that have few conflicts."""

    def __init__(self, problem: Problem, offsets: Sequence[int]) -> None:
        self._sizes: list[int] = problem.sizes.tolist()
        self._neighbours = problem.lives.neighbours
        self._blocks = [(low, low + size) for low, size in zip(offsets, self._sizes, strict=True)]

    def lowest(self, one: int, other: int, size: int, alignment: int, floor: int) -> int:
        """The lowest offset, from the floor on, at which ``size`` is clear of all that meet one of two units."""
        near = {*self._neighbours[one], *self._neighbours[other]}
        return lowest_gap(sorted([self._blocks[unit] for unit in near]), size, alignment, floor)

    def move(self, unit: int, low: int) -> None:
        """Give a unit another offset."""
        self._blocks[unit] = low, low + self._sizes[unit]


class _LongShelf:
    """The same for units that have many conflicts."""

    def __init__(self, problem: Problem, offsets: Sequence[int]) -> None:
        self._sizes = problem.sizes
        self._conflicts = problem.conflicts
        self._lows = np.array(offsets, np.int64)

    def lowest(self, one: int, other: int, size: int, alignment: int, floor: int) -> int:
        """As ``_Shelf``."""
        near = (self._conflicts[one] | self._conflicts[other]).nonzero()[0]
        return lowest_hole(self._lows[near], self._sizes[near], size, alignment, floor)

    def move(self, unit: int, low: int) -> None:
        """As ``_Shelf``."""
        self._lows[unit] = low
