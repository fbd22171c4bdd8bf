"""Which placed copies of resources have bytes in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
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
class ByteOverlaps:
    """Which placed copies have bytes in common: everything of a placement that barriers depend on.

    ``copies`` of one resource follow one another. ``pairs`` are the pairs of copies (by number) that overlap, each copy
    with itself among them, sorted: the first one times the number of copies plus the second one, as bytes of 64-bit
    integers.
    """

    copies: tuple[CopyKey, ...]
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
    def resources(self) -> Ints:
        """The number of the resource of each one; resources count up from 1."""
        return np.array([copy == 0 for _, copy in self.copies], np.int64).cumsum()

    @cached_property
    def by_copy(self) -> Rows:
        """For each copy the numbers of the copies that have bytes in common with it, itself among them."""
        count = len(self.copies)
        pairs = np.frombuffer(self.pairs, np.int64)
        one = pairs // count  # several times faster than numpy's divmod
        return Rows(one.searchsorted(np.arange(count)), pairs - one * count)


def byte_overlaps(placement: Placement) -> ByteOverlaps:
    """The copies of a placement, and which of their byte ranges overlap."""
    placed = placement.resources
    copies = [(item.id, number) for item in placed for number in range(len(item.copies))]
    if not copies:
        return ByteOverlaps((), b"")
    # All heaps on one line, one behind the other.
    heap_begins = [0, *accumulate([heap.size for heap in placement.heaps])]
    starts = np.array([heap_begins[copy.heap] + copy.offset for item in placed for copy in item.copies], np.int64)
    sizes = np.array([item.size for item in placed for _ in item.copies], np.int64)
    order = starts.argsort(kind="stable")
    starts = starts[order]
    # Each range overlaps with itself and with those right behind it that start before it ends.
    ranks = np.arange(len(order))
    counts = starts.searchsorted(starts + sizes[order]) - ranks
    one, other = order.repeat(counts), order[counting(ranks, counts)]
    apart = one != other
    pairs = np.concatenate([one * len(order) + other, (other * len(order) + one)[apart]])
    pairs.sort()
    return ByteOverlaps(tuple(copies), pairs.tobytes())
