"""The queues of a capture: submissions, waits, and the schedule that the planner's costs give."""

from __future__ import annotations

from typing import Any

from renderwright.render.inspect.plan_index import PlanIndex
from renderwright.render.sync.queues import ALL_QUEUES


def queues_of(index: PlanIndex) -> dict[str, Any]:
    """Queues, submissions, semaphore waits, cross-frame work, and the schedule by hinted costs.

    In the schedule a node begins when its queue and all that it waits for have finished. ``idle`` is how long its queue
    stands still for a wait. Times have the unit of the costs, in which a node without a hint takes 1.
    """
    plan = index.plan.queues
    return {
        "used": [queue for queue in ALL_QUEUES if queue in plan.queues],
        "time_on_one_queue": plan.time_on_one_queue,
        "planned_time": plan.planned_time,
        "submissions": [
            {
                "queue": item.queue,
                "first_pass": item.first,
                "waits": list(item.waits),
                "cross_frame": item.cross_frame if item.cross_frame >= 0 else None,
                "cross_frame_waits": list(item.cross_frame_waits),
            }
            for item in index.plan.program.submissions
        ],
        "waits": [
            {"node": node.id, "for": [index.nodes[other].id for other in waits]}
            for node, waits in zip(index.nodes, plan.waits, strict=True)
            if waits
        ],
        "cross_frame_work": [
            {
                "nodes": [index.nodes[number].id for number in work.nodes],
                "until": index.nodes[work.wait_point].id if work.wait_point < len(index.nodes) else None,
            }
            for work in plan.cross_frame_work
        ],
        "schedule": _schedule(index),
    }


def _schedule(index: PlanIndex) -> list[dict[str, Any]]:
    plan = index.plan.queues
    free = dict.fromkeys(ALL_QUEUES, 0.0)
    ends: list[float] = []
    found = []
    for number, node in enumerate(index.nodes):
        queue = plan.queues[number]
        waited = max((ends[other] for other in plan.waits[number] if other < number), default=0.0)
        begin = max(free[queue], waited)
        cost = node.declaration.cost if node.records else 0.0
        found.append({"node": node.id, "queue": queue, "begin": begin, "cost": cost, "idle": begin - free[queue]})
        free[queue] = begin + cost
        ends.append(free[queue])
    return found
