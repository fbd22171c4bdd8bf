"""First-fit: places each unit, in a given order, in the lowest hole between its placed conflicts."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from renderwright.render.memory.occupancy import Occupancy


def first_fit(
    conflicts: Sequence[Sequence[int]],
    sequence: Sequence[int],
    sizes: Sequence[int],
    alignments: Sequence[int],
    pins: Sequence[int],
    limit: int,
    offsets: MutableSequence[int],
    placed: MutableSequence[int],
) -> int:
    """Place the units of ``sequence`` in turn; pinned units must come first. Returns the makespan, or -1 as soon as it
    cannot be less than ``limit``.

    Fills ``offsets``; ``placed`` is scratch of the same length. Works on lists and on numpy arrays.
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
        # The rank among the placed units, which are sorted by offset.
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
    near: Sequence[int],
    sequence: Sequence[int],
    sizes: Sequence[int],
    alignments: Sequence[int],
    pins: Sequence[int],
    limit: int,
    offsets: MutableSequence[int],
    placed: MutableSequence[int],
) -> int:
    """``first_fit`` for lists, several times faster when interpreted. ``near`` are the conflicts of each unit as a bit
    set."""
    top = 0
    occupancy = Occupancy()
    for unit in sequence:
        size = sizes[unit]
        low = pins[unit]
        if low < 0:
            low = occupancy.lowest(near[unit], size, alignments[unit], 0, limit)
        end = low + size
        if end > top:
            top = end
            if top >= limit:
                return -1
        offsets[unit] = low
        occupancy.put(unit, low, end)
    placed[: len(sequence)] = sorted(sequence, key=offsets.__getitem__)
    return top
