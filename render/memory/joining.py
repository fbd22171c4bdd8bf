"""Moves pairs of units to a common offset, one pair after the other, in an existing packing."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence


def join_in_turn(
    conflicts: Sequence[Sequence[int]],
    ones: Sequence[int],
    others: Sequence[int],
    sizes: Sequence[int],
    alignments: Sequence[int],
    pins: Sequence[int],
    limit: int,
    lengths: Sequence[int],
    offsets: MutableSequence[int],
    placed: MutableSequence[int],
) -> int:
    """Moves each pair of ``ones`` and ``others`` in turn to the lowest offset at which both fit below ``limit``, if
    any. Returns the number of moved pairs.

    A pair has a row of ``conflicts`` (with either unit), a size, an alignment and a pin (-1 for none). Units have
    ``lengths`` and ``offsets``; ``placed`` are all units sorted by offset. Works on lists and on numpy arrays.
    """
    moved = 0
    count = len(placed)
    for pair in range(len(ones)):
        row = conflicts[pair]
        size = sizes[pair]
        alignment = alignments[pair]
        pin = pins[pair]
        low = pin if pin >= 0 else 0
        for unit in placed:
            if row[unit]:
                if offsets[unit] - low >= size:
                    break
                end = offsets[unit] + lengths[unit]
                if end > low:
                    low = (end + alignment - 1) // alignment * alignment
                    if low + size > limit:
                        break
        if low % alignment or low + size > limit or (pin >= 0 and pin != low):
            continue
        moved += 1
        for unit in (ones[pair], others[pair]):
            rank = 0
            while placed[rank] != unit:
                rank += 1
            while rank + 1 < count and offsets[placed[rank + 1]] <= low:
                placed[rank] = placed[rank + 1]
                rank += 1
            while rank and offsets[placed[rank - 1]] > low:
                placed[rank] = placed[rank - 1]
                rank -= 1
            placed[rank] = unit
            offsets[unit] = low
    return moved
