"""Dives: bottom-up packing under a hard cap that always leaves room for the remaining units.

Every moment has a height (a skyline) and a need, the sum of the sizes still to be placed there. A unit is placed on the
highest of its moments, and only if height plus need stays under the cap at all of its moments. Of the possible units
the one with the lowest offset is next; ties go to the first in the sequence. If no unit is possible the dive ends, and
the units left over come earlier in the next dive.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence


def dive(
    sequence: Sequence[int],
    conflicts: Sequence[Sequence[int]],
    sizes: Sequence[int],
    alignments: Sequence[int],
    bounds: Sequence[int],
    moments: Sequence[int],
    cap: int,
    needs: MutableSequence[int],
    offsets: MutableSequence[int],
    left: MutableSequence[int],
    scratch: Sequence[MutableSequence[int]],
) -> int:
    """Returns the number of unplaced units; on 0, ``offsets`` is a packing under ``cap``.

    Unit u is alive in ``moments[bounds[u]:bounds[u + 1]]``. ``needs`` are the loads of all moments and are consumed.
    ``left`` receives the unplaced units; two rows of ``scratch`` have room for a number a unit. No unit may be pinned.
    Works on lists and on numpy arrays.
    """
    lows = scratch[0]
    # The highest possible offset of a unit. A stale value is too low, never too high, because needs only shrink.
    rooms = scratch[1]
    count = len(sequence)
    left[:count] = sequence[:count]
    for unit in sequence:
        lows[unit] = 0
        rooms[unit] = -1
    while count:
        chosen = -1
        lowest = 0
        for index in range(count):
            unit = left[index]
            low = lows[unit]
            if chosen < 0 or low < lowest:
                if low > rooms[unit]:
                    need = 0
                    for moment in moments[bounds[unit] : bounds[unit + 1]]:
                        if needs[moment] > need:
                            need = needs[moment]
                    rooms[unit] = cap - need
                if low <= rooms[unit]:
                    chosen = index
                    lowest = low
        if chosen < 0:
            break
        unit = left[chosen]
        size = sizes[unit]
        count -= 1
        left[chosen:count] = left[chosen + 1 : count + 1]
        offsets[unit] = lowest
        top = lowest + size
        for moment in moments[bounds[unit] : bounds[unit + 1]]:
            needs[moment] -= size
        row = conflicts[unit]
        for other in left[:count]:
            if row[other] and lows[other] < top:
                lows[other] = (top + alignments[other] - 1) // alignments[other] * alignments[other]
    return count
