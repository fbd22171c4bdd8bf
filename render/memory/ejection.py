"""Guided ejection search: packing under a cap that ejects overlapping units.

Unplaced units are in a pool. The unit with the largest penalty x weight is placed next, in the tightest hole under the
cap. Without a hole its penalty increases, and it goes to the offset where the overlapped units have the smallest sum of
penalty x weight; these are ejected to the pool. (Ejection chains: F. Glover 1996; guided penalties: C. Voudouris,
E. Tsang 1999; both together, for routes: T. Nagata, O. Braysy 2009.) Candidate offsets are the tops of placed
conflicts, the offsets just below them, the floor, and the offset just below the cap.

The functions work on lists and on numpy arrays with equal results, because all integers are below 2**62.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

# The cost of a pinned unit. With weights to 2**20 and penalties to 2**14, up to 2**12 units cost less than one pinned
# unit, and as many pinned units cost no more than 2**62.
NEVER = 1 << 50
MOST_PENALTY = 1 << 14

Numbers = Sequence[int]
MutableNumbers = MutableSequence[int]


def eject(
    conflicts: Sequence[Numbers],
    sizes: Numbers,
    alignments: Numbers,
    pins: Numbers,
    weights: Numbers,
    cap: int,
    steps: int,
    count: int,
    waiting: int,
    random: int,
    noise: int,
    penalties: MutableNumbers,
    offsets: MutableNumbers,
    placed: MutableNumbers,
    pool: MutableNumbers,
    scratch: Sequence[MutableNumbers],
) -> tuple[int, int, int, int, bool]:
    """Search from ``offsets`` (a valid packing) for a packing under ``cap``. Returns the remaining steps, the state of
    the random generator, the numbers of units placed and in the pool, and whether the search is stuck: pinned units
    leave no room for the unit that was next. An empty pool is success: ``offsets`` is then a packing, and ``placed``
    has the units in its order. A search that is not stuck goes on with what it has returned as if it had not stopped.

    All sizes are in granules. ``placed``, ``pool`` and the four rows of ``scratch`` have room for one number more than
    units; the first ``count`` of ``placed`` and the first ``waiting`` of ``pool`` are input. Of 1024 choices, ``noise``
    are random.
    """
    stuck = False
    count, waiting = take_out_above(cap, sizes, pins, offsets, placed, count, pool, waiting)
    while waiting and steps > 0:
        steps -= 1
        random = random * 48271 % 2147483647
        choice = most_urgent(pool, waiting, penalties, weights)
        if random % 1024 < noise:
            choice = random // 1024 % waiting
        unit = pool[choice]
        waiting -= 1
        pool[choice] = pool[waiting]
        size, alignment = sizes[unit], alignments[unit]
        found, best = tightest_hole(
            conflicts[unit], size, alignment, cap, sizes, pins, weights, penalties, offsets, placed, count, scratch
        )
        if best < 0:
            penalties[unit] = min(penalties[unit] + 1, MOST_PENALTY)
            best, cost = cheapest_standing(size, alignment, cap, offsets, found, scratch)
            hanging, hanging_cost = cheapest_hanging(size, alignment, cap, offsets, found, scratch)
            if hanging_cost < cost:
                best = hanging
            if best < 0:
                pool[waiting] = unit
                waiting += 1
                stuck = True
                break
            count, waiting = take_out_overlapped(
                conflicts[unit], best, best + size, sizes, offsets, placed, count, pool, waiting
            )
        offsets[unit] = best
        insert(unit, offsets, placed, count)
        count += 1
    return steps, random, count, waiting, stuck


def take_out_above(
    cap: int,
    sizes: Numbers,
    pins: Numbers,
    offsets: Numbers,
    placed: MutableNumbers,
    count: int,
    pool: MutableNumbers,
    waiting: int,
) -> tuple[int, int]:
    """Move units that end above ``cap`` and are not pinned to the pool. Returns the numbers placed and in the pool."""
    kept = 0
    for unit in placed[:count]:
        if offsets[unit] + sizes[unit] > cap and pins[unit] < 0:
            pool[waiting] = unit
            waiting += 1
        else:
            placed[kept] = unit
            kept += 1
    return kept, waiting


def take_out_overlapped(
    row: Numbers,
    low: int,
    high: int,
    sizes: Numbers,
    offsets: Numbers,
    placed: MutableNumbers,
    count: int,
    pool: MutableNumbers,
    waiting: int,
) -> tuple[int, int]:
    """Move the conflicts in ``row`` that overlap ``low`` to ``high`` to the pool. Returns the numbers placed and in the
    pool."""
    kept = 0
    for other in placed[:count]:
        if row[other] and offsets[other] < high and offsets[other] + sizes[other] > low:
            pool[waiting] = other
            waiting += 1
        else:
            placed[kept] = other
            kept += 1
    return kept, waiting


def most_urgent(pool: Numbers, waiting: int, penalties: Numbers, weights: Numbers) -> int:
    """The place in the pool of the unit with the largest penalty x weight."""
    choice = 0
    largest = -1
    for index in range(waiting):
        value = penalties[pool[index]] * weights[pool[index]]
        if value > largest:
            largest = value
            choice = index
    return choice


def tightest_hole(
    row: Numbers,
    size: int,
    alignment: int,
    cap: int,
    sizes: Numbers,
    pins: Numbers,
    weights: Numbers,
    penalties: Numbers,
    offsets: Numbers,
    placed: Numbers,
    count: int,
    scratch: Sequence[MutableNumbers],
) -> tuple[int, int]:
    """The number of placed conflicts of a unit, and the offset of the tightest hole between them, or -1.

    Fills ``scratch`` with the conflicts in the order of their offsets, their costs, their ends in rising order, and the
    costs in the order of the ends.
    """
    near, costs, ends, end_costs = scratch[0], scratch[1], scratch[2], scratch[3]
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
    return found, best


def cheapest_standing(
    size: int, alignment: int, cap: int, offsets: Numbers, found: int, scratch: Sequence[Numbers]
) -> tuple[int, int]:
    """The offset on the floor or on top of a conflict where the overlapped units cost least, and that cost.

    Returns -1 and ``NEVER`` where every such offset overlaps a pinned unit. ``scratch`` is as ``tightest_hole`` fills
    it. As the offset rises, overlapping units enter from above and leave below.
    """
    near, costs, ends, end_costs = scratch[0], scratch[1], scratch[2], scratch[3]
    best = -1
    least = NEVER
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
    return best, least


def cheapest_hanging(
    size: int, alignment: int, cap: int, offsets: Numbers, found: int, scratch: Sequence[Numbers]
) -> tuple[int, int]:
    """The offset just below a conflict or the cap where the overlapped units cost least, and that cost; else as
    ``cheapest_standing``."""
    near, costs, ends, end_costs = scratch[0], scratch[1], scratch[2], scratch[3]
    best = -1
    least = NEVER
    inside = 0
    coming = 0
    leaving = 0
    for index in range(found + 1):
        limit = cap
        if index < found:
            limit = min(offsets[near[index]], cap)
        if limit < size:
            continue
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
    return best, least


def insert(unit: int, offsets: Numbers, placed: MutableNumbers, count: int) -> None:
    """Insert a unit into ``placed``, which is in the order of offsets, behind those at its own offset."""
    first = 0
    last = count
    while first < last:
        middle = (first + last) // 2
        if offsets[placed[middle]] <= offsets[unit]:
            first = middle + 1
        else:
            last = middle
    placed[first + 1 : count + 1] = placed[first:count]
    placed[first] = unit


PARTS = (
    take_out_above,
    take_out_overlapped,
    most_urgent,
    tightest_hole,
    cheapest_standing,
    cheapest_hanging,
    insert,
)
"""What ``eject`` calls, for compilers that compile functions one by one."""
