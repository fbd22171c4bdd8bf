"""Tuning of Python's cyclic garbage collector: short collections that skip long-lived objects.

A full collection traverses every object, which takes longer than a frame. The objects that a game has loaded and
compiled before it starts are not garbage, and reference counts alone free most of the objects that frames and compiles
drop. Nor are the modules that a command imports: its collector is calm from the start.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

THRESHOLDS = (3_000, 2, 15_000)
"""``gc.set_threshold``: the surplus of allocations over deallocations that triggers a collection of the youngest
generation (CPython's default is 700), and the collections of a generation between two of the next older one.

A collection stops all threads, and takes a millisecond for some 5,000 objects, on a busy machine for fewer. So the
young generations are small: what a compile beside the frames makes lives as long as its plan, and would all be looked
at in one frame. The oldest generation is hardly ever collected.
"""

STARTING = (500_000, 20, 100)
"""Thresholds of a start, above the objects that it makes: nearly all of them stay."""


@contextmanager
def calm_collector() -> Iterator[Callable[[], None]]:
    """Collect nothing during a start, and little at once after it; restores the collector at the end.

    Where objects are frozen before, all stay frozen. A collector that a game has settled stays as it is: to count what
    is frozen takes longer than a start where it is much.

    Yields a function that ends the start, to be called after a game's first frame: it collects once and freezes all
    living objects.
    """
    before = gc.get_threshold()
    if before == THRESHOLDS:
        yield _settle
        return
    frozen = gc.get_freeze_count()
    gc.set_threshold(*STARTING)
    try:
        yield _settle
    finally:
        gc.set_threshold(*before)
        if not frozen:  # else it would thaw what others want to be left alone
            gc.unfreeze()


def _settle() -> None:
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
