"""The load: a lower bound of every packing."""

from __future__ import annotations

from collections.abc import Sequence

from renderwright.render.memory.arcs import PackItem, arc_length


def load_profile(items: Sequence[PackItem], period: int) -> list[tuple[int, int]]:
    """(moment, bytes in use from then on) at moment 0 and at each change of the sum, in order of time."""
    steps = {0: 0}
    for item in items:
        start = item.start % period
        end = start + arc_length(item.start, item.end, period)
        if end > period:
            steps[0] += item.size
            end -= period
        steps[start] = steps.get(start, 0) + item.size
        if end < period:
            steps[end] = steps.get(end, 0) - item.size
    profile = []
    total = 0
    for moment in sorted(steps):
        total += steps[moment]
        profile.append((moment, total))
    return profile


def load(items: Sequence[PackItem], period: int) -> int:
    """The largest sum of sizes in use at one moment, which is a lower bound of the makespan."""
    return max(total for _, total in load_profile(items, period))
