"""Timing: repeated runs and frames."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable


def median_seconds(
    run: Callable[[], object],
    repeats: int,
    prepare: Callable[[], object] | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> float:
    """The median duration of ``run`` by the ``clock``; ``prepare`` runs before each, untimed."""
    times = []
    for _ in range(repeats):
        if prepare is not None:
            prepare()
        start = clock()
        run()
        times.append(clock() - start)
    return statistics.median(times)


def frame_times(frame: Callable[[], object], finish: Callable[[], object], frames: int) -> list[float]:
    """The CPU seconds of this thread for each of some frames; ``finish`` waits for the device before each, untimed."""
    times = []
    for _ in range(frames):
        finish()
        start = time.thread_time()
        frame()
        times.append(time.thread_time() - start)
    return times
