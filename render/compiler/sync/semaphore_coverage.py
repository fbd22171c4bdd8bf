"""Which barriers the semaphores between queues already cover.

A semaphore waits for everything that its queue did before and makes it visible to everything behind the wait. So when
another queue has waited for a submission, and this queue then waits for that other queue, everything that this queue
did up to that submission is over, and all commands see its writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from renderwright.render.compiler.rates import is_rated
from renderwright.render.compiler.sync.pending import PendingBarrier
from renderwright.render.compiler.sync.program_points import pass_of
from renderwright.render.compiler.values.instances import InstanceGraph
from renderwright.render.compiler.values.operations import Submission
from renderwright.render.compiler.values.passes import PassPlan
from renderwright.render.compiler.values.queue_plan import QueuePlan
from renderwright.render.sync.barriers import Split
from renderwright.render.sync.flags import Access
from renderwright.render.sync.queues import GRAPHICS

# Enough for what is known of the frames before to be the same in each frame.
_FRAMES = 4


@dataclass(frozen=True)
class SemaphoreCoverage:
    """What is over when a submission of the frame begins.

    ``newest`` has, for each submission, the newest one of its own queue that is over by then: those of the frame are
    numbered from 0 on, those of the frame before have negative numbers, the last one -1, and so on. ``submissions`` has
    the submission of each pass of a frame in which all nodes run; the frame's end counts as one more pass.

    A frame in which nodes are skipped has other passes. For each of these, ``begins`` and ``ends`` give the pass of its
    first and of its last node in a frame in which all nodes run. What is over then is over in every frame, since the
    nodes behind a skipped one wait in its place.
    """

    newest: tuple[int, ...]
    submissions: tuple[int, ...]
    begins: tuple[int, ...]
    ends: tuple[int, ...]

    def covers(self, since: int, point: int) -> bool:
        """Whether an access at the program point ``since`` is over at a later ``point`` of its queue."""
        passes = len(self.begins)
        earlier, later = pass_of(since), pass_of(point)
        frames = later // passes - earlier // passes
        begun, ended = self.submissions[self.begins[later % passes]], self.submissions[self.ends[earlier % passes]]
        return self.newest[begun] >= ended - frames * len(self.newest)

    def without(self, whole: PassPlan, pass_plan: PassPlan, running: Sequence[int]) -> SemaphoreCoverage:
        """The coverage of a frame in which only some nodes run (by number), in passes other than the ``whole``
        frame's."""
        passes = [number for number, item in enumerate(whole.passes) for _ in range(item.first, item.last + 1)]
        begins = [passes[running[item.first]] for item in pass_plan.passes]
        ends = [passes[running[item.last]] for item in pass_plan.passes]
        # No node is at the end, and what the last ones would have waited for may not be waited for at all.
        on_graphics = [number for number, item in zip(begins, pass_plan.passes, strict=True) if item.queue == GRAPHICS]
        return replace(self, begins=(*begins, max(on_graphics, default=0)), ends=(*ends, len(whole.passes)))


def semaphore_coverage(
    graph: InstanceGraph, pass_plan: PassPlan, queues: QueuePlan, submissions: Sequence[Submission]
) -> SemaphoreCoverage | None:
    """The coverage that holds in every frame of a plan in which all nodes run, whichever nodes the frames before
    skipped; None if there is only one queue."""
    if len({item.queue for item in submissions}) == 1:
        return None
    in_every_frame = _waits_of_every_frame(graph, pass_plan, queues, submissions)
    count = len(pass_plan.passes) + 1
    numbers: list[int] = []
    for number, end in enumerate([*[item.first for item in submissions[1:]], count]):
        numbers += [number] * (end - len(numbers))
    passes = tuple(range(count))
    return SemaphoreCoverage(_newest(in_every_frame), tuple(numbers), passes, passes)


def not_covered(barriers: Iterable[PendingBarrier], coverage: SemaphoreCoverage) -> list[PendingBarrier]:
    """The barriers without those that semaphores cover; of these only changes of layout are left."""
    found = []
    for barrier in barriers:
        wait = barrier.dependency
        if wait.since is None or wait.behind or wait.owners or not coverage.covers(wait.since, wait.point):
            found.append(barrier)
        elif wait.old_layout != wait.dst.layout:
            # The layout is changed behind the semaphore's wait, whose effect any stage carries on.
            change = wait._replace(src_stages=wait.dst.stages, src_access=Access.NONE)
            found.append(replace(barrier, dependency=change, why_unsplit=barrier.why_unsplit or Split.QUEUES))
    return found


@dataclass(frozen=True, slots=True)
class _RunsAlways:
    """What of a submission runs in every frame: anything that records commands (``some``), the ``first`` node that
    does, and the nodes of its ``last_pass``."""

    some: bool
    first: bool
    last_pass: frozenset[int]


def _waits_of_every_frame(
    graph: InstanceGraph, pass_plan: PassPlan, queues: QueuePlan, submissions: Sequence[Submission]
) -> Sequence[Submission]:
    """The submissions without waits that may be missing in frames in which nodes are skipped.

    The next node behind a skipped one waits in its place, but there may be none; and instead of a skipped node the ones
    in front of it are waited for, but there may be none, or of an earlier submission. It is enough that the node that
    is waited for itself runs in every frame: its submission ends with its pass.
    """
    if not graph.rated:
        return submissions
    runs = _runs_always(graph, pass_plan, submissions)
    found = []
    for number, item in enumerate(submissions):
        on_queue = [other for other in range(number, len(submissions)) if submissions[other].queue == item.queue]
        if any(runs[other].some for other in on_queue):
            awaited = _awaited_by_first_pass(item, pass_plan, queues)
            waits = [other for other in item.waits if runs[other].first or awaited & runs[other].last_pass]
            found.append(replace(item, waits=tuple(waits)))
        else:
            found.append(replace(item, waits=(), cross_frame_waits=()))
    return found


def _runs_always(graph: InstanceGraph, pass_plan: PassPlan, submissions: Sequence[Submission]) -> Sequence[_RunsAlways]:
    """What of each submission runs in every frame."""
    rated = [is_rated(node.declaration) for node in graph.nodes]
    passes = [range(each.first, each.last + 1) for each in pass_plan.passes]
    found = []
    for begin, end in pairwise([*[item.first for item in submissions], len(passes)]):
        recording = [node for nodes in passes[begin:end] for node in nodes if graph.nodes[node].records]
        runs = [not rated[node] for node in recording]
        last_pass = frozenset([node for node in passes[end - 1] if not rated[node]])
        found.append(_RunsAlways(any(runs), any(runs[:1]), last_pass))
    return found


def _awaited_by_first_pass(item: Submission, pass_plan: PassPlan, queues: QueuePlan) -> set[int]:
    """The nodes that the nodes of a submission's first pass wait for."""
    first = [(each.first, each.last) for each in pass_plan.passes[item.first : item.first + 1]]
    return {other for begin, end in first for waits in queues.waits[begin : end + 1] for other in waits}


def _newest(submissions: Sequence[Submission]) -> tuple[int, ...]:
    """``SemaphoreCoverage.newest``, by vector clocks over some frames that follow one another."""
    count = len(submissions)
    waits = _waits_across_frames(submissions)
    # Before the first of these frames nothing is known to be over.
    last = {item.queue: {other.queue: -_FRAMES * count for other in submissions} for item in submissions}
    clocks: list[dict[str, int]] = []
    for number in range(_FRAMES * count):
        item = submissions[number % count]
        clock = dict(last[item.queue])
        frame = number - number % count
        for other in [frame + each for each in waits[number % count] if frame + each >= 0]:
            queue = submissions[other % count].queue
            for name, newest in (*clocks[other].items(), (queue, other)):
                clock[name] = max(clock[name], newest)
        clocks.append(clock)
        last[item.queue] = clock
    start = (_FRAMES - 1) * count
    return tuple(clocks[start + number][item.queue] - start for number, item in enumerate(submissions))


def _waits_across_frames(submissions: Sequence[Submission]) -> list[list[int]]:
    """The submissions that each one waits for; those of the frame before have negative numbers, the last one -1.

    The first submission of a queue waits for all that the other queues did in the frame before, except cross-frame
    work.
    """
    count = len(submissions)
    ended = {item.queue: number - count for number, item in enumerate(submissions)}
    ended |= {item.queue: number for number, item in enumerate(submissions) if item.cross_frame < 0}
    found = []
    begun: set[str] = set()
    for item in submissions:
        waits = [
            *item.waits,
            *[other - count for other, one in enumerate(submissions) if one.cross_frame in item.cross_frame_waits],
        ]
        if item.queue not in begun:
            begun.add(item.queue)
            waits += [number - count for queue, number in ended.items() if queue != item.queue]
        found.append(waits)
    return found
