"""The packing problem of the algorithms: units with sizes, and the conflict graph.

Bytes are counted in *granules*, the greatest common divisor of all alignments. Every offset is a whole number of
granules, so sizes are rounded up. The algorithms use only the conflict graph, so wrapping live ranges, mixed alignments
and pinned offsets need no special cases.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from renderwright.render.memory.arcs import Ints
from renderwright.render.memory.item_arrays import ItemArrays
from renderwright.render.memory.live_ranges import Bools, LiveRanges, live_ranges


@dataclass(frozen=True)
class Problem:
    """Units to be placed: each is an item, or two tied twins at one offset.

    ``sizes``, ``alignments`` and ``pins`` (-1 for none) count granules of ``granule`` bytes. If twins are tied,
    ``units`` maps each item to its unit.
    """

    ranges: LiveRanges
    granule: int
    sizes: Ints
    alignments: Ints
    pins: Ints
    units: Ints | None = None

    @property
    def conflicts(self) -> Bools:
        """The conflict matrix: whether two units share a moment."""
        return self.ranges.conflicts

    @cached_property
    def pinned(self) -> bool:
        """Whether any unit is pinned."""
        return bool((self.pins >= 0).any())

    @cached_property
    def floor(self) -> int:
        """The end of the topmost pinned unit, a lower bound of every packing."""
        return int((self.pins + self.sizes)[self.pins >= 0].max()) if self.pinned else 0

    @cached_property
    def loads(self) -> Ints:
        """Granules in use at each distinct start."""
        return self.ranges.sums(self.sizes)

    @cached_property
    def load(self) -> int:
        """The largest sum of sizes in use at one moment."""
        return int(self.loads.max())

    @cached_property
    def crowding(self) -> Ints:
        """The largest load along each unit's live range."""
        highest: Ints = np.where(self.ranges.alive, self.loads, 0).max(axis=1)
        return highest

    @property
    def count(self) -> int:
        """The number of units."""
        return len(self.sizes)


def problem_of(items: ItemArrays) -> Problem:
    """The problem whose units are the items. Raises ``ValueError`` for contradictory pins."""
    granule = int(np.gcd.reduce(items.alignments))
    problem = Problem(
        live_ranges(items.starts, items.ends, items.period),
        granule,
        -(-items.sizes // granule),
        items.alignments // granule,
        items.pins // granule,
    )
    if clash := pinned_clash(problem):
        raise ValueError(f"items {clash[0]} and {clash[1]} conflict and are pinned to the same bytes")
    return problem


def pinned_clash(problem: Problem) -> tuple[int, int] | None:
    """Two pinned units that conflict and overlap in bytes, if any."""
    if not problem.pinned:
        return None
    pinned = np.flatnonzero(problem.pins >= 0)
    lows = problem.pins[pinned]
    ends = lows + problem.sizes[pinned]
    clashes = (lows[:, None] < ends) & (lows < ends[:, None]) & problem.conflicts[pinned][:, pinned]
    where = np.argwhere(clashes)
    return (int(pinned[where[0][0]]), int(pinned[where[0][1]])) if len(where) else None


def spread(problem: Problem, offsets: Ints) -> Ints:
    """Offsets of the items, from offsets of their units."""
    return offsets if problem.units is None else offsets[problem.units]
