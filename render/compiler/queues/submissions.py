"""submissions: cuts the passes of a frame into batches that are submitted to a queue at once."""

from __future__ import annotations

from collections.abc import Mapping

from renderwright.render.compiler.values.operations import Submission
from renderwright.render.compiler.values.passes import Pass, PassPlan
from renderwright.render.compiler.values.queue_plan import QueuePlan
from renderwright.render.sync.queues import GRAPHICS


def submissions(pass_plan: PassPlan, queues: QueuePlan, sliced: bool = False) -> tuple[Submission, ...]:
    """The submissions of a frame, in order.

    A new one begins where the queue or the cross-frame work changes, in front of a pass that waits for another queue,
    and behind a pass that another queue waits for. The last one is on the graphics queue, which presents the frame. A
    frame on one queue is one submission, or one for each pass if it is ``sliced``.
    """
    if not queues.several:
        return tuple([Submission(GRAPHICS, number) for number in range((len(pass_plan.passes) or 1) if sliced else 1)])
    found: list[Submission] = []
    submission_of: dict[int, int] = {}
    signalled = True
    for number, item in enumerate(pass_plan.passes):
        one = _beginning_with(number, item, queues, submission_of)
        changes = not found or (found[-1].queue, found[-1].cross_frame) != (one.queue, one.cross_frame)
        if signalled or changes or one.waits or one.cross_frame_waits:
            found.append(one)
        nodes = range(item.first, item.last + 1)
        submission_of |= dict.fromkeys(nodes, len(found) - 1)
        signalled = not queues.signals.isdisjoint(nodes)
    if found[-1].queue != GRAPHICS:
        found.append(Submission(GRAPHICS, len(pass_plan.passes)))
    return tuple(found)


def _beginning_with(number: int, item: Pass, queues: QueuePlan, submission_of: Mapping[int, int]) -> Submission:
    """The submission that begins with pass ``number``; ``submission_of`` has the submission of each earlier node."""
    nodes = range(item.first, item.last + 1)
    waits = {submission_of[other] for node in nodes for other in queues.waits[node]}
    cross_frame_waits = {work for node in nodes for work in queues.cross_frame_waits.get(node, ())}
    works = [number for number, work in enumerate(queues.cross_frame_work) if not set(work.nodes).isdisjoint(nodes)]
    cross_frame = max(works, default=-1)
    return Submission(item.queue, number, tuple(sorted(waits)), cross_frame, tuple(sorted(cross_frame_waits)))
