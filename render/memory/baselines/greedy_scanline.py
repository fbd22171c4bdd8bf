"""Dagor's greedy scanline, the default packer of its frame graph.

From github.com/GaijinEntertainment/DagorEngine (``prog/gameLibs/render/daFrameGraph``, ``greedyScanlinePacker.cpp``),
reimplemented from its behaviour. Arcs that wrap past moment 0 are stacked first, the one that begins last at the
bottom. Then time runs from 0 to the end of the circle; at each moment ends come before starts and larger items before
smaller ones. An item takes the smallest free block that fits with its alignment. The remainder of the block stays free
if it has at least 4096 bytes, else it goes with the item. The bytes of a wrapped arc are free from its end until it
begins again. Adjacent free blocks with the same term are merged; a free block without a term at the top of the heap
is cut off.

History copies are arcs like all others. An arc that ends at the end of the circle ends at 0 and so counts as wrapped.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from renderwright.render.memory.baselines.blocks import Block, release
from renderwright.render.memory.baselines.problem import (
    Baseline,
    BaselineItem,
    BaselineProblem,
    Layout,
    aligned,
    layout,
)

_LEAST_REST = 4096


@dataclass
class _Heap:
    """A heap that grows and shrinks, with its free blocks."""

    free: list[Block] = field(default_factory=list)
    top: int = 0
    most: int = 0

    def take(self, item: BaselineItem, end: int) -> Block:
        """Allocates a block for a live range that ends at the moment ``end``, padding included."""
        fitting = [block for block in self.free if _padded(item, block.offset) <= block.size and block.allows(end)]
        if not fitting:
            return self.grow(item, None)
        block = min(fitting, key=lambda block: (block.size, block.offset))
        self.free.remove(block)
        used = _padded(item, block.offset)
        if block.size - used < _LEAST_REST:
            return block
        self.give(Block(block.offset + used, block.size - used, block.until))
        return Block(block.offset, used, block.until)

    def grow(self, item: BaselineItem, until: int | None) -> Block:
        """Allocates a block at the top, which is released with the term ``until``."""
        block = Block(self.top, _padded(item, self.top), until)
        self.top = block.end
        self.most = max(self.most, self.top)
        return block

    def give(self, block: Block) -> None:
        """Releases a block."""
        joined = release(self.free, block)
        if joined.until is None and joined.end == self.top:
            self.free.remove(joined)
            self.top = joined.offset


class _Event(NamedTuple):
    """The start or the end of item ``number``, in the order in which events are handled."""

    moment: int
    is_start: bool
    negative_size: int
    number: int


def place(problem: BaselineProblem) -> Layout:
    """Wrapped arcs first, then best-fit in time order from moment 0 on."""
    items, period = problem.items, problem.period
    starts = [item.start % period for item in items]
    ends = [item.end % period for item in items]
    wrapped = {number for number in range(len(items)) if ends[number] <= starts[number]}
    heap = _Heap()
    blocks = {
        number: heap.grow(items[number], starts[number])
        for number in sorted(wrapped, key=lambda number: -starts[number])
    }
    offsets: dict[int, int] = {}
    events = [_Event(ends[number], False, -item.size, number) for number, item in enumerate(items)]
    events += [
        _Event(starts[number], True, -item.size, number) for number, item in enumerate(items) if number not in wrapped
    ]
    for event in sorted(events):
        item = items[event.number]
        if event.is_start:
            blocks[event.number] = heap.take(item, ends[event.number])
        else:
            block = blocks[event.number]
            offsets[event.number] = aligned(block.offset, item.alignment)
            heap.give(block)
    return layout(problem, offsets, heap.most)


def _padded(item: BaselineItem, offset: int) -> int:
    """The item's size plus the padding below its aligned offset."""
    return aligned(offset, item.alignment) - offset + item.size


GREEDY_SCANLINE = Baseline("greedy_scanline", "Dagor Engine", place)
