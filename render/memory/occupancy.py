"""The bytes that units occupy.

Units are bits of an integer, so all units at the same bytes are one block.
"""

from __future__ import annotations

from bisect import insort


class Occupancy:
    """The occupied bytes, as blocks (start, end, units) sorted by start."""

    def __init__(self) -> None:
        self._blocks: list[list[int]] = []
        self._at: dict[tuple[int, int], list[int]] = {}

    def lowest(self, near: int, size: int, alignment: int, floor: int, limit: int) -> int:
        """The lowest aligned offset from ``floor`` on at which ``size`` overlaps none of the units ``near`` (a bit
        set), or any offset at which it does not end below ``limit``. The floor counts as aligned."""
        low = floor
        end = low + size
        for start, top, units in self._blocks:
            if start >= end:
                break
            if top > low and units & near:
                low = top if alignment == 1 else (top + alignment - 1) // alignment * alignment
                end = low + size
                if end >= limit:
                    break
        return low

    def put(self, unit: int, low: int, end: int) -> None:
        """Place a unit."""
        block = self._at.get((low, end))
        if block is None:
            block = self._at[low, end] = [low, end, 0]
            insort(self._blocks, block)
        block[2] |= 1 << unit

    def take(self, unit: int, low: int, end: int) -> None:
        """Remove a unit from the range at which it was placed."""
        block = self._at[low, end]
        block[2] &= ~(1 << unit)
        if not block[2]:
            self._blocks.remove(block)
            del self._at[low, end]
