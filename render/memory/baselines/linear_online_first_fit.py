"""First-fit on one frame's timeline while the frame is recorded; histories are not aliased.

From Frostbite (O'Donnell, "FrameGraph: Extensible Rendering Architecture in Frostbite", GDC 2017: transient resources
get memory at their first use and release it after the last) and Unreal Engine (``FRHITransientHeapAllocator``: a list
of free ranges by address, first-fit, freed ranges are merged with their neighbours). Later passes are unknown.

All memory is free when a frame ends. Frames follow one another on the queue, even if the CPU prepares the next one in
the meantime, so the next frame reuses the same bytes with the same layout. Items that outlive their frame, such as both
copies of a history, are not aliased and lie above the rest.
"""

from __future__ import annotations

from bisect import insort

from renderwright.render.memory.arcs import arc_length
from renderwright.render.memory.baselines.problem import (
    Baseline,
    BaselineProblem,
    Layout,
    aligned,
    in_frame,
    layout,
    outliving,
    stack,
)


def place(problem: BaselineProblem) -> Layout:
    """First-fit among the live items, in time order."""
    items = problem.items
    offsets: dict[int, int] = {}
    # Offset, end and last moment of the live items, sorted by offset.
    alive: list[tuple[int, int, int]] = []
    top = 0
    for number in sorted(in_frame(problem), key=lambda number: items[number].start % problem.period):
        item = items[number]
        start = item.start % problem.period
        alive = [row for row in alive if row[2] > start]
        offset = 0
        for low, high, _ in alive:
            if offset + item.size <= low:
                break
            offset = max(offset, aligned(high, item.alignment))
        offsets[number] = offset
        insort(alive, (offset, offset + item.size, start + arc_length(item.start, item.end, problem.period)))
        top = max(top, offset + item.size)
    apart, total = stack(problem, ((number,) for number in outliving(problem)), top)
    return layout(problem, offsets | apart, total)


LINEAR_ONLINE_FIRST_FIT = Baseline("linear_online_first_fit", "Frostbite, Unreal Engine", place)
