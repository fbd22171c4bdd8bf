"""Grows a clique: adds units that meet all members, and exchanges a few members for one that weighs more."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

MOST_OUT = 3  # units that one may replace


def grow(
    conflicts: Sequence[Sequence[int]],
    order: Sequence[int],
    sizes: Sequence[int],
    members: MutableSequence[int],
    count: int,
) -> int:
    """Units are tried in turn, over and over, until none comes in; returns how many there are in the end.

    ``members`` begins with the ``count`` units of the clique, and has room for all units. Works on lists and on numpy
    arrays alike.
    """
    last = -1
    while True:
        before = last
        for unit in order:
            if unit == last:
                return count  # all others have been tried since it came
            row = conflicts[unit]
            out = 0
            weight = 0
            for other in members[:count]:
                if not row[other]:
                    out += 1
                    weight += sizes[other]
                    # A unit that is there already weighs as much as itself.
                    if out > MOST_OUT or weight >= sizes[unit]:
                        out = -1
                        break
            if out < 0:
                continue
            kept = 0
            for other in members[:count]:
                if row[other]:
                    members[kept] = other
                    kept += 1
            members[kept] = unit
            count = kept + 1
            last = unit
        if last == before:
            return count
