"""Packing into several blocks, for heaps with a size limit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from renderwright.render.memory.arcs import PackItem, arcs_meet
from renderwright.render.memory.bound import load
from renderwright.render.memory.packing import Packing

Pack = Callable[[Sequence[PackItem], int], Packing]
"""``pack`` bound to a policy: takes items and the period."""


@dataclass(frozen=True)
class Block:
    """The items (by number) of one block. The packing's offsets are in the order of ``items``."""

    items: tuple[int, ...]
    packing: Packing


def pack_blocks(items: Sequence[PackItem], period: int, limit: int, pack: Pack) -> tuple[Block, ...]:
    """Packs the items. Items that end beyond ``limit`` bytes move to holes below it, or to further blocks.

    An item larger than the limit gets a block of its own size. Twins may get different blocks. A pin holds in the block
    of its item.
    """
    blocks: list[Block] = []
    left = list(range(len(items)))
    while left:
        chosen = _only(items, left) if blocks else items
        packing = pack(chosen, period)
        if packing.makespan <= limit:
            blocks.append(Block(tuple(left), packing))
            break
        offsets = _below(chosen, packing.offsets, period, limit)
        inside = sorted(offsets)
        blocks.append(Block(tuple(left[number] for number in inside), _packing(chosen, offsets, inside, period)))
        left = [item for number, item in enumerate(left) if number not in offsets]
    return tuple(blocks)


def _only(items: Sequence[PackItem], numbers: Sequence[int]) -> list[PackItem]:
    """A subset of the items, without twins outside of it."""
    places = {number: place for place, number in enumerate(numbers)}
    return [items[number]._replace(twin=places.get(items[number].twin, -1)) for number in numbers]


def _below(items: Sequence[PackItem], offsets: Sequence[int], period: int, limit: int) -> dict[int, int]:
    """Offsets by number of the items that fit into one block, at least one."""
    inside = {number: offset for number, offset in enumerate(offsets) if offset + items[number].size <= limit}
    outside = sorted(set(range(len(items))) - set(inside), key=lambda number: (-items[number].size, number))
    if not inside:
        return {outside[0]: items[outside[0]].pin or 0}
    for number in outside:
        offset = _lowest_hole(items, inside, number, period)
        if items[number].pin is None and offset + items[number].size <= limit:
            inside[number] = offset
    return inside


def _lowest_hole(items: Sequence[PackItem], placed: dict[int, int], number: int, period: int) -> int:
    """The lowest offset at which the item overlaps no placed item that conflicts with it."""
    item = items[number]
    taken = sorted(
        (offset, offset + items[other].size)
        for other, offset in placed.items()
        if arcs_meet((item.start, item.end), (items[other].start, items[other].end), period)
    )
    low = 0
    for start, end in taken:
        if start - low >= item.size:
            break
        low = max(low, -(-end // item.alignment) * item.alignment)
    return low


def _packing(items: Sequence[PackItem], offsets: dict[int, int], inside: Sequence[int], period: int) -> Packing:
    kept = [items[number] for number in inside]
    size = max(offsets[number] + items[number].size for number in inside)
    bound = load(kept, period)
    return Packing(tuple(offsets[number] for number in inside), size, bound, bound, size == bound)
