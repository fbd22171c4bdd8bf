"""Cyclic dynamic storage allocation: offsets for resources whose live ranges are arcs on the circle of time.

Table of contents. ``arcs`` has the items, ``item_arrays`` checks them and makes arrays of them; ``live_ranges``
compresses time and finds conflicts; ``problem`` adds sizes; ``clique`` finds the bound, with ``clique_growth``;
``orders`` and ``first_fit`` make the first packing, ``dives`` and ``ejection`` better ones, all driven by ``solver``;
``twins`` ties items to one offset, ``joining`` in an existing packing; ``regroup`` brings items of one kind together;
``strategy`` says what is tried under which ``policy``; ``loops`` lets numba compile the inner loops, and ``occupancy``
is quicker for some of them where they are interpreted; ``large_problems`` packs what is too much for all that.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
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
LARGE = 4096  # items, of which more are packed by first-fit alone


@dataclass(frozen=True)
class Packing:
    """An offset in bytes for each item, and the size of the heap with its bounds from below.

    ``load`` is the largest sum of sizes in use at one moment; ``clique``, at least as large, the largest weight found
    of items that meet pairwise, with the gaps that their alignments force. ``optimal`` says that nothing smaller
    exists: ``makespan`` meets ``clique`` (or, in a problem with pins, the end of a pinned item).
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
) -> Packing:
    """Offsets such that items that are ever in use together are disjoint in memory.

    Twins get one offset where that does not make the heap larger. Items of one kind follow one another where that does
    not either, unless the policy is ``FAST``. Pinned items lie where they are pinned. ``steps`` and ``seconds`` limit
    the search of ``BALANCED`` (20 steps for each item, 16,000 at most, and up to twice as many again where the gap
    stays wide) and ``THOROUGH`` (20 seconds, if neither is given). Equal inputs and seeds give equal results, unless
    seconds end the search.

    Of more than 4096 items, the conflicts are too many to be kept: whatever the policy, they are packed by first-fit in
    decreasing size.

    ``FAST`` never waits for numba to compile its loops or to load them; on the main thread, ``BALANCED`` does so for
    150 items and more and ``THOROUGH`` always; on other threads nothing does. ``warm_up`` does it ahead of time. The
    results are the same with numba and without.
    Raises ``ValueError`` for an item without size, a negative alignment, an empty circle, or pins that cannot be.
    """
    if not items:
        return Packing((), 0, 0, 0, True)
    loops = _loops(policy, len(items))
    return pack_with(loops, items, period, policy, steps=steps, seed=seed, seconds=seconds)


def _loops(policy: PackPolicy, count: int) -> Loops:
    # Compiling holds the interpreter: while a game runs, another thread that did so would stop its frames.
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
        offsets = regroup(items, period, offsets)
    makespan = max(map(add, offsets, arrays.sizes.tolist()))
    return Packing(offsets, makespan, bound.load, bound.clique, makespan <= max(bound.clique, bound.pinned))


def _pack_large(items: Sequence[PackItem], period: int) -> Packing:
    if pinned := [item._replace(twin=-1) for item in items if item.pin is not None]:
        problem_of(item_arrays(pinned, period))  # raises for pins that overlap
    offsets = pack_large(items, period)
    makespan = max(offset + item.size for offset, item in zip(offsets, items, strict=True))
    bound = load(items, period)
    return Packing(tuple(offsets), makespan, bound, bound, makespan == bound)
