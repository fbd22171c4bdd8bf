"""Live ranges: when the even and the odd copy of a resource hold contents, as arcs on the circle of two frames."""

from __future__ import annotations

from collections.abc import Sequence

from renderwright.render.compiler.resources.access_history import AccessHistory
from renderwright.render.types.usages import Usage

Arc = tuple[int, int]
"""Half-open [start, end) in slots, one slot a node. The circle has 2N slots for N nodes; ``end`` may pass 2N."""

Windows = Sequence[tuple[int, int]]
"""The execution interval of each node: the half-open slots in which it may be running (``QueuePlan.windows``)."""

NEVER: tuple[Arc, Arc] = ((0, 0), (0, 0))


def always(count: int) -> tuple[Arc, Arc]:
    """The live ranges of a resource that is never free, in frames of ``count`` nodes."""
    return (0, 2 * count), (0, 2 * count)


def live_ranges(accessed: AccessHistory, windows: Windows, *, sink: bool) -> tuple[Arc, Arc]:
    """The live ranges of both copies: from the first user to the last one, which may be in the next frame.

    A ``sink`` lasts until the end of its frame.
    """
    count = len(windows)
    start = min([windows[node][0] for node in accessed.nodes])
    end = max([windows[node][1] for node in accessed.nodes])
    if sink:
        end = max(end, count)
    if accessed.history:
        end = max(end, count + max([windows[access.node][1] for access in accessed.history]))
    if any(Usage.HOST_READ in access.usages for access in accessed.own):
        # The host reads after the frame's fence, until the frame after next writes the copy again.
        end = 2 * count
    # Cross-frame work may read a history until a writer that waits for it overwrites the copy.
    end = min(end, start + 2 * count)
    return (start, end), (count + start, count + end)
