"""First-fit: each unit, in some order, in the lowest hole that its placed conflicts leave."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

import numpy as np
from numpy.typing import NDArray

MANY = 600
"""Units from which on arrays are quicker than interpreted loops."""

Ints = NDArray[np.int64]


def first_fit(
    sequence: Sequence[int],
    conflicts: Sequence[Sequence[int]],
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


def interpreted_first_fit(
    sequence: Sequence[int],
    conflicts: Sequence[bytes],
    sizes: Sequence[int],
    alignments: Sequence[int],
    pins: Sequence[int],
    limit: int,
    offsets: MutableSequence[int],
    placed: MutableSequence[int],
) -> int:
    """The same as ``first_fit``, in the way that is quicker where nothing is compiled."""
    count = len(sequence)
    if count < MANY:
        return first_fit(sequence, conflicts, sizes, alignments, pins, limit, offsets, placed)
    top = 0
    done = np.zeros(count, np.bool_)
    lows, lengths = np.zeros(count, np.int64), np.array(sizes, np.int64)
    for unit in sequence:
        low = pins[unit]
        if low < 0:
            near = (np.frombuffer(conflicts[unit], np.bool_) & done).nonzero()[0]
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
