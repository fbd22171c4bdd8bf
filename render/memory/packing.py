"""Cyclic dynamic storage allocation: offsets for resources whose lives are arcs on the circle of time.

Table of contents. ``arcs`` has the items; ``problem`` compresses time and tells who meets; ``clique`` finds the bound,
with ``growing``; ``orders`` and ``first_fit`` make the first packing, ``dives`` and ``ejection`` better ones, all
driven by ``solver``; ``twins`` ties items to one offset, ``joining`` in a packing that is there; ``regroup`` brings
items of one kind together; ``strategy`` says what is tried under which ``policy``; ``loops`` lets numba compile what
runs hot, and a ``shelf`` is quicker for some of it where nothing does; ``crowd`` packs what is too much for all that.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from operator import add

from renderwright.render.memory.arcs import PackItem
from renderwright.render.memory.bound import load
from renderwright.render.memory.clique import bound_of
from renderwright.render.memory.crowd import pack_crowd
from renderwright.render.memory.loops import Loops, current, warm_up
from renderwright.render.memory.policy import PackPolicy
from renderwright.render.memory.problem import Columns, LivesOf, columns_of, lives_of, problem_of
from renderwright.render.memory.regroup import regroup
from renderwright.render.memory.strategy import effort_of, solve
from renderwright.render.memory.twins import pairs_of

__all__ = ["PackItem", "PackPolicy", "Packing", "pack", "warm_up"]

WORTH_COMPILING = 150  # items
CROWD = 4096  # items, of which more are packed by first-fit alone


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

    Twins get one offset where that does not make the heap larger, and items of one kind follow one another where that
    does not either, unless it has to be ``FAST``. Pinned items lie where they are pinned. ``steps``
    and ``seconds`` limit the search of ``BALANCED`` (20 steps for each item, 16,000 at most, and up to twice as many
    again where the gap stays wide) and ``THOROUGH`` (20 seconds, if neither is given). Equal inputs and seeds give
    equal results, unless seconds end the search.

    Of more than 4096 items, the conflicts are too many to be kept: whatever the policy, they are packed by first-fit in
    decreasing size.

    ``FAST`` never waits for numba to compile its loops or to load them; on the main thread, ``BALANCED`` does so for
    150 items and more and ``THOROUGH`` always; on other threads nothing does. ``warm_up`` does it ahead of time. The
    results are the same with numba and without.
    Raises ``ValueError`` for an item without size, a negative alignment, an empty circle, or pins that cannot be.
    """
    if not items:
        return Packing((), 0, 0, 0, True)
    return pack_columns(columns_of(items, period), policy, steps=steps, seed=seed, seconds=seconds)


def pack_columns(
    columns: Columns,
    policy: PackPolicy = PackPolicy.FAST,
    lives_of: LivesOf = lives_of,
    *,
    steps: int | None = None,
    seed: int = 0,
    seconds: float | None = None,
) -> Packing:
    """``pack`` of at least one item.

    ``lives_of`` may be the function of that name with a memory, for packings of what has the same lives.
    """
    loops = _loops(policy, len(columns.sizes))
    return pack_with(loops, columns, policy, lives_of, steps=steps, seed=seed, seconds=seconds)


def _loops(policy: PackPolicy, count: int) -> Loops:
    # Compiling holds the interpreter: while a game runs, another thread that did so would stop its frames.
    if policy is PackPolicy.FAST or threading.current_thread() is not threading.main_thread():
        return current()
    return warm_up() if policy is PackPolicy.THOROUGH or count >= WORTH_COMPILING else current()


def pack_with(
    loops: Loops,
    columns: Columns,
    policy: PackPolicy,
    lives_of: LivesOf = lives_of,
    *,
    steps: int | None = None,
    seed: int = 0,
    seconds: float | None = None,
) -> Packing:
    """``pack_columns`` with these loops."""
    count = len(columns.sizes)
    if count > CROWD:
        return _pack_crowd(columns)
    single = problem_of(columns, lives_of)
    bound = bound_of(single, columns.sizes, loops, quick=policy is PackPolicy.FAST)
    effort = effort_of(policy, count, steps, seed, seconds)
    offsets = single.granule * solve(single, pairs_of(single, columns.twins), bound.granules, effort, loops)
    makespan = int((offsets + columns.sizes).max())
    lows: tuple[int, ...] = tuple(offsets.tolist())
    if policy is not PackPolicy.FAST:
        lows = regroup(columns.items, columns.period, lows)
        makespan = max(map(add, lows, columns.sizes.tolist()))
    return Packing(lows, makespan, bound.load, bound.clique, makespan <= max(bound.clique, bound.pinned))


def _pack_crowd(columns: Columns) -> Packing:
    items, period = columns.items, columns.period
    if pinned := [item._replace(twin=-1) for item in items if item.pin is not None]:
        problem_of(columns_of(pinned, period))  # refuses clashes
    offsets = pack_crowd(items, period)
    makespan = max(offset + item.size for offset, item in zip(offsets, items, strict=True))
    bound = load(items, period)
    return Packing(tuple(offsets), makespan, bound, bound, makespan == bound)
