"""Cyclic dynamic storage allocation: offsets for resources whose live ranges are arcs on the circle of time.

Contents: ``arcs`` defines the items, ``item_arrays`` validates them and converts them to arrays. ``live_ranges``
compresses time and finds conflicts; ``problem`` adds sizes. ``clique`` and ``clique_growth`` compute the bound.
``orders`` and ``first_fit`` make the first packing, ``dives`` and ``ejection`` improve it, driven by ``solver``.
``twins`` ties items to one offset, ``joining`` does so in an existing packing. ``regroup`` groups items of one kind.
``strategy`` selects the effort of each ``policy``. ``loops`` compiles the inner loops with numba, ``occupancy`` speeds
some of them up when interpreted. ``large_problems`` packs problems that are too large for a conflict matrix.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import add

from renderwright.render.memory.arcs import PackItem
from renderwright.render.memory.bound import load
from renderwright.render.memory.clique import bound_of
from renderwright.render.memory.item_arrays import item_arrays
from renderwright.render.memory.large_problems import pack_large
from renderwright.render.memory.loops import Loops, current, warm_up
from renderwright.render.memory.policy import PackPolicy
from renderwright.render.memory.problem import problem_of
from renderwright.render.memory.regroup import regroup
from renderwright.render.memory.strategy import effort_of, solve
from renderwright.render.memory.twins import pairs_of

__all__ = ["PackItem", "PackPolicy", "Packing", "pack", "warm_up"]

WORTH_COMPILING = 150  # items
LARGE = 4096  # items; larger problems are packed by first-fit alone


@dataclass(frozen=True)
class Packing:
    """An offset in bytes for each item, and the size of the heap with its lower bounds.

    ``load`` is the largest sum of sizes in use at one moment. ``clique``, at least as large, is the weight of the
    heaviest clique found in the conflict graph, including the gaps that alignments force. ``optimal`` says that no
    smaller packing exists: ``makespan`` equals ``clique`` (or, in a problem with pins, the end of a pinned item).
    """

    offsets: tuple[int, ...]
    makespan: int
    load: int
    clique: int
    optimal: bool


def pack(
    items: Sequence[PackItem],
    period: int,
    policy: PackPolicy = PackPolicy.FAST,
    *,
    steps: int | None = None,
    seed: int = 0,
    seconds: float | None = None,
    between: Callable[[], None] = lambda: None,
) -> Packing:
    """Offsets such that items with overlapping live ranges are disjoint in memory.

    Twins get the same offset where that does not enlarge the heap. Under the same condition items of one kind follow
    one another at one offset, except with ``FAST``. Pinned items are at their pins. ``steps`` and ``seconds`` limit the
    search of ``BALANCED`` (default: 20 steps an item, at most 16,000, and up to twice as many more if the gap stays
    wide) and ``THOROUGH`` (default: 20 seconds). Equal inputs and seeds give equal results, unless seconds end the
    search. ``between`` is called between short steps of the work, except in very large problems; its exceptions end it.

    Problems of more than 4096 items are packed by first-fit in decreasing size under all policies, because their
    conflict matrix would be too large.

    ``FAST`` never waits for numba to compile or load its loops. On the main thread, ``BALANCED`` waits for 150 items
    and more, and ``THOROUGH`` always. Other threads never wait. ``warm_up`` compiles ahead of time. The results are the
    same with and without numba.
    Raises ``ValueError`` for an item without size, a negative alignment, an empty circle, or contradictory pins.
    """
    if not items:
        return Packing((), 0, 0, 0, True)
    loops = replace(_loops(policy, len(items)), between=between)
    return pack_with(loops, items, period, policy, steps=steps, seed=seed, seconds=seconds)


def _loops(policy: PackPolicy, count: int) -> Loops:
    # Compilation holds the GIL: on another thread it would stall the frames of a running game.
    if policy is PackPolicy.FAST or threading.current_thread() is not threading.main_thread():
        return current()
    return warm_up() if policy is PackPolicy.THOROUGH or count >= WORTH_COMPILING else current()


def pack_with(
    loops: Loops,
    items: Sequence[PackItem],
    period: int,
    policy: PackPolicy,
    *,
    steps: int | None = None,
    seed: int = 0,
    seconds: float | None = None,
) -> Packing:
    """``pack`` of at least one item, with these loops."""
    arrays = item_arrays(items, period)
    if len(items) > LARGE:
        return _pack_large(items, period)
    single = problem_of(arrays)
    bound = bound_of(single, arrays.sizes, loops, quick=policy is PackPolicy.FAST)
    effort = effort_of(policy, len(items), steps, seed, seconds)
    granules = solve(single, pairs_of(single, arrays), bound.granules, effort, loops)
    offsets: tuple[int, ...] = tuple((single.granule * granules).tolist())
    if policy is not PackPolicy.FAST:
        offsets = regroup(items, period, offsets, loops.between)
    makespan = max(map(add, offsets, arrays.sizes.tolist()))
    return Packing(offsets, makespan, bound.load, bound.clique, makespan <= max(bound.clique, bound.pinned))


def _pack_large(items: Sequence[PackItem], period: int) -> Packing:
    if pinned := [item._replace(twin=-1) for item in items if item.pin is not None]:
        problem_of(item_arrays(pinned, period))  # raises for pins that overlap
    offsets = pack_large(items, period)
    makespan = max(offset + item.size for offset, item in zip(offsets, items, strict=True))
    bound = load(items, period)
    return Packing(tuple(offsets), makespan, bound, bound, makespan == bound)
