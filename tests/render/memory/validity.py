"""The definition of a valid packing, checked moment for moment and byte for byte, with none of the packer's code."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from renderwright.render.memory.arcs import PackItem
from renderwright.render.memory.packing import Packing


def moments(item: PackItem, period: int) -> frozenset[int]:
    """Every moment of the item's life, counted one by one."""
    length = (item.end - item.start) % period or period
    return frozenset((item.start + step) % period for step in range(length))


def wrong(items: Sequence[PackItem], period: int, packing: Packing) -> list[str]:
    """What is wrong with the packing; nothing if it is valid and its numbers are true, as far as brute force tells."""
    if len(packing.offsets) != len(items):
        return [f"{len(packing.offsets)} offsets for {len(items)} items"]
    placed = list(zip(items, packing.offsets, (moments(item, period) for item in items), strict=True))
    found = []
    for number, (item, offset, _) in enumerate(placed):
        if type(offset) is not int or offset < 0 or offset % item.alignment:
            found.append(f"item {number} is at {offset!r}, aligned to {item.alignment}")
        if item.pin is not None and offset != item.pin:
            found.append(f"item {number} is at {offset}, pinned to {item.pin}")
    for (one, (first, low, life)), (other, (second, high, more)) in combinations(enumerate(placed), 2):
        if life & more and low < high + second.size and high < low + first.size:
            found.append(f"items {one} and {other} share bytes and moments")
    ends = [offset + item.size for item, offset, _ in placed]
    if packing.makespan != max(ends, default=0):
        found.append(f"the makespan is {max(ends, default=0)}, not {packing.makespan}")
    loads = [sum(item.size for item, _, life in placed if moment in life) for moment in range(period)]
    if packing.load != max(loads):
        found.append(f"the load is {max(loads)}, not {packing.load}")
    if not packing.load <= packing.clique <= packing.makespan:
        found.append(f"load {packing.load}, clique {packing.clique}, makespan {packing.makespan} are out of order")
    if packing.makespan == packing.clique and not packing.optimal:
        found.append("the makespan meets the clique but is not called optimal")
    return found
