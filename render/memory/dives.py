"""Dives: pack upwards under a hard cap, never leaving less room than is still needed.

Time is a skyline: every moment has the height that is taken so far and the sum of what is still to come. A unit may be
placed, on top of the highest of its moments, where height and need still fit under the cap at all of them. Of those
that may, the one that comes to lie lowest is next; of equals, the first in the sequence. Where none may, the dive ends,
and those left over go earlier in the next one.
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
    """Returns how many units found no place; 0 is success, and then ``offsets`` is a packing under ``cap``.

    Unit u is alive in ``moments[bounds[u]:bounds[u + 1]]``. ``needs`` are the loads of all moments and are used up.
    ``left`` receives the units that found no place; two rows of ``scratch`` are room for a number a unit. No unit may
    be pinned. Works on lists and on numpy arrays alike.
    """
    lows = scratch[0]
    # How low a unit must lie; what is known may be out of date, and is then too little, because needs only shrink.
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
