"""Twins: two items that would like one offset, so that one texture serves both frames.

Tied, they are one unit that is alive wherever either is. Ties cost memory (up to 30 % was seen where histories cross
them), so they are wishes: kept where the heap does not grow for them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from render.memory.arcs import PackItem
from render.memory.first_fit import lowest_hole
from render.memory.problem import Problem, pinned_clash

Pairs = list[tuple[int, int]]


def pairs_of(single: Problem, items: Sequence[PackItem]) -> Pairs:
    """The twins (the lower number first) that could share an offset; ``single`` has the items as its units."""
    pairs = [(number, item.twin) for number, item in enumerate(items) if number < item.twin]
    return [(one, other) for one, other in pairs if _compatible(single, one, other)]


def _compatible(single: Problem, one: int, other: int) -> bool:
    pins = {int(single.pins[one]), int(single.pins[other])} - {-1}
    return not single.conflicts[one, other] and len(pins) < 2


def tie(single: Problem, pairs: Pairs) -> Problem | None:
    """The problem in which each pair is a unit; None where pins do not allow all the ties."""
    tails = dict(pairs)
    seconds = set(tails.values())
    members = tuple((one, tails[one]) if one in tails else (one,) for one in range(single.count) if one not in seconds)
    heads = np.array([unit[0] for unit in members])
    ends = np.array([unit[-1] for unit in members])
    rows = single.conflicts[heads] | single.conflicts[ends]
    alignments = np.lcm(single.alignments[heads], single.alignments[ends])
    problem = Problem(
        single.period,
        single.granule,
        members,
        single.moments,
        np.maximum(single.sizes[heads], single.sizes[ends]),
        alignments,
        np.maximum(single.pins[heads], single.pins[ends]),
        single.starts[heads],
        np.maximum(single.durations[heads], single.durations[ends]),
        single.alive[heads] | single.alive[ends],
        rows[:, heads] | rows[:, ends],
    )
    askew = (problem.pins >= 0) & (problem.pins % alignments != 0)
    return None if askew.any() or pinned_clash(problem) else problem


def join(single: Problem, offsets: Sequence[int], makespan: int, pairs: Pairs) -> list[int]:
    """Moves twins to one offset wherever both find room below ``makespan``, the largest first."""
    joined = np.array(offsets, np.int64)
    sizes: list[int] = single.sizes.tolist()
    for one, other in sorted(pairs, key=lambda pair: (-max(sizes[pair[0]], sizes[pair[1]]), pair)):
        if joined[one] == joined[other]:
            continue
        near = (single.conflicts[one] | single.conflicts[other]).nonzero()[0]
        alignment = math.lcm(int(single.alignments[one]), int(single.alignments[other]))
        pin = max(int(single.pins[one]), int(single.pins[other]))
        size = max(sizes[one], sizes[other])
        near = near[joined[near] + single.sizes[near] > pin]
        low = lowest_hole(joined[near], single.sizes[near], size, alignment, max(pin, 0))
        if low % alignment == 0 and low + size <= makespan and pin in (-1, low):
            joined[one] = joined[other] = low
    result: list[int] = joined.tolist()
    return result
