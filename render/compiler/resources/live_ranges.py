"""Live ranges: when the even and the odd copy of a resource hold contents, on the circle of two frames."""

from __future__ import annotations

from collections.abc import Sequence

from renderwright.render.compiler.resources.access_history import AccessHistory
from renderwright.render.compiler.values.queue_plan import ExecutionInterval
from renderwright.render.types.usages import Usage

LiveRange = tuple[int, int]
"""An arc of cyclic time: half-open [start, end) in moments, one moment a node. The circle has 2N moments for N nodes;
``end`` may pass 2N."""


def always(count: int) -> tuple[LiveRange, LiveRange]:
    """The live ranges of a resource that is never free, in frames of ``count`` nodes."""
    return (0, 2 * count), (0, 2 * count)


def live_ranges(
    accessed: AccessHistory, execution_intervals: Sequence[ExecutionInterval], *, sink: bool
) -> tuple[LiveRange, LiveRange]:
    """The live ranges of both copies: from the first user to the last one, which may be in the next frame.

    A ``sink`` lasts until the end of its frame.
    """
    count = len(execution_intervals)
    start = min([execution_intervals[node][0] for node in accessed.nodes])
    end = max([execution_intervals[node][1] for node in accessed.nodes])
    if sink:
        end = max(end, count)
    if accessed.history_reads:
        end = max(end, count + max([execution_intervals[access.node][1] for access in accessed.history_reads]))
    if any(Usage.HOST_READ in access.usages for access in accessed.own):
        # The host reads after the frame's fence, until the frame after next writes the copy again.
        end = 2 * count
    # Cross-frame work may read a history until a writer that waits for it overwrites the copy.
    end = min(end, start + 2 * count)
    return (start, end), (count + start, count + end)
