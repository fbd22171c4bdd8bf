"""Packing of tens of thousands of items, for which a conflict matrix would be too large.

First-fit in decreasing size, then duration. The conflicts of an item are computed for one chunk of the placed items at
a time, upwards from offset 0, until a hole is found.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from renderwright.render.memory.arcs import PackItem

CHUNK = 1024  # placed items
_START, _DURATION, _OFFSET, _END = range(4)  # the rows of an array of placed items

Ints = NDArray[np.int64]


def pack_large(items: Sequence[PackItem], period: int) -> list[int]:
    """Offsets in bytes. Pins are respected, twins are ignored."""
    starts = np.array([item.start % period for item in items], np.int64)
    durations = np.array([(item.end - item.start - 1) % period + 1 for item in items], np.int64)
    sizes = np.array([item.size for item in items], np.int64)
    free = np.array([item.pin is None for item in items])
    offsets = [0] * len(items)
    # A column for each placed item, sorted by offset.
    placed = np.zeros((4, len(items)), np.int64)
    for count, number in enumerate(np.lexsort((-durations, -sizes, free)).tolist()):
        item = items[number]
        start, duration = int(starts[number]), int(durations[number])
        low = item.pin
        if low is None:
            low = _lowest(placed[:, :count], start, duration, item, period)
        offsets[number] = low
        rank = int(placed[_OFFSET, :count].searchsorted(low))
        placed[:, rank + 1 : count + 1] = placed[:, rank:count]
        placed[:, rank] = (start, duration, low, low + item.size)
    return offsets


def _lowest(placed: Ints, start: int, duration: int, item: PackItem, period: int) -> int:
    """The lowest offset at which the item overlaps no placed item that conflicts with it."""
    low = 0
    for first in range(0, placed.shape[1], CHUNK):
        chunk = placed[:, first : first + CHUNK]
        ahead = chunk[_START] - start
        ahead[ahead < 0] += period
        near = ((ahead < duration) | (period - ahead < chunk[_DURATION]) | (ahead == 0)).nonzero()[0]
        lows = np.empty(len(near) + 1, np.int64)
        lows[0] = low
        np.maximum.accumulate(np.append(low, chunk[_END, near]), out=lows)
        lows = -(-lows // item.alignment) * item.alignment
        fits = chunk[_OFFSET, near] - lows[:-1] >= item.size
        if fits.any():
            return int(lows[fits.argmax()])
        low = int(lows[-1])
    return low
