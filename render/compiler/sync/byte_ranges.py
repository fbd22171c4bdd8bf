"""Which placed copies of resources have bytes in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from renderwright.render.compiler.values.placement import Placement
from renderwright.render.sync.images import CopyKey

Ints = NDArray[np.int64]


class Rows(NamedTuple):
    """Rows of numbers, one behind the other: where each row begins, and the ``numbers`` of all rows."""

    begins: Ints
    numbers: Ints

    @property
    def lengths(self) -> Ints:
        """The length of each row."""
        return np.diff(self.begins, append=len(self.numbers))

    def select(self, rows: Ints) -> Rows:
        """Some of the rows, in turn."""
        lengths = self.lengths[rows]
        return Rows(lengths.cumsum() - lengths, self.numbers[counting(self.begins[rows], lengths)])


def counting(begins: Ints, lengths: Ints) -> Ints:
    """Numbers that count up from each beginning, as many as its length, one row behind the other."""
    ends = lengths.cumsum()
    found: Ints = (begins + lengths - ends).repeat(lengths) + np.arange(ends[-1])
    return found


@dataclass(frozen=True)
class Sharing:
    """Which placed copies have bytes in common: everything of a placement that barriers depend on.

    ``copies`` of one resource follow one another. ``ranges`` has the number of each copy's byte range; most ranges
    belong to several copies. ``pairs`` are the pairs of ranges that overlap, each range with itself among them, sorted:
    the first one times the number of ranges plus the second one, as bytes of 64-bit integers.
    """

    copies: tuple[CopyKey, ...]
    ranges: tuple[int, ...]
    pairs: bytes

    @cached_property
    def numbers(self) -> Mapping[CopyKey, int]:
        """The number of each copy."""
        return {copy: number for number, copy in enumerate(self.copies)}

    @cached_property
    def parities(self) -> Ints:
        """Which copy of its resource each one is."""
        return np.array([copy for _, copy in self.copies], np.int64)

    @cached_property
    def by_copy(self) -> Rows:
        """For each copy the numbers of the copies that have bytes in common with it, itself among them."""
        range_of_copies = np.array(self.ranges, np.int64)
        lengths = np.bincount(range_of_copies)
        copies_of_ranges = Rows(lengths.cumsum() - lengths, range_of_copies.argsort(kind="stable"))
        count = len(lengths)
        pairs = np.frombuffer(self.pairs, np.int64)
        one = pairs // count  # several times faster than numpy's divmod
        near = copies_of_ranges.select(pairs - one * count)
        of_ranges = Rows(near.begins[one.searchsorted(np.arange(count))], near.numbers)
        return of_ranges.select(range_of_copies)


def sharing(placement: Placement) -> Sharing:
    """The copies of a placement, and which of their byte ranges overlap."""
    placed = placement.resources
    copies = [(item.id, number) for item in placed for number in range(len(item.copies))]
    if not copies:
        return Sharing((), (), b"")
    # All heaps on one line, one behind the other.
    heap_begins = [0, *accumulate([heap.size for heap in placement.heaps])]
    spans = [(heap_begins[copy.heap] + copy.offset, item.size) for item in placed for copy in item.copies]
    # Most ranges belong to several copies.
    numbers: dict[tuple[int, int], int] = {}
    ranges = [numbers.setdefault(span, len(numbers)) for span in spans]
    starts, sizes = np.fromiter(chain.from_iterable(numbers), np.int64).reshape(-1, 2).T
    order = starts.argsort(kind="stable")
    starts = starts[order]
    # Each range overlaps with itself and with those right behind it that start before it ends.
    ranks = np.arange(len(order))
    counts = starts.searchsorted(starts + sizes[order]) - ranks
    one, other = order.repeat(counts), order[counting(ranks, counts)]
    apart = one != other
    pairs = np.concatenate([one * len(order) + other, (other * len(order) + one)[apart]])
    pairs.sort()
    return Sharing(tuple(copies), tuple(ranges), pairs.tobytes())
