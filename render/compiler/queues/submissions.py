"""submissions: cuts the passes of a frame into what goes to the queues at once."""

from __future__ import annotations

from renderwright.render.compiler.values.operations import Submission
from renderwright.render.compiler.values.passes import StatePlan
from renderwright.render.compiler.values.queue_plan import QueuePlan
from renderwright.render.sync.queues import GRAPHICS


def submissions(state: StatePlan, queues: QueuePlan, sliced: bool = False) -> tuple[Submission, ...]:
    """A new one where the queue changes, in front of a pass that waits for another queue, and behind one that another
    queue waits for; and where late work begins or other late work. The last one is on the graphics queue, which hands
    the frame out. All of a frame on one queue is one submission, or one for each pass if it is ``sliced``."""
    if not queues.several:
        return tuple([Submission(GRAPHICS, number) for number in range((len(state.passes) or 1) if sliced else 1)])
    late_of = {node: number for number, work in enumerate(queues.late) for node in work.nodes}
    found: list[Submission] = []
    of_node: dict[int, int] = {}
    cut = True
    for number, item in enumerate(state.passes):
        nodes = range(item.first, item.last + 1)
        waits = tuple(sorted({of_node[other] for node in nodes for other in queues.waits[node]}))
        joins = tuple(sorted({work for node in nodes for work in queues.joins.get(node, ())}))
        late = max((late_of.get(node, -1) for node in nodes), default=-1)
        if cut or waits or joins or (found[-1].queue, found[-1].late) != (item.queue, late):
            found.append(Submission(item.queue, number, waits, late, joins))
        of_node |= dict.fromkeys(nodes, len(found) - 1)
        cut = any(node in queues.signals for node in nodes)
    if found[-1].queue != GRAPHICS:
        found.append(Submission(GRAPHICS, len(state.passes)))
    return tuple(found)
