"""A packing problem as the algorithms see it: units with sizes, and which of them meet.

Time is compressed to the distinct starts of the arcs: two arcs meet exactly where one holds the other's start, and the
load only grows at starts. Bytes are counted in *granules*, the greatest common divisor of all alignments: every offset
is a whole number of them, so sizes are rounded up. What follows uses the conflict graph alone; that an arc wraps, that
alignments are mixed or that an offset is pinned needs no care of its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
from operator import sub

import numpy as np
from numpy.typing import NDArray

from render.memory.arcs import PackItem

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

MOST_BYTES = 1 << 60  # leaves room for sums of 64 bits
SPARSE = 100  # conflicts of a unit on average, up to which lists are quicker than arrays


@dataclass(frozen=True, eq=False)
class Lives:
    """When units are in use, and which of them are so together: all of a problem but sizes.

    ``starts`` and ``durations`` count moments on a circle of ``period``. ``alive`` has a row for each unit and a column
    for each of the ``moments``, the distinct starts; ``conflicts`` says which units share a moment (False on the
    diagonal).
    """

    period: int
    moments: Ints
    starts: Ints
    durations: Ints
    alive: Bools
    conflicts: Bools

    @property
    def long(self) -> Bools:
        """Which units live longer than half the circle."""
        return 2 * self.durations > self.period

    @cached_property
    def sparse(self) -> bool:
        """Whether units have so few conflicts that it is quicker to go through lists than through arrays."""
        return int(np.count_nonzero(self.conflicts)) <= SPARSE * len(self.conflicts)

    @cached_property
    def neighbours(self) -> Sequence[Sequence[int]]:
        """The units that each unit meets."""
        owners, units = self.conflicts.nonzero()
        bounds = owners.searchsorted(np.arange(len(self.conflicts) + 1)).tolist()
        found: list[int] = units.tolist()
        return [found[begin:end] for begin, end in pairwise(bounds)]

    @cached_property
    def bits(self) -> Sequence[int]:
        """The same as bit sets."""
        packed = np.packbits(self.conflicts, axis=1, bitorder="little")
        rows: list[bytes] = packed.view(f"V{packed.shape[1]}").ravel().tolist()
        return [int.from_bytes(row, "little") for row in rows]


@dataclass(frozen=True)
class Problem:
    """Units to be placed: each is an item, or two twins at one offset.

    ``members`` are the items of each unit. ``sizes``, ``alignments`` and ``pins`` (-1 where free) count granules of
    ``granule`` bytes.
    """

    lives: Lives
    granule: int
    members: tuple[tuple[int, ...], ...]
    sizes: Ints
    alignments: Ints
    pins: Ints

    @property
    def conflicts(self) -> Bools:
        """Which units share a moment."""
        return self.lives.conflicts

    @cached_property
    def pinned(self) -> bool:
        """Whether any unit is."""
        return bool((self.pins >= 0).any())

    @cached_property
    def loads(self) -> Ints:
        """Granules in use at each distinct start."""
        return self.sums(self.sizes)

    def sums(self, weights: Ints) -> Ints:
        """The sum of the weights of the units that are alive at each distinct start."""
        exact = np.float64 if int(weights.sum()) < 2**53 else np.int64
        # The product of floats is many times faster, and exact for integers of this size.
        return (weights.astype(exact) @ self.lives.alive.astype(exact)).astype(np.int64)

    @cached_property
    def load(self) -> int:
        """The largest sum of sizes in use at one moment."""
        return int(self.loads.max())

    @cached_property
    def crowding(self) -> Ints:
        """The largest load along each unit's life."""
        highest: Ints = np.where(self.lives.alive, self.loads, 0).max(axis=1)
        return highest

    @property
    def count(self) -> int:
        """How many units there are."""
        return len(self.members)


def lives_of(arcs: Sequence[tuple[int, int]], period: int) -> Lives:
    """The lives of as many units: half-open arcs, no longer than the circle of a period."""
    table = np.array(list(chain.from_iterable(arcs)), np.int64).reshape(-1, 2)
    starts = table[:, 0] % period
    durations = (table[:, 1] - table[:, 0] - 1) % period + 1
    moments = np.sort(starts)
    moments = moments[np.append(True, moments[1:] != moments[:-1])]
    begins = moments.searchsorted(starts)
    ends = starts + durations
    wrapping = ends > period
    ends[wrapping] -= period
    # Moments by number from here on: comparing small integers takes a fraction.
    small = np.int16 if len(moments) < 1 << 15 else np.int32
    numbers = np.arange(len(moments), dtype=small)
    begun = numbers >= begins.astype(small)[:, None]
    going = numbers < moments.searchsorted(ends).astype(small)[:, None]
    alive = begun & going
    alive[wrapping] = begun[wrapping] | going[wrapping]
    at_starts = np.ascontiguousarray(alive.T)[begins]
    conflicts = at_starts | at_starts.T
    np.fill_diagonal(conflicts, False)
    return Lives(period, moments, starts, durations, alive, conflicts)


LivesOf = Callable[[tuple[tuple[int, int], ...], int], Lives]
"""``lives_of``, or the same with a memory."""


def problem_of(items: Sequence[PackItem], period: int, lives_of: LivesOf = lives_of) -> Problem:
    """The problem whose units are the items (at least one). Raises ``ValueError`` for what cannot be packed."""
    check_items(items, period)
    starts, ends, lengths, alignments, _, pins, _ = zip(*items, strict=True)
    granule = math.gcd(*set(alignments))
    problem = Problem(
        lives_of(tuple(zip(starts, ends, strict=True)), period),
        granule,
        tuple(zip(range(len(items)))),
        -(-np.array(lengths, np.int64) // granule),
        np.array(alignments, np.int64) // granule,
        np.array([-1 if pin is None else pin // granule for pin in pins], np.int64),
    )
    if clash := pinned_clash(problem):
        raise ValueError(f"items {clash[0]} and {clash[1]} meet and are pinned to the same bytes")
    return problem


def check_items(items: Sequence[PackItem], period: int) -> None:
    """Raises ``ValueError`` for an item that cannot be packed, whatever the others are."""
    if period < 1:
        raise ValueError(f"a circle of {period} moments")
    if items and _in_order(items, period):
        return
    for number, item in enumerate(items):
        if item.size < 1 or item.alignment < 1 or abs(item.end - item.start) > period:
            raise ValueError(f"item {number} cannot be packed on a circle of {period}: {item}")
        if item.twin >= 0 and items[item.twin].twin != number:
            raise ValueError(f"item {number} calls {item.twin} its twin, which does not agree")
        if item.pin is not None and (item.pin < 0 or item.pin % item.alignment):
            raise ValueError(f"item {number} is pinned where its alignment does not allow it: {item}")
    if sum(item.size + item.alignment + (item.pin or 0) for item in items) > MOST_BYTES:
        raise ValueError(f"the items are more than {MOST_BYTES} bytes in all")


def _in_order(items: Sequence[PackItem], period: int) -> bool:
    """Whether it can be told at a glance that nothing is wrong with the items."""
    starts, ends, sizes, alignments, twins, pins, _ = zip(*items, strict=True)
    count = len(items)
    return (
        min(sizes) >= 1
        and min(alignments) >= 1
        and max(map(abs, map(sub, ends, starts))) <= period
        and max(twins) < count
        and [twins[twin] for twin in twins if twin >= 0] == [number for number, twin in enumerate(twins) if twin >= 0]
        and pins.count(None) == count
        and sum(sizes) + sum(alignments) <= MOST_BYTES
    )


def pinned_clash(problem: Problem) -> tuple[int, int] | None:
    """Two pinned units that meet and overlap, if there are any."""
    if not problem.pinned:
        return None
    pinned = np.flatnonzero(problem.pins >= 0)
    lows = problem.pins[pinned]
    ends = lows + problem.sizes[pinned]
    clashes = (lows[:, None] < ends) & (lows < ends[:, None]) & problem.conflicts[pinned][:, pinned]
    where = np.argwhere(clashes)
    return (int(pinned[where[0][0]]), int(pinned[where[0][1]])) if len(where) else None


def spread(problem: Problem, offsets: Sequence[int], items: int) -> list[int]:
    """Offsets of units as offsets of as many items."""
    result = [0] * items
    for members, offset in zip(problem.members, offsets, strict=True):
        for member in members:
            result[member] = offset
    return result
