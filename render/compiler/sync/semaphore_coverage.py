"""waited: what the semaphores between queues have seen to already, so that no barrier has to.

A semaphore waits for everything that its queue did before and makes it visible to everything behind the wait. So when
another queue has waited for a submission, and this queue then waits for that other one, what this queue itself did up
to that submission is over, and all commands see what it wrote.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from renderwright.render.compiler.rates import is_rated
from renderwright.render.compiler.values.instances import InstanceGraph
from renderwright.render.compiler.values.operations import Submission
from renderwright.render.compiler.values.passes import StatePlan
from renderwright.render.compiler.values.queue_plan import QueuePlan
from renderwright.render.sync.queues import GRAPHICS

# Enough for what is known of the frames before to be the same in each frame.
_FRAMES = 4


@dataclass(frozen=True)
class Waited:
    """What is over when a submission of the frame begins.

    ``newest`` has, for each submission, the newest one of its own queue that is over by then: those of the frame are
    numbered from 0 on, those of the frame before have negative numbers, the last one -1, and so on. ``places`` has the
    submission of each place of a frame (``clock.Clock``). Where nodes rest, a frame has fewer places: ``begins`` and
    ``ends`` then give, for each of these, those that the first and the last node of its pass have when all nodes run.
    What is over then is over in every frame, since those behind a node that rests wait in its place.
    """

    newest: tuple[int, ...]
    places: tuple[int, ...]
    begins: tuple[int, ...]
    ends: tuple[int, ...]

    def covers(self, after: int, place: int) -> bool:
        """Whether an access at the place ``after`` is over at a later ``place`` of its queue. Both are counted on from
        frame to frame."""
        length = len(self.begins)
        frames = place // length - after // length
        begun, ended = self.places[self.begins[place % length]], self.places[self.ends[after % length]]
        return self.newest[begun] >= ended - frames * len(self.newest)

    def without(self, whole: StatePlan, state: StatePlan, running: Sequence[int]) -> Waited:
        """The same for a frame of which only some nodes run (by number), in passes other than the ``whole`` frame's."""
        passes = [number for number, item in enumerate(whole.passes) for _ in range(item.first, item.last + 1)]
        firsts = [passes[running[item.first]] for item in state.passes]
        # No node is at the end, and what the last ones would have waited for may not be waited for at all.
        firsts.append(
            max([at for at, item in zip(firsts, state.passes, strict=True) if item.queue == GRAPHICS], default=0)
        )
        lasts = [passes[running[item.last]] for item in state.passes] + [len(whole.passes)]
        begins, ends = (tuple([2 * each + half for each in those for half in (0, 1)]) for those in (firsts, lasts))
        return replace(self, begins=begins, ends=ends)


def waited(
    graph: InstanceGraph, state: StatePlan, queues: QueuePlan, submissions: Sequence[Submission]
) -> Waited | None:
    """What holds in every frame of a plan in which all nodes run, whoever rested in the frames before; None if there is
    but one queue."""
    if len({item.queue for item in submissions}) == 1:
        return None
    submissions = _lasting_waits(graph, state, queues, submissions)
    numbers = []
    number = 0
    for each in range(len(state.passes) + 1):
        while number + 1 < len(submissions) and submissions[number + 1].first <= each:
            number += 1
        numbers.append(number)
    own = tuple(range(2 * len(numbers)))
    return Waited(_newest(submissions), tuple([numbers[place // 2] for place in own]), own, own)


def _lasting_waits(
    graph: InstanceGraph, state: StatePlan, queues: QueuePlan, submissions: Sequence[Submission]
) -> Sequence[Submission]:
    """The submissions without waits that may be missing in frames in which nodes rest.

    Who comes behind a node that rests waits in its place, but there may be nobody; and for a node that rests those in
    front of it are waited for, but they may be none, or of an earlier submission. It is enough that the node that is
    waited for itself runs in every frame: its submission ends with its pass.
    """
    rated = [is_rated(node.declaration) for node in graph.nodes]
    if not any(rated):
        return submissions
    ends = [*[item.first for item in submissions[1:]], len(state.passes)]
    passes = [range(each.first, each.last + 1) for each in state.passes]
    # By submission, of each node that records commands whether it runs in every frame.
    runs = [
        [not rated[node] for nodes in passes[item.first : end] for node in nodes if graph.nodes[node].records]
        for item, end in zip(submissions, ends, strict=True)
    ]
    # By submission, the nodes of its last pass that run in every frame.
    lasting = [[node for node in passes[end - 1] if not rated[node]] for end in ends]
    result = []
    for number, item in enumerate(submissions):
        behind = [
            run for other, run in zip(submissions[number:], runs[number:], strict=True) if other.queue == item.queue
        ]
        if any(any(run) for run in behind):
            first = passes[item.first] if item.first < len(passes) else ()
            awaited = {other for node in first for other in queues.waits[node]}
            waits = tuple(
                [
                    other
                    for other in item.waits
                    if (runs[other] and runs[other][0]) or not awaited.isdisjoint(lasting[other])
                ]
            )
            result.append(replace(item, waits=waits))
        else:
            result.append(replace(item, waits=(), joins=()))
    return result


def _newest(submissions: Sequence[Submission]) -> tuple[int, ...]:
    """``Waited.newest``, by vector clocks over some frames that follow one another."""
    count = len(submissions)
    queues = dict.fromkeys(item.queue for item in submissions)
    # The first submission of a queue waits for what all others did in the frame before, but for late work.
    ended = {item.queue: number - count for number, item in enumerate(submissions)}
    ended |= {item.queue: number for number, item in enumerate(submissions) if item.late < 0}
    clocks: dict[int, dict[str, int]] = {}
    last = {queue: dict.fromkeys(queues, -_FRAMES * count) for queue in queues}
    for start in range(0, _FRAMES * count, count):
        begun: set[str] = set()
        for number, item in enumerate(submissions):
            awaited = [start + other for other in item.waits]
            awaited += [start - count + other for other, one in enumerate(submissions) if one.late in item.joins]
            if item.queue not in begun:
                begun.add(item.queue)
                awaited += [start - count + each for queue, each in ended.items() if queue != item.queue]
            clock = clocks[start + number] = dict(last[item.queue])
            for other in awaited:
                if other in clocks:
                    queue = submissions[other % count].queue
                    for name, newest in (*clocks[other].items(), (queue, other)):
                        clock[name] = max(clock[name], newest)
            last[item.queue] = clock
    start = (_FRAMES - 1) * count
    return tuple(clocks[start + number][item.queue] - start for number, item in enumerate(submissions))
