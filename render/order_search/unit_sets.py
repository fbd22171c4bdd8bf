"""Sets of units as integers: bit n says whether unit n is in the set."""

from __future__ import annotations

from collections.abc import Iterable


def unit_set(units: Iterable[int]) -> int:
    """The set of these units."""
    bits = 0
    for unit in units:
        bits |= 1 << unit
    return bits


def units_of(bits: int) -> list[int]:
    """The units of a set, in order."""
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return found
