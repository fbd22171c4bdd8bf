"""Free blocks of a heap that is filled in time order."""

from __future__ import annotations

from bisect import bisect_left, insort
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Block:
    """Free bytes from ``offset`` on, which must be free again at moment ``until`` (None: no limit)."""

    offset: int
    size: int
    until: int | None = None

    @property
    def end(self) -> int:
        """The first byte after the block."""
        return self.offset + self.size

    def allows(self, last: int) -> bool:
        """Whether the bytes may be in use up to the moment ``last``, exclusive."""
        return self.until is None or last <= self.until


def release(blocks: list[Block], block: Block) -> Block:
    """Adds a block to the list, which is sorted by offset, and merges it with neighbours of equal ``until``; returns
    the merged block."""
    place = bisect_left([other.offset for other in blocks], block.offset)
    if place < len(blocks) and blocks[place].offset == block.end and blocks[place].until == block.until:
        block = replace(block, size=block.size + blocks.pop(place).size)
    if place > 0 and blocks[place - 1].end == block.offset and blocks[place - 1].until == block.until:
        before = blocks.pop(place - 1)
        block = Block(before.offset, before.size + block.size, block.until)
    insort(blocks, block, key=lambda other: other.offset)
    return block
