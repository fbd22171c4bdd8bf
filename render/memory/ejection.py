"""Guided ejection search: packing under a cap that ejects overlapping units.

Unplaced units are in a pool. The unit with the largest penalty x weight is placed next, in the tightest hole under the
cap. Without a hole its penalty increases, and it goes to the offset where the overlapped units have the smallest sum of
penalty x weight; these are ejected to the pool. (Ejection chains: F. Glover 1996; guided penalties: C. Voudouris,
E. Tsang 1999; both together, for routes: T. Nagata, O. Braysy 2009.) Candidate offsets are the tops of placed
conflicts, the offsets just below them, the floor, and the offset just below the cap.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

# The cost of a pinned unit. With weights to 2**20 and penalties to 2**14, up to 2**12 units cost less than one pinned
# unit, and as many pinned units cost no more than 2**62.
NEVER = 1 << 50
MOST_PENALTY = 1 << 14


def eject(
    conflicts: Sequence[Sequence[int]],
    sizes: Sequence[int],
    alignments: Sequence[int],
    pins: Sequence[int],
    weights: Sequence[int],
    cap: int,
    steps: int,
    count: int,
    waiting: int,
    random: int,
    noise: int,
    penalties: MutableSequence[int],
    offsets: MutableSequence[int],
    placed: MutableSequence[int],
    pool: MutableSequence[int],
    scratch: Sequence[MutableSequence[int]],
) -> tuple[int, int, int, int]:
    """Search from ``offsets`` (a valid packing) for a packing under ``cap``. Returns the remaining steps, the state of
    the random generator, and the numbers of units placed and in the pool. An empty pool is success: ``offsets`` is then
    a packing, and ``placed`` has the units in its order.

    All sizes are in granules. ``placed``, ``pool`` and the four rows of ``scratch`` have room for one number more than
    units; the first ``count`` of ``placed`` and the first ``waiting`` of ``pool`` are input. Of 1024 choices, ``noise``
    are random. Works on lists and on numpy arrays with equal results, because all integers are below 2**62.
    """
    near = scratch[0]
    costs = scratch[1]
    ends = scratch[2]
    end_costs = scratch[3]
    kept = 0
    for unit in placed[:count]:
        if offsets[unit] + sizes[unit] > cap and pins[unit] < 0:
            pool[waiting] = unit
            waiting += 1
        else:
            placed[kept] = unit
            kept += 1
    count = kept
    while waiting and steps > 0:
        steps -= 1
        # The unit with the largest penalty x weight.
        choice = 0
        largest = -1
        for index in range(waiting):
            value = penalties[pool[index]] * weights[pool[index]]
            if value > largest:
                largest = value
                choice = index
        random = random * 48271 % 2147483647
        if random % 1024 < noise:
            choice = random // 1024 % waiting
        unit = pool[choice]
        waiting -= 1
        pool[choice] = pool[waiting]
        row = conflicts[unit]
        size = sizes[unit]
        alignment = alignments[unit]
        # Its placed conflicts by offset, the ends of these in order, and the tightest hole.
        found = 0
        low = 0
        best = -1
        spare = 0
        top = 0
        for other in placed[:count]:
            if row[other]:
                below = offsets[other]
                room = below - low - size
                if room >= 0 and (best < 0 or room < spare):
                    spare = room
                    best = low
                end = below + sizes[other]
                if end > top:
                    top = end
                    low = (end + alignment - 1) // alignment * alignment
                cost = penalties[other] * weights[other] if pins[other] < 0 else NEVER
                near[found] = other
                costs[found] = cost
                index = found
                while index > 0 and ends[index - 1] > end:
                    ends[index] = ends[index - 1]
                    end_costs[index] = end_costs[index - 1]
                    index -= 1
                ends[index] = end
                end_costs[index] = cost
                found += 1
        room = cap - low - size
        if room >= 0 and (best < 0 or room < spare):
            best = low
        if best < 0:
            penalties[unit] = min(penalties[unit] + 1, MOST_PENALTY)
            least = NEVER
            # The floor, then the tops: as the offset rises, overlapping units enter from above and leave below.
            inside = 0
            coming = 0
            leaving = 0
            for index in range(-1, found):
                position = 0
                if index >= 0:
                    position = (ends[index] + alignment - 1) // alignment * alignment
                if position + size > cap:
                    break
                while coming < found and offsets[near[coming]] < position + size:
                    inside += costs[coming]
                    coming += 1
                while leaving < found and ends[leaving] <= position:
                    inside -= end_costs[leaving]
                    leaving += 1
                if inside < least:
                    least = inside
                    best = position
            # The offsets just below each conflict, and just below the cap.
            inside = 0
            coming = 0
            leaving = 0
            for index in range(found + 1):
                limit = cap
                if index < found:
                    limit = offsets[near[index]]
                if limit < size:
                    continue
                if limit > cap:
                    limit = cap
                position = (limit - size) // alignment * alignment
                while coming < found and offsets[near[coming]] < position + size:
                    inside += costs[coming]
                    coming += 1
                while leaving < found and ends[leaving] <= position:
                    inside -= end_costs[leaving]
                    leaving += 1
                if inside < least:
                    least = inside
                    best = position
            if best < 0:
                pool[waiting] = unit
                waiting += 1
                break
            # Eject the overlapped units.
            kept = 0
            for other in placed[:count]:
                if row[other] and offsets[other] < best + size and offsets[other] + sizes[other] > best:
                    pool[waiting] = other
                    waiting += 1
                else:
                    placed[kept] = other
                    kept += 1
            count = kept
        offsets[unit] = best
        first = 0
        last = count
        while first < last:
            middle = (first + last) // 2
            if offsets[placed[middle]] <= best:
                first = middle + 1
            else:
                last = middle
        placed[first + 1 : count + 1] = placed[first:count]
        placed[first] = unit
        count += 1
    return steps, random, count, waiting
