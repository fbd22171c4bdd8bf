"""Timing for peers: CPU seconds of the main thread for a frame, printed as JSON."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable

SETTLING = 3
MOST_FRAMES, LEAST_FRAMES = 60, 5
LONGEST = 10.0
"""Seconds of wall time after which no further frame begins, once there are enough."""


def print_median(frame: Callable[[int], object]) -> None:
    """Run frames, which get their number, and print the median."""
    for number in range(SETTLING):
        frame(number)
    times: list[float] = []
    begin = time.monotonic()
    while len(times) < MOST_FRAMES and (len(times) < LEAST_FRAMES or time.monotonic() - begin < LONGEST):
        start = time.thread_time()
        frame(SETTLING + len(times))
        times.append(time.thread_time() - start)
    print(json.dumps(statistics.median(times)))
