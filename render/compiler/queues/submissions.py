"""submissions: cuts the passes of a frame into batches that are submitted to a queue at once."""

from __future__ import annotations

from renderwright.render.compiler.values.operations import Submission
from renderwright.render.compiler.values.passes import StatePlan
from renderwright.render.compiler.values.queue_plan import QueuePlan
from renderwright.render.sync.queues import GRAPHICS


def submissions(state: StatePlan, queues: QueuePlan, sliced: bool = False) -> tuple[Submission, ...]:
    """The submissions of a frame, in order.

    A new one begins where the queue or the cross-frame work changes, in front of a pass that waits for another queue,
    and behind a pass that another queue waits for. The last one is on the graphics queue, which presents the frame. A
    frame on one queue is one submission, or one for each pass if it is ``sliced``.
    """
    if not queues.several:
        return tuple([Submission(GRAPHICS, number) for number in range((len(state.passes) or 1) if sliced else 1)])
    work_of = {node: number for number, work in enumerate(queues.late) for node in work.nodes}
    found: list[Submission] = []
    submission_of: dict[int, int] = {}
    signalled = True
    for number, one in enumerate(state.passes):
        nodes = range(one.first, one.last + 1)
        waits = tuple(sorted({submission_of[other] for node in nodes for other in queues.waits[node]}))
        joins = tuple(sorted({work for node in nodes for work in queues.joins.get(node, ())}))
        late = max((work_of.get(node, -1) for node in nodes), default=-1)
        if signalled or waits or joins or (found[-1].queue, found[-1].late) != (one.queue, late):
            found.append(Submission(one.queue, number, waits, late, joins))
        submission_of |= dict.fromkeys(nodes, len(found) - 1)
        signalled = any(node in queues.signals for node in nodes)
    if found[-1].queue != GRAPHICS:
        found.append(Submission(GRAPHICS, len(state.passes)))
    return tuple(found)
