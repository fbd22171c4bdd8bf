"""Bounds from below: what no packing can beat.

Items that meet pairwise are disjoint in memory, so the weight of every clique of the conflict graph is a bound. On a
line the heaviest clique is the load; on a circle arcs can meet pairwise without sharing a moment, and it can be more.
Cliques grow greedily from the units alive at a busy moment, or at two moments at once, with exchanges of one for
up to three. A greedy clique is a bound as well, only perhaps a lower one than the heaviest. Small graphs are searched
exactly: branch and bound, where a greedy colouring bounds what is left (W. Tavares, M. Neto, C. Rodrigues, P. Michelon
2016 do so with weights; a colour class adds at most its heaviest).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from renderwright.render.memory.arcs import Ints
from renderwright.render.memory.clique_growth import MOST_OUT
from renderwright.render.memory.live_ranges import Bools
from renderwright.render.memory.loops import Loops
from renderwright.render.memory.problem import Problem

SEEDS = 24
PAIRS_OF_SEEDS = 10
EXACT_UNITS = 48
EXACT_NODES = 400


@dataclass(frozen=True)
class Bound:
    """The load in bytes, the weight of the heaviest clique found in bytes, and what the makespan in granules cannot
    go below (pins count there as well).

    Every offset is a whole number of granules, so all of a clique but its topmost takes whole granules: that counts.
    """

    load: int
    clique: int
    granules: int
    pinned: int


def bound_of(problem: Problem, sizes: Ints, loops: Loops, *, quick: bool) -> Bound:
    """Bounds of a problem whose units are the items; ``sizes`` are in bytes. With ``quick`` no clique grows."""
    padding = problem.sizes * problem.granule - sizes
    padded = bool(padding.any())
    load = int(problem.ranges.sums(sizes).max()) if padded else problem.load * problem.granule
    if quick:
        weight, gap = _meeting(problem, padding if padded else None)
    else:
        best = _heaviest(problem, loops)
        weight, gap = int(problem.sizes[best].sum()), int(padding[best].max())
    clique = weight * problem.granule - gap
    top_bytes = int((problem.pins * problem.granule + sizes)[problem.pins >= 0].max()) if problem.pinned else 0
    return Bound(load, max(load, clique), max(weight, problem.floor), top_bytes)


def _meeting(problem: Problem, padding: Ints | None) -> tuple[int, int]:
    """The units that are alive at the busiest moment, or those that live longer than half the circle: their weight, and
    the largest padding of any."""
    units = problem.ranges.long
    weight = int(problem.sizes[units].sum())
    if weight <= problem.load:
        weight = problem.load
        if padding is not None:
            units = problem.ranges.alive_at(np.array([problem.loads.argmax()]))[0]
    return weight, 0 if padding is None else int(padding[units].max())


def _heaviest(problem: Problem, loops: Loops) -> Ints:
    """The units of the heaviest clique found."""
    exact = problem.count <= EXACT_UNITS
    seeds = list({seed.tobytes(): seed for seed in _seeds(problem)}.values())
    if loops.compiled and not exact:
        return max(_grown(problem, seeds, loops), key=lambda units: problem.sizes[units].sum())
    graph = _Graph(problem)
    found = [graph.grow(_bits(seed)) for seed in seeds]
    if exact:
        found.append(graph.heaviest(max(found, key=graph.weight), EXACT_NODES))
    return np.array(list(_units(max(found, key=graph.weight))), np.int64)


def _grown(problem: Problem, seeds: Sequence[Bools], loops: Loops) -> Iterator[Ints]:
    """As ``_Graph.grow`` of each seed, which takes longer than compiled loops."""
    rows, order = loops.rows(problem.conflicts), np.argsort(-problem.sizes, kind="stable")
    members = np.empty(problem.count + 1, np.int64)
    for seed in seeds:
        units = seed.nonzero()[0]
        members[: len(units)] = units
        yield members[: loops.grow(rows, order, problem.sizes, members, len(units))].copy()


def _seeds(problem: Problem) -> Iterator[Bools]:
    """Sets of units that meet pairwise: those alive for more than half the circle, those alive at the busiest moments,
    and those alive at two moments far from each other."""
    ranges = problem.ranges
    yield ranges.long
    busiest = np.argsort(-problem.loads, kind="stable")
    yield from ranges.alive_at(busiest[:SEEDS])
    spaced = np.linspace(0, len(ranges.moments) - 1, min(PAIRS_OF_SEEDS, len(ranges.moments))).astype(np.int64)
    alive = ranges.alive_at(spaced)
    for place, one in enumerate(alive):
        for other in alive[:place]:
            both: Bools = one & other
            if both.any():
                yield both


def _bits(row: Bools) -> int:
    packed: NDArray[np.uint8] = np.packbits(row, bitorder="little")
    return int.from_bytes(packed.tobytes(), "little")


def _units(bits: int) -> Iterator[int]:
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


class _Graph:
    """The conflict graph with a bit set of neighbours for each unit."""

    def __init__(self, problem: Problem) -> None:
        self._sizes: list[int] = problem.sizes.tolist()
        self._near = problem.ranges.bits
        self._by_size: list[int] = np.argsort(-problem.sizes, kind="stable").tolist()
        # With the units that they do not meet, themselves among these.
        everything = (1 << problem.count) - 1
        self._apart = [(unit, everything ^ self._near[unit]) for unit in self._by_size]

    def weight(self, units: int) -> int:
        """The sum of their sizes."""
        return sum([self._sizes[unit] for unit in _units(units)])

    def grow(self, clique: int) -> int:
        """Adds units that meet all members, the largest first, and exchanges one for up to three that weigh less."""
        sizes = self._sizes
        last = -1
        while True:
            before = last
            for unit, apart in self._apart:
                if unit == last:
                    return clique  # all others have been tried since it came
                out = clique & apart
                if not out or (
                    out.bit_count() <= MOST_OUT and not clique >> unit & 1 and self.weight(out) < sizes[unit]
                ):
                    clique = clique & ~out | 1 << unit
                    last = unit
            if last == before:
                return clique

    def heaviest(self, clique: int, nodes: int) -> int:
        """The heaviest clique, or the best found within ``nodes`` branchings, starting from one."""
        best, most = clique, self.weight(clique)
        stack = [(0, 0, (1 << len(self._sizes)) - 1)]
        while stack and nodes:
            nodes -= 1
            chosen, weight, rest = stack.pop()
            if weight > most:
                best, most = chosen, weight
            if not rest or weight + self._colouring(rest) <= most:
                continue
            pick = next(unit for unit in self._by_size if rest >> unit & 1)
            stack.append((chosen, weight, rest & ~(1 << pick)))
            stack.append((chosen | 1 << pick, weight + self._sizes[pick], rest & self._near[pick]))
        return best

    def _colouring(self, rest: int) -> int:
        """What a clique of these weighs at most: the heaviest of each class of units that do not meet."""
        total = 0
        classes: list[int] = []
        for unit in self._by_size:
            if rest >> unit & 1:
                for number, members in enumerate(classes):
                    if not members & self._near[unit]:
                        classes[number] |= 1 << unit
                        break
                else:
                    classes.append(1 << unit)
                    total += self._sizes[unit]
        return total
