"""The scanline over the circle: Algorithm 1 of the thesis that is the source of this frame graph's memory model.

R. A. Sandu, master's thesis on saving video memory by a frame graph in real-time applications, MIPT 2023 (in Russian),
section 3.3. The circle is cut at the least load. Items alive at the cut are stacked first. Then time runs once around
the circle: an item that ends returns its bytes to the free blocks, and an item that begins takes the smallest free
block that fits. Without one the heap grows. A block released by an item alive at the cut is usable only until that item
begins again.

History copies are arcs like all others. Where the printed text is ambiguous, inconsistent or wasteful, the variant in
favour of the method is implemented:

- A block's term is the moment at which its owner at the cut *begins* (printed: ends), and an item placed in such a
  block returns it with the same term (printed: with none).
- The heap grows by the bytes that the free block at its top lacks (printed: by the item's whole size).
- Blocks with different terms are not joined.
- Larger items come first among items that begin together, and among items alive at the cut.
- The thesis has no alignments; here the bytes below an aligned offset stay a free block.
"""

from __future__ import annotations

from renderwright.render.memory.arcs import PackItem, arc_length
from renderwright.render.memory.baselines.blocks import Block, release
from renderwright.render.memory.baselines.problem import (
    Baseline,
    BaselineItem,
    BaselineProblem,
    Layout,
    aligned,
    layout,
)
from renderwright.render.memory.bound import load_profile


def place(problem: BaselineProblem) -> Layout:
    """Best-fit in time order from the cut on."""
    items, period = problem.items, problem.period
    if not items:
        return Layout((), 0)
    profile = load_profile([PackItem(item.start, item.end, item.size) for item in items], period)
    cut = min(profile, key=lambda step: step[1])[0]
    # Moments are counted from the cut. An item alive there began ``age`` moments ago and begins again at period - age.
    ages = [(cut - item.start) % period for item in items]
    lengths = [arc_length(item.start, item.end, period) for item in items]
    crossing = {number for number in range(len(items)) if ages[number] < lengths[number]}

    offsets: dict[int, int] = {}
    # End, number and term of the live items.
    alive: list[tuple[int, int, int | None]] = []
    free: list[Block] = []
    heap = 0
    for number in sorted(crossing, key=lambda number: -items[number].size):
        offsets[number] = aligned(heap, items[number].alignment)
        if offsets[number] > heap:
            release(free, Block(heap, offsets[number] - heap))
        heap = offsets[number] + items[number].size
        alive.append((lengths[number] - ages[number], number, period - ages[number]))
    rest = [number for number in range(len(items)) if number not in crossing]
    for number in sorted(rest, key=lambda number: (-ages[number] % period, -items[number].size)):
        item, start = items[number], -ages[number] % period
        last = start + lengths[number]
        for _, other, term in sorted(row for row in alive if row[0] <= start):
            release(free, Block(offsets[other], items[other].size, term))
        alive = [row for row in alive if row[0] > start]
        block = _smallest(free, item, last)
        if block is None:
            block = _grown(free, item, heap)
            heap = block.end
        else:
            free.remove(block)
        offset = offsets[number] = aligned(block.offset, item.alignment)
        if offset > block.offset:
            release(free, Block(block.offset, offset - block.offset, block.until))
        if block.end > offset + item.size:
            release(free, Block(offset + item.size, block.end - offset - item.size, block.until))
        alive.append((last, number, block.until))
    return layout(problem, offsets, heap)


def _grown(free: list[Block], item: BaselineItem, heap: int) -> Block:
    """A block for the item at the top of the heap, which includes the free bytes there."""
    if free and free[-1].end == heap and free[-1].until is None:
        heap = free.pop().offset
    return Block(heap, aligned(heap, item.alignment) + item.size - heap)


def _smallest(free: list[Block], item: BaselineItem, last: int) -> Block | None:
    """The smallest block that fits the item up to the moment ``last``; ties go to the lowest."""
    fitting = (
        block for block in free if aligned(block.offset, item.alignment) + item.size <= block.end and block.allows(last)
    )
    return min(fitting, key=lambda block: (block.size, block.offset), default=None)


CYCLIC_SCANLINE = Baseline("cyclic_scanline", "Sandu 2023, Algorithm 1", place)
