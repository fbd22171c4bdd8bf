"""submissions: cuts the passes of a frame into what goes to the queues at once."""

from __future__ import annotations

from render.compiler.operations import Submission
from render.compiler.queues.plan import QueuePlan
from render.compiler.stages import StatePlan
from render.sync.queues import GRAPHICS


def submissions(state: StatePlan, queues: QueuePlan) -> tuple[Submission, ...]:
    """A new one where the queue changes, in front of a pass that waits for another queue, and behind one that another
    queue waits for. The last one is on the graphics queue, which hands the frame out."""
    if not queues.several:
        return (Submission(GRAPHICS, 0),)
    found: list[Submission] = []
    of_node: dict[int, int] = {}
    cut = True
    for number, item in enumerate(state.passes):
        nodes = range(item.first, item.last + 1)
        waits = tuple(sorted({of_node[other] for node in nodes for other in queues.waits[node]}))
        if cut or waits or found[-1].queue != item.queue:
            found.append(Submission(item.queue, number, waits))
        of_node |= dict.fromkeys(nodes, len(found) - 1)
        cut = any(node in queues.signals for node in nodes)
    if found[-1].queue != GRAPHICS:
        found.append(Submission(GRAPHICS, len(state.passes)))
    return tuple(found)
