"""The validated items of a packing problem, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from renderwright.render.memory.arcs import Ints, PackItem

MOST_BYTES = 1 << 60  # so that sums fit into 64 bits


@dataclass(frozen=True, eq=False)
class ItemArrays:
    """The fields of ``PackItem`` as one array each, on a circle of ``period`` moments.

    ``pins`` are -1 for items without a pin. Each pair of twins is one element of ``twins`` and one of ``other_twins``,
    the lower item number first.
    """

    period: int
    starts: Ints
    ends: Ints
    sizes: Ints
    alignments: Ints
    pins: Ints
    twins: Ints
    other_twins: Ints


def item_arrays(items: Sequence[PackItem], period: int) -> ItemArrays:
    """The arrays of at least one item. Raises ``ValueError`` for an item that is invalid by itself."""
    if period < 1:
        raise ValueError(f"a circle of {period} moments")
    for number, item in enumerate(items):
        if item.pin is not None and (item.pin < 0 or item.alignment < 1 or item.pin % item.alignment):
            raise ValueError(f"item {number} has a pin that violates its alignment: {item}")
        if item.size < 1 or item.alignment < 1 or abs(item.end - item.start) > period:
            raise ValueError(f"item {number} cannot be packed on a circle of {period}: {item}")
    pins = [-1 if item.pin is None else item.pin for item in items]
    if sum([item.size + item.alignment for item in items]) + sum(pins) > MOST_BYTES:
        raise ValueError(f"the items exceed {MOST_BYTES} bytes in all")
    pairs = np.array(_pairs(items), np.int64).reshape(-1, 2)
    return ItemArrays(
        period,
        starts=np.array([item.start for item in items], np.int64),
        ends=np.array([item.end for item in items], np.int64),
        sizes=np.array([item.size for item in items], np.int64),
        alignments=np.array([item.alignment for item in items], np.int64),
        pins=np.array(pins, np.int64),
        twins=pairs[:, 0],
        other_twins=pairs[:, 1],
    )


def _pairs(items: Sequence[PackItem]) -> list[tuple[int, int]]:
    """The pairs of twins, each once."""
    found = []
    for number, item in enumerate(items):
        if item.twin < 0:
            continue
        if item.twin >= len(items) or items[item.twin].twin != number:
            raise ValueError(f"item {number} has the twin {item.twin}, which has another twin")
        if number < item.twin:
            found.append((number, item.twin))
    return found
