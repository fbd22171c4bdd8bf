"""One frame's timeline, first-fit while the frame is recorded: histories stay outside.

From Frostbite (O'Donnell, "FrameGraph: Extensible Rendering Architecture in Frostbite", GDC 2017: transient resources
get memory at their first use and give it back after the last) and Unreal Engine (``FRHITransientHeapAllocator``: a list
of free ranges by address, the first that fits is taken, what is freed is joined with its neighbours). Nothing later
than the present pass is known.

All is free when a frame ends, so the next one fills the same bytes in the same way, also if the CPU has prepared it
meanwhile: frames follow one another on the queue. Two frames on the circle are two equal layouts of one frame. What
outlives its frame, both copies of a history above all, cannot take part and has memory of its own above the rest.
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
    lasting,
    layout,
    stack,
)


def place(problem: BaselineProblem) -> Layout:
    """First-fit among what is alive, in the order of time."""
    items = problem.items
    offsets: dict[int, int] = {}
    # Offset, end and last moment of what is alive, in the order of the offsets.
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
    apart, total = stack(problem, ((number,) for number in lasting(problem)), top)
    return layout(problem, offsets | apart, total)


LINEAR_ONLINE_FIRST_FIT = Baseline("linear_online_first_fit", "Frostbite, Unreal Engine", place)
