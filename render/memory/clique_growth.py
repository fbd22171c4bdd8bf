"""Clique growth: adds units that conflict with all members, and replaces a few members by a heavier unit."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

MOST_OUT = 3  # members that one unit may replace


def grow(
    conflicts: Sequence[Sequence[int]],
    order: Sequence[int],
    sizes: Sequence[int],
    members: MutableSequence[int],
    count: int,
) -> int:
    """Tries all units in ``order`` repeatedly until none is added; returns the number of members.

    The first ``count`` elements of ``members`` are the clique; it has room for all units. Works on lists and on numpy
    arrays.
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
                    # This also rejects members: a member counts itself, at its own weight.
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
