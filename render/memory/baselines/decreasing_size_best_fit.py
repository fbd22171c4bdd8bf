"""Best-fit in decreasing size on one frame's timeline: histories are alive for all of it.

From AMD's Render Pipeline Shaders (github.com/GPUOpen-LibrariesAndSDKs/RenderPipelineShaders,
``src/runtime/common/phases/rps_memory_schedule.hpp``): resources are sorted by aligned size, the largest first; ties go
by first use. Each goes into the hole between its placed conflicts that leaves the fewest bytes, or above all of them if
no hole fits. The slices of a temporal resource are alive for the whole frame, so they are part of the order but alias
nothing. Here there is a single heap of any size.
"""

from __future__ import annotations

from bisect import insort

import numpy as np

from renderwright.render.memory.arcs import arc_length, conflict_matrix
from renderwright.render.memory.baselines.problem import (
    Baseline,
    BaselineItem,
    BaselineProblem,
    Layout,
    aligned,
    layout,
)


def place(problem: BaselineProblem) -> Layout:
    """Each item in its tightest hole, the largest first."""
    items, period = problem.items, problem.period
    if not items:
        return Layout((), 0)
    starts = np.array([0 if item.outlives else item.start for item in items], np.int64)
    lengths = [period if item.outlives else arc_length(item.start, item.end, period) for item in items]
    meets = conflict_matrix(starts, np.array(lengths, np.int64), period).tolist()
    offsets: dict[int, int] = {}
    placed: list[tuple[int, int, int]] = []
    for number in sorted(range(len(items)), key=lambda number: _rank(items[number])):
        item, near = items[number], meets[number]
        offset = _best(item, [(low, high) for low, high, other in placed if near[other]])
        offsets[number] = offset
        insort(placed, (offset, offset + item.size, number))
    return layout(problem, offsets, max(high for _, high, _ in placed))


def _rank(item: BaselineItem) -> tuple[int, int]:
    return -aligned(item.size, item.alignment), 0 if item.outlives else item.start


def _best(item: BaselineItem, taken: list[tuple[int, int]]) -> int:
    """The aligned offset in the hole that leaves the fewest bytes; ``taken`` are ranges sorted by offset."""
    best, least = -1, -1
    free = 0
    for low, high in taken:
        left = low - free - item.size
        if left >= 0 and (best < 0 or left < least):
            best, least = free, left
        free = max(free, aligned(high, item.alignment))
    return free if best < 0 else best


DECREASING_SIZE_BEST_FIT = Baseline("decreasing_size_best_fit", "AMD Render Pipeline Shaders", place)
