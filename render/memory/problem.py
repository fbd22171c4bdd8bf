"""A packing problem as the algorithms see it: units with sizes, and which of them meet.

Time is compressed to the distinct starts of the arcs: two arcs meet exactly where one holds the other's start, and the
load only grows at starts. Bytes are counted in *granules*, the greatest common divisor of all alignments: every offset
is a whole number of them, so sizes are rounded up. What follows uses the conflict graph alone; that an arc wraps, that
alignments are mixed or that an offset is pinned needs no care of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from renderwright.render.columns import rows_of
from renderwright.render.memory.arcs import Ints, PackItem, ahead, conflict_matrix

Bools = NDArray[np.bool_]

MOST_BYTES = 1 << 60  # leaves room for sums of 64 bits


@dataclass(frozen=True, eq=False)
class Lives:
    """When units are in use, and which of them are so together: all of a problem but sizes.

    Unit by unit an arc: ``starts`` and ``durations`` count moments on a circle of ``period``. ``conflicts`` says which
    units share a moment (False on the diagonal).
    """

    period: int
    starts: Ints
    durations: Ints
    conflicts: Bools

    @cached_property
    def moments(self) -> Ints:
        """The distinct starts."""
        ordered = np.sort(self.starts)
        moments: Ints = ordered[np.concatenate([[True], ordered[1:] != ordered[:-1]])]
        return moments

    def alive_at(self, numbers: Ints) -> Bools:
        """For each of some of the ``moments`` (by number) a row: which units are alive."""
        since = ahead(self.moments[numbers], self.starts, self.period)
        return since < self.durations.astype(since.dtype)

    @cached_property
    def alive(self) -> Bools:
        """A row for each unit and a column for each of the ``moments``."""
        return np.ascontiguousarray(self.alive_at(np.arange(len(self.moments))).T)

    def sums(self, weights: Ints) -> Ints:
        """The sum of the weights of the units that are alive at each of the ``moments``."""
        begins, ends, wrapping = self._turns
        steps = np.zeros(len(self.moments) + 1, np.int64)
        np.add.at(steps, begins, weights)
        np.subtract.at(steps, ends, weights)
        sums: Ints = steps[:-1].cumsum() + weights[wrapping].sum()
        return sums

    @cached_property
    def _turns(self) -> tuple[Ints, Ints, Bools]:
        """For each unit the number of the moment at which it begins, and of that from which on it is over; and whether
        that is in the next round."""
        ends = self.starts + self.durations
        wrapping = ends > self.period
        ends[wrapping] -= self.period
        return self.moments.searchsorted(self.starts), self.moments.searchsorted(ends), wrapping

    @cached_property
    def long(self) -> Bools:
        """Which units live longer than half the circle."""
        return 2 * self.durations > self.period

    @cached_property
    def bits(self) -> Sequence[int]:
        """The units that each unit meets, as bit sets."""
        packed = np.packbits(np.ascontiguousarray(self.conflicts), axis=1, bitorder="little")
        rows: list[bytes] = packed.view(f"V{packed.shape[1]}").ravel().tolist()
        return [int.from_bytes(row, "little") for row in rows]


@dataclass(frozen=True)
class Problem:
    """Units to be placed: each is an item, or two twins at one offset.

    ``sizes``, ``alignments`` and ``pins`` (-1 where free) count granules of ``granule`` bytes. Where any are tied,
    ``units`` says for each item which unit it belongs to.
    """

    lives: Lives
    granule: int
    sizes: Ints
    alignments: Ints
    pins: Ints
    units: Ints | None = None

    @property
    def conflicts(self) -> Bools:
        """Which units share a moment."""
        return self.lives.conflicts

    @cached_property
    def pinned(self) -> bool:
        """Whether any unit is."""
        return bool((self.pins >= 0).any())

    @cached_property
    def floor(self) -> int:
        """Where the topmost pinned unit ends: no packing is lower."""
        return int((self.pins + self.sizes)[self.pins >= 0].max()) if self.pinned else 0

    @cached_property
    def loads(self) -> Ints:
        """Granules in use at each distinct start."""
        return self.lives.sums(self.sizes)

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
        return len(self.sizes)


def lives_of(arcs: bytes, period: int) -> Lives:
    """The lives of as many units: half-open arcs, no longer than the circle of a period. They are given as 64-bit
    integers, all the starts before all the ends."""
    starts, ends = np.frombuffer(arcs, np.int64).reshape(2, -1)
    durations = (ends - starts - 1) % period + 1
    starts = starts % period
    return Lives(period, starts, durations, conflict_matrix(starts, durations, period))


LivesOf = Callable[[bytes, int], Lives]
"""``lives_of``, or the same with a memory."""


@dataclass(frozen=True, eq=False)
class Columns:
    """At least one item to be packed on the circle of a ``period``, by column.

    ``twins`` are pairs, the lower number first; pins are -1 where free. Raises ``ValueError`` for what cannot be
    packed, whatever the others are.
    """

    period: int
    starts: Ints
    ends: Ints
    sizes: Ints
    alignments: Ints
    pins: Ints
    kinds: Ints
    twins: tuple[Ints, Ints]

    def __post_init__(self) -> None:
        if self.period < 1:
            raise ValueError(f"a circle of {self.period} moments")
        wrong = (self.sizes < 1) | (self.alignments < 1) | (np.abs(self.ends - self.starts) > self.period)
        if wrong.any():
            number = int(wrong.argmax())
            raise ValueError(f"item {number} cannot be packed on a circle of {self.period}: {self.items[number]}")
        if sum([column.sum(dtype=np.float64) for column in (self.sizes, self.alignments, self.pins)]) > MOST_BYTES:
            raise ValueError(_TOO_MANY_BYTES)

    @cached_property
    def items(self) -> Sequence[PackItem]:
        """The items one by one."""
        ones, others = self.twins
        twins = np.full(len(self.sizes), -1)
        twins[ones], twins[others] = others, ones
        pins = [None if pin < 0 else pin for pin in self.pins.tolist()]
        numbers = (self.starts, self.ends, self.sizes, self.alignments, twins)
        return rows_of(PackItem, *[column.tolist() for column in numbers], pins, self.kinds.tolist())


_TOO_MANY_BYTES = f"the items are more than {MOST_BYTES} bytes in all"


def columns_of(items: Sequence[PackItem], period: int) -> Columns:
    """Items by column. Raises ``ValueError`` as ``Columns`` does, and for pins and twins that cannot be."""
    for number, item in enumerate(items):
        if item.pin is not None and (item.pin < 0 or item.alignment < 1 or item.pin % item.alignment):
            raise ValueError(f"item {number} is pinned where its alignment does not allow it: {item}")
    *own, twins, pins, kinds = zip(*items, strict=True)
    free = [-1 if pin is None else pin for pin in pins]
    try:
        starts, ends, sizes, alignments, frees, those = np.array([*own, free, kinds], np.int64)
    except OverflowError as error:
        raise ValueError(_TOO_MANY_BYTES) from error
    return Columns(period, starts, ends, sizes, alignments, frees, those, _pairs(np.array(twins, np.int64)))


def _pairs(twins: Ints) -> tuple[Ints, Ints]:
    """Who is whose twin, each pair once."""
    ones = (twins >= 0).nonzero()[0]
    others = twins[ones]
    # A number that is none of an item stands for the first one.
    wrong = twins[others * (others < len(twins))] != ones
    if wrong.any():
        number = int(ones[wrong.argmax()])
        raise ValueError(f"item {number} calls {twins[number]} its twin, which does not agree")
    first = ones < others
    return ones[first], others[first]


def problem_of(columns: Columns, lives_of: LivesOf = lives_of) -> Problem:
    """The problem whose units are the items. Raises ``ValueError`` for pins that cannot be."""
    granule = int(np.gcd.reduce(columns.alignments))
    problem = Problem(
        lives_of(np.concatenate([columns.starts, columns.ends]).tobytes(), columns.period),
        granule,
        -(-columns.sizes // granule),
        columns.alignments // granule,
        columns.pins // granule,
    )
    if clash := pinned_clash(problem):
        raise ValueError(f"items {clash[0]} and {clash[1]} meet and are pinned to the same bytes")
    return problem


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


def spread(problem: Problem, offsets: Ints) -> Ints:
    """Offsets of units as offsets of their items."""
    return offsets if problem.units is None else offsets[problem.units]
