"""Source scopes of aliasing barriers: a copy's first use waits for everything that ever touches the same bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from renderwright.render.compiler.sync.batching import FirstUse
from renderwright.render.compiler.sync.byte_ranges import Ints, Rows, Sharing
from renderwright.render.compiler.sync.pass_accesses import CopyAccesses
from renderwright.render.compiler.sync.program_points import pass_of
from renderwright.render.compiler.sync.semaphore_coverage import SemaphoreCoverage
from renderwright.render.sync.barriers import BarrierReason
from renderwright.render.sync.derive import SourceScope, last_run
from renderwright.render.sync.flags import Access, Layout, Stage
from renderwright.render.sync.images import CopyKey
from renderwright.render.sync.queues import GRAPHICS

_NOTHING = SourceScope(Stage.NONE, Access.NONE, BarrierReason.HANDOVER)
"""The source scope where no access on the queue touches the memory, or the memory is not the graph's."""


class QueueUse(NamedTuple):
    """How a frame uses a resource's memory on one queue (integers, for columns).

    ``stages`` and ``writes`` are those of the last accesses. ``first``, ``last`` and ``last_write`` are the passes of
    the first and of the last access and of the last write (-1 for none), counted on into the next frame.
    """

    stages: int = 0
    writes: int = 0
    first: int = 0
    last: int = 0
    last_write: int = -1


_STAGES, _WRITES, _FIRST, _LAST = range(4)

MemoryUse = Mapping[str, QueueUse]
"""How a frame in which all nodes run uses a resource's memory, by queue."""


def memory_use(accesses: CopyAccesses, *, any_last: bool) -> MemoryUse:
    """The use of memory by these accesses; with ``any_last`` any of them may be the last one, since nodes may be
    skipped."""
    found: dict[str, QueueUse] = {}
    moves = len({access.queue for access in accesses.all}) > 1
    for access in accesses.all:
        number = pass_of(access.point)
        # A change of layout is a write, too, and so is one of owners.
        writes = access.scope.writes or moves or access.scope.layout is not Layout.UNDEFINED
        use = found.get(access.queue, QueueUse(first=number))
        last_write = max(use.last_write, number if writes else -1)
        found[access.queue] = QueueUse(0, 0, min(use.first, number), max(use.last, number), last_write)
    copies = [cell for _, cell in accesses.cells] or [accesses]
    for access in accesses.all if any_last else [access for copy in copies for access in last_run(copy.all)]:
        use, scope = found[access.queue], access.scope
        stages, written = use.stages | int(scope.stages), use.writes | int(scope.write_access)
        found[access.queue] = use._replace(stages=stages, writes=written)
    return found


class _Sharers(NamedTuple):
    """Some first uses of placed copies, by their numbers, and for each a row of the copies that share its memory."""

    numbers: Sequence[int]
    copies: Ints
    rows: Rows

    @classmethod
    def of(cls, shared: Sharing, first_uses: Sequence[FirstUse], queue: str | None = None) -> _Sharers:
        """Those of all placed copies, or of these on one queue."""
        numbers = [
            number for number, use in enumerate(first_uses) if use.copy in shared.numbers and queue in (None, use.queue)
        ]
        copies = np.array([shared.numbers[first_uses[number].copy] for number in numbers], np.int64)
        return cls(numbers, copies, shared.by_copy.select(copies) if numbers else Rows(copies, copies))

    def of_first_uses(self, values: Sequence[int]) -> Ints:
        """A value of each of all first uses, for each sharer."""
        return np.array(values, np.int64)[self.numbers].repeat(self.rows.lengths)


def source_scopes(
    shared: Sharing,
    uses: Mapping[str, MemoryUse],
    first_uses: Sequence[FirstUse],
    coverage: SemaphoreCoverage | None = None,
) -> list[SourceScope]:
    """For each first use, the last accesses on its queue to all copies whose bytes overlap with the copy's, its own
    previous ones included.

    Frames run on a queue in turn, so a barrier waits for the previous frame as well as for earlier passes. Other queues
    have been waited for by then (``renderwright.render.compiler.queues``); accesses that semaphores cover are left out.
    """
    found = [_NOTHING] * len(first_uses)
    names = [name for name, copy in shared.copies if copy == 0]
    resources = (shared.parities == 0).cumsum() - 1
    for queue in {use.queue for use in first_uses}:
        columns = np.array([uses[name].get(queue, QueueUse()) for name in names], np.int64)
        sharers = _Sharers.of(shared, first_uses, queue)
        if not sharers.numbers or not (queue == GRAPHICS or columns[:, _STAGES].any()):
            continue
        begins, near = sharers.rows
        of_near = columns[resources[near]]
        if coverage is not None:
            covered = _covered(shared, sharers, of_near, _first_passes(first_uses, queue), coverage)
            of_near[:, :_FIRST][covered] = 0
            unseen = np.logical_or.reduceat(~covered[:, _WRITES], begins).tolist()
        else:
            unseen = [True] * len(begins)
        unions = np.bitwise_or.reduceat(of_near[:, :_FIRST], begins).tolist()
        alone = np.minimum.reduceat(resources[near], begins) == np.maximum.reduceat(resources[near], begins)
        for number, (stages, writes), *others in zip(sharers.numbers, unions, alone.tolist(), unseen, strict=True):
            found[number] = _source_scope(stages, writes, *others)
    return found


# Equal ones are the same object, which is soonest compared.
@cache
def _source_scope(stages: int, writes: int, alone: bool, unseen_writes: bool) -> SourceScope:
    reason = BarrierReason.ACTIVATE if alone else BarrierReason.HANDOVER
    return SourceScope(Stage(stages), Access(writes), reason, unseen_writes)


def _first_passes(first_uses: Sequence[FirstUse], queue: str) -> Sequence[int]:
    """For each first use the pass of the first one of the same copy on a queue."""
    found: dict[CopyKey, int] = {}
    for use in first_uses:
        if use.queue == queue:
            found[use.copy] = min(pass_of(use.point), found.get(use.copy, pass_of(use.point)))
    return [found.get(use.copy, 0) for use in first_uses]


def _covered(
    shared: Sharing, sharers: _Sharers, uses: Ints, first_passes: Sequence[int], coverage: SemaphoreCoverage
) -> NDArray[np.bool_]:
    """Of each sharer two columns: whether semaphores have waited for its last use before the first use of the memory,
    and for its last write. ``uses`` has the columns of ``QueueUse``."""
    newest, submissions = np.array(coverage.newest, np.int64), np.array(coverage.submissions, np.int64)
    near = sharers.rows.numbers
    mine = sharers.copies.repeat(sharers.rows.lengths)
    here = sharers.of_first_uses(first_passes)
    # The other copy belongs to every second frame, and its last use may come in the frame behind its own. It comes
    # wholly in front of the first use or wholly behind it, since live ranges that share memory do not overlap.
    later, last = np.divmod(uses[:, _LAST:], len(submissions))
    before = (uses[:, _FIRST] < np.array(coverage.ends, np.int64)[here]) & (near != mine)
    odd = (shared.parities[near] - shared.parities[mine])[:, None] + later
    frames = np.where(odd % 2, 1, np.where(before[:, None] | (later > 0), 0, 2))
    begun = newest[submissions[np.array(coverage.begins, np.int64)[here]]]
    over: NDArray[np.bool_] = begun[:, None] >= submissions[last] - frames * len(newest)
    return over | (uses[:, _LAST:] < 0)


def last_points_before(
    shared: Sharing, last_points: Mapping[str, int], length: int, first_uses: Sequence[FirstUse]
) -> list[int]:
    """The last program point at which another use had the memory before each first use; those of earlier frames are
    negative. Without shared memory it is the first use's own point.

    ``last_points`` are those of the last accesses, by resource id, counted on into the next frame of ``length`` points.
    A live range that shares the memory ends in front of the first use or begins behind it, since live ranges that share
    memory do not overlap.
    """
    found = [use.point for use in first_uses]
    sharers = _Sharers.of(shared, first_uses)
    if sharers.numbers:
        begins, near = sharers.rows
        points, parities = (sharers.of_first_uses(values) for values in (found, [use.parity for use in first_uses]))
        last = np.array([last_points[name] for name, _ in shared.copies], np.int64)[near]
        # A copy is used in every second frame.
        over = last - np.where(shared.parities[near] != parities, length, 0)
        over -= np.where(over < points, 0, 2 * length)
        for number, point in zip(sharers.numbers, np.maximum.reduceat(over, begins).tolist(), strict=True):
            found[number] = point
    return found
