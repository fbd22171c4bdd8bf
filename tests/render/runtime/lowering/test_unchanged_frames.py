"""An unchanged frame keeps no memory of Python's, and makes the same few calls whatever its size."""

from __future__ import annotations

import gc
import tracemalloc
from array import array
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import pytest
from test_kept_commands import Counted

from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT
from renderwright.render.runtime.times.gpu_times import SAMPLED
from renderwright.render.runtime.times.measured_costs import FRAMES

pytestmark = pytest.mark.vulkan

SETTLING = max(FRAMES, 256) + 4
"""Frames until as many of the GPU's times are remembered as ever, if they are read in each frame, and until numbers of
frames are so large that Python makes an object of each."""

CALLS = Counter({"vkWaitSemaphores": 1, "vkResetQueryPool": 1, "vkQueueSubmit2": 1})


def calls_if_timed(queues: int) -> Counter[str]:
    """The calls of a frame in which the GPU's times are read: it asks each queue how far it has come."""
    return CALLS + Counter({"vkWaitSemaphores": 1, "vkGetSemaphoreCounterValue": queues, "vkGetQueryPoolResults": 1})


OF_OTHER_THREADS = 64
"""Bytes of small objects that other threads of a run of tests may have at one of two moments."""

MOST_BYTES = 4096
"""Of the objects that a frame makes and drops."""


@contextmanager
def chain(folder: Path, passes: int, *, counts: bool) -> Iterator[Counted]:
    """A chain of stable passes, the first of them with a uniform block."""
    counted = Counted(folder, counts=counts)
    try:
        for number in range(1, passes):
            counted.add(number)
        yield counted
    finally:
        counted.close()


@contextmanager
def traced() -> Iterator[None]:
    """Count Python's bytes without the collector of cycles, so that what is dropped is gone at once."""
    gc.collect()
    gc.disable()
    tracemalloc.start()
    try:
        yield
    finally:
        tracemalloc.stop()
        gc.enable()


def growth(counted: Counted, frames: int) -> int:
    """Bytes that some frames leave behind, with those of the measurement itself; no cycles are among them.

    A collection empties the interpreter's lists of free objects, which grow when a frame waits long for a busy machine.
    """
    gc.collect()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(frames):
        counted.runtime.render(None)
    assert gc.collect() == 0
    return tracemalloc.get_traced_memory()[0] - before


def blocks_of(size: int) -> list[str]:
    """The lines that have allocated blocks of so many bytes."""
    return sorted({str(trace.traceback) for trace in tracemalloc.take_snapshot().traces if trace.size == size})


def peak(counted: Counted) -> int:
    """The bytes of the objects that a frame makes and drops, if the GPU's times are not read in it."""
    peaks = []
    for _ in range(2 * FRAMES_IN_FLIGHT):
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        counted.runtime.render(None)
        peaks.append(tracemalloc.get_traced_memory()[1] - before)
    return min(peaks)


def test_an_unchanged_frame_leaves_nothing_behind(tmp_path: Path) -> None:
    peaks = []
    for passes in (4, 40):
        with chain(tmp_path, passes, counts=False) as counted, traced():
            counted.runtime.times.every = 1
            growth(counted, SETTLING)
            counted.runtime.times.every = SAMPLED
            growths = array("q", [0] * 12)  # which itself does not grow
            for number in range(len(growths)):
                growths[number] = growth(counted, FRAMES_IN_FLIGHT * SAMPLED)
            nothing = growth(counted, 0)
            assert median(growths[2:]) == nothing, growths
            assert max(growths[2:]) <= nothing + OF_OTHER_THREADS, blocks_of(max(growths[2:]) - nothing)
            peaks.append(peak(counted))
    assert peaks[0] == peaks[1], "what a frame makes and drops depends on the number of its passes"
    assert 0 < peaks[0] < MOST_BYTES


def test_the_commands_of_recorded_nodes_are_noticed(tmp_path: Path) -> None:
    with chain(tmp_path, 4, counts=False) as counted:
        counted.settle()
        with traced():
            of_kept_nodes = peak(counted)
        for number in range(4, 24):
            counted.add(number, stable=False)
        counted.settle()
        with traced():
            assert peak(counted) > of_kept_nodes


@pytest.mark.parametrize("passes", [2, 20])
def test_an_unchanged_frame_makes_at_most_three_calls(passes: int, tmp_path: Path) -> None:
    with chain(tmp_path, passes, counts=True) as counted:
        counted.settle()
        frames = [counted.frame() for _ in range(3 * SAMPLED)]
        most = calls_if_timed(len(counted.backend.capabilities.queues))
    # A wait for a value that the device is known to have reached is left out.
    timed = [calls for calls in frames if calls["vkGetQueryPoolResults"]]
    assert len(timed) == 3
    assert all(calls <= most for calls in timed)
    assert all(calls <= CALLS and calls["vkQueueSubmit2"] for calls in frames if calls not in timed)
