"""Packing a crowd: tens of thousands of items, for which a conflict matrix would be too large.

First-fit in decreasing size, then duration. Who meets the item to be placed is worked out for a stretch of the placed
ones at a time, upwards from the floor, until a hole is found.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from renderwright.render.memory.arcs import PackItem

STRETCH = 1024

Ints = NDArray[np.int64]


def pack_crowd(items: Sequence[PackItem], period: int) -> list[int]:
    """Offsets in bytes; pinned items lie where they are pinned, twins are not considered."""
    starts = np.array([item.start % period for item in items], np.int64)
    durations = np.array([(item.end - item.start - 1) % period + 1 for item in items], np.int64)
    sizes = np.array([item.size for item in items], np.int64)
    free = np.array([item.pin is None for item in items])
    offsets = [0] * len(items)
    # Start, duration, offset and end of the placed items, in the order of the offsets.
    shelf = np.zeros((4, len(items)), np.int64)
    for count, number in enumerate(np.lexsort((-durations, -sizes, free)).tolist()):
        item = items[number]
        start, duration = int(starts[number]), int(durations[number])
        low = item.pin
        if low is None:
            low = _lowest(shelf[:, :count], start, duration, item, period)
        offsets[number] = low
        rank = int(shelf[2, :count].searchsorted(low))
        shelf[:, rank + 1 : count + 1] = shelf[:, rank:count]
        shelf[:, rank] = (start, duration, low, low + item.size)
    return offsets


def _lowest(shelf: Ints, start: int, duration: int, item: PackItem, period: int) -> int:
    """The lowest offset at which the item is clear of all placed ones that it meets."""
    low = 0
    for first in range(0, shelf.shape[1], STRETCH):
        starts, durations, offsets, ends = shelf[:, first : first + STRETCH]
        ahead = starts - start
        ahead[ahead < 0] += period
        near = ((ahead < duration) | (period - ahead < durations) | (ahead == 0)).nonzero()[0]
        lows = np.empty(len(near) + 1, np.int64)
        lows[0] = low
        np.maximum.accumulate(np.append(low, ends[near]), out=lows)
        lows = -(-lows // item.alignment) * item.alignment
        fits = offsets[near] - lows[:-1] >= item.size
        if fits.any():
            return int(lows[fits.argmax()])
        low = int(lows[-1])
    return low
