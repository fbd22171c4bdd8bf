"""First-fit: each unit, in some order, in the lowest hole that its placed conflicts leave."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


def first_fit(
    conflicts: Sequence[Sequence[int]],
    sequence: Sequence[int],
    sizes: Sequence[int],
    alignments: Sequence[int],
    pins: Sequence[int],
    limit: int,
    offsets: MutableSequence[int],
    placed: MutableSequence[int],
) -> int:
    """Place the units of ``sequence`` in turn; pinned ones must come first in it. Returns the makespan, or -1 as soon
    as it cannot be less than ``limit``.

    Fills ``offsets``; ``placed`` is room for as many units. Works on lists and on numpy arrays alike.
    """
    top = 0
    for count, unit in enumerate(sequence):
        row = conflicts[unit]
        size = sizes[unit]
        alignment = alignments[unit]
        low = 0
        if pins[unit] >= 0:
            low = pins[unit]
        else:
            for other in placed[:count]:
                if row[other]:
                    above = offsets[other]
                    if above - low >= size:
                        break
                    end = above + sizes[other]
                    if end > low:
                        low = end if alignment == 1 else (end + alignment - 1) // alignment * alignment
        end = low + size
        if end > top:
            top = end
            if top >= limit:
                return -1
        offsets[unit] = low
        # The rank among the placed units, which are in the order of their offsets.
        first = 0
        last = count
        while first < last:
            middle = (first + last) // 2
            if offsets[placed[middle]] <= low:
                first = middle + 1
            else:
                last = middle
        placed[first + 1 : count + 1] = placed[first:count]
        placed[first] = unit
    return top


def sparse_first_fit(
    neighbours: Sequence[Sequence[int]],
    sequence: Sequence[int],
    sizes: Sequence[int],
    alignments: Sequence[int],
    pins: Sequence[int],
    limit: int,
    offsets: MutableSequence[int],
    placed: MutableSequence[int],
) -> int:
    """The same as ``first_fit`` for lists, where units have few conflicts (``neighbours``)."""
    top = 0
    taken: list[list[tuple[int, int]]] = [[] for _ in neighbours]
    for unit in sequence:
        size = sizes[unit]
        low = pins[unit]
        if low < 0:
            taken[unit].sort()
            low = lowest_gap(taken[unit], size, alignments[unit])
        end = low + size
        if end > top:
            top = end
            if top >= limit:
                return -1
        offsets[unit] = low
        block = low, end
        for other in neighbours[unit]:
            taken[other].append(block)
    placed[: len(sequence)] = sorted(sequence, key=offsets.__getitem__)
    return top


def lowest_gap(taken: Sequence[tuple[int, int]], size: int, alignment: int, floor: int = 0) -> int:
    """The lowest aligned offset, from the floor on, at which ``size`` is clear of what is taken: (start, end) in the
    order of the starts. The floor counts as aligned."""
    low = floor
    needed = low + size
    for start, end in taken:
        if start >= needed:
            break
        if end > low:
            low = end if alignment == 1 else (end + alignment - 1) // alignment * alignment
            needed = low + size
    return low


def dense_first_fit(
    conflicts: Bools,
    sequence: Sequence[int],
    sizes: Sequence[int],
    alignments: Sequence[int],
    pins: Sequence[int],
    limit: int,
    offsets: MutableSequence[int],
    placed: MutableSequence[int],
) -> int:
    """The same for lists, where units have many conflicts."""
    count = len(sequence)
    top = 0
    done = np.zeros(count, np.bool_)
    lows, lengths = np.zeros(count, np.int64), np.array(sizes, np.int64)
    for unit in sequence:
        low = pins[unit]
        if low < 0:
            near = (conflicts[unit] & done).nonzero()[0]
            low = lowest_hole(lows[near], lengths[near], sizes[unit], alignments[unit])
        top = max(top, low + sizes[unit])
        if top >= limit:
            return -1
        lows[unit] = low
        done[unit] = True
    offsets[:count] = lows.tolist()
    turns = np.empty(count, np.int64)
    turns[np.array(sequence)] = np.arange(count)
    placed[:count] = np.lexsort((turns, lows)).tolist()
    return top


def lowest_hole(starts: Ints, sizes: Ints, size: int, alignment: int, floor: int = 0) -> int:
    """The lowest aligned offset, from the floor on, at which ``size`` is clear of all that lies there. The floor counts
    as aligned."""
    order = starts.argsort(kind="stable")
    starts = starts[order]
    ends = starts + sizes[order]
    lows = np.empty(len(ends) + 1, np.int64)
    lows[0] = floor
    lows[1:] = ends if alignment == 1 else -(-ends // alignment) * alignment
    np.maximum.accumulate(lows, out=lows)
    fits = starts - lows[:-1] >= size
    hole = int(fits.argmax()) if len(fits) else 0
    return int(lows[hole if len(fits) and fits[hole] else -1])
