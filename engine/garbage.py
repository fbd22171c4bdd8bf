"""Python's cyclic garbage collector as a game wants it: rare, and never over what stays anyway.

A full collection looks at every object that there is, which takes longer than a frame. What a game has loaded and
compiled by the time that it starts is not garbage, and most of what frames and compiles drop is freed by reference
counts alone.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

THRESHOLDS = (50_000, 20, 100)
"""Objects made and not freed between collections of the youngest generation (CPython's default is 700), and how many
collections of a generation go by until the next older one has its turn."""


@contextmanager
def calm_collector() -> Iterator[Callable[[], None]]:
    """Collect once, leave everything that is there alone, and collect seldom; as before again at the end.

    Gives a function that collects and leaves alone once more: for a game to call when its first frame has been made.
    """
    before = gc.get_threshold()
    _settle()
    gc.set_threshold(*THRESHOLDS)
    try:
        yield _settle
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def _settle() -> None:
    gc.collect()
    gc.freeze()
