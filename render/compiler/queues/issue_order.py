"""The issue order: one order for the nodes of all queues."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from renderwright.render.compiler.queues.dependencies import Hyperedge, countdown_of
from renderwright.render.sync.queues import GRAPHICS


def issue_order(queues: Sequence[str], starts: Sequence[float], edges: Sequence[Hyperedge]) -> list[int]:
    """The nodes in an order that satisfies all hyperedges, in which the nodes of each queue go by start where they can.

    Nodes beside the graphics queue come as early as that allows: right behind their predecessors, where a render pass
    ends anyway.
    """

    def by_start(node: int) -> tuple[float, int]:
        return starts[node], node

    lines: dict[str, deque[int]] = {GRAPHICS: deque()}
    for node in sorted(range(len(queues)), key=by_start):
        lines.setdefault(queues[node], deque()).append(node)
    countdown = countdown_of(len(queues), edges)
    unsatisfied = countdown.unsatisfied
    order: list[int] = []
    while len(order) < len(queues):
        # The graphics queue comes last.
        line = next((line for line in reversed(lines.values()) if line and not unsatisfied[line[0]]), None)
        if line is not None:
            node = line.popleft()
        else:
            # Dependencies of issue order alone take no time, so a node may come before the first of its queue.
            node = min((each for line in lines.values() for each in line if not unsatisfied[each]), key=by_start)
            lines[queues[node]].remove(node)
        order.append(node)
        countdown.finish(node)
    return order
