"""Lower bounds of packings: cliques of the conflict graph.

Items that conflict pairwise are disjoint in memory, so the weight of every clique of the conflict graph is a lower
bound. On a line the heaviest clique is the load. On a circle arcs can overlap pairwise without a common moment, so the
heaviest clique can exceed the load. Cliques grow greedily from the units alive at a busy moment or at two moments, with
exchanges of up to three members for one unit. A greedy clique is a valid bound, but may be weaker than the heaviest.
Small graphs are searched exactly by branch and bound, where a greedy colouring bounds the remaining units (W. Tavares,
M. Neto, C. Rodrigues, P. Michelon 2016 for weights; a colour class adds at most its heaviest unit).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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
NODES_AT_ONCE = 16


@dataclass(frozen=True)
class Bound:
    """The load in bytes, the weight of the heaviest clique found in bytes, and the lower bound of the makespan in
    granules (which includes pins).

    Every offset is a whole number of granules. The weight of a clique therefore counts whole granules for all members
    except the topmost.
    """

    load: int
    clique: int
    granules: int
    pinned: int


def bound_of(problem: Problem, sizes: Ints, loops: Loops, *, quick: bool) -> Bound:
    """Bounds of a problem whose units are the items; ``sizes`` are in bytes. ``quick`` skips the growth of cliques."""
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
    """The heavier clique of the units alive at the busiest moment and the units alive for more than half the circle:
    its weight, and the largest padding of a member."""
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
    found = []
    for seed in seeds:
        loops.between()
        found.append(graph.grow(_bits(seed)))
    if exact:
        found.append(graph.heaviest(max(found, key=graph.weight), EXACT_NODES, loops.between))
    return np.array(list(_units(max(found, key=graph.weight))), np.int64)


def _grown(problem: Problem, seeds: Sequence[Bools], loops: Loops) -> Iterator[Ints]:
    """``_Graph.grow`` of each seed by compiled loops, which are faster."""
    rows, order = loops.rows(problem.conflicts), np.argsort(-problem.sizes, kind="stable")
    members = np.empty(problem.count + 1, np.int64)
    for seed in seeds:
        loops.between()
        units = seed.nonzero()[0]
        members[: len(units)] = units
        yield members[: loops.grow(rows, order, problem.sizes, members, len(units))].copy()


def _seeds(problem: Problem) -> Iterator[Bools]:
    """Initial cliques: the units alive for more than half the circle, at each of the busiest moments, and at two
    distant moments."""
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
        # The complement: for each unit the units without a conflict with it, including itself.
        everything = (1 << problem.count) - 1
        self._apart = [(unit, everything ^ self._near[unit]) for unit in self._by_size]

    def weight(self, units: int) -> int:
        """The sum of the units' sizes."""
        return sum([self._sizes[unit] for unit in _units(units)])

    def grow(self, clique: int) -> int:
        """Adds units that conflict with all members, the largest first; one may replace up to three lighter members."""
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

    def heaviest(self, clique: int, nodes: int, between: Callable[[], None]) -> int:
        """The heaviest clique, or the best found within ``nodes`` branchings, starting from ``clique``."""
        best, most = clique, self.weight(clique)
        stack = [(0, 0, (1 << len(self._sizes)) - 1)]
        while stack and nodes:
            if nodes % NODES_AT_ONCE == 0:
                between()
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
        """An upper bound of the weight of a clique of these units: the sum over colour classes of the heaviest unit."""
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
