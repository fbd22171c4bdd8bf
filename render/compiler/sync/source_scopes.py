"""Source scopes of aliasing barriers: a copy's first use waits for everything that ever touches the same bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from renderwright.render.compiler.sync.batching import FirstUse
from renderwright.render.compiler.sync.byte_ranges import ByteOverlaps, Ints
from renderwright.render.compiler.sync.pass_accesses import CopyAccesses
from renderwright.render.compiler.sync.program_points import pass_of
from renderwright.render.compiler.sync.semaphore_coverage import SemaphoreCoverage
from renderwright.render.sync.barriers import BarrierReason
from renderwright.render.sync.derive import SourceScope, last_group
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


_STAGES = QueueUse._fields.index("stages")
_WRITES = QueueUse._fields.index("writes")
_FIRST = QueueUse._fields.index("first")
_LAST = QueueUse._fields.index("last")

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
    last = [access for each in accesses.separate for access in last_group(each.all)]
    for access in accesses.all if any_last else last:
        use, scope = found[access.queue], access.scope
        stages, written = use.stages | int(scope.stages), use.writes | int(scope.write_access)
        found[access.queue] = use._replace(stages=stages, writes=written)
    return found


class _Sharers:
    """For each of some first uses of placed copies a row of the copies that share its memory (``near``, by number)."""

    def __init__(self, overlaps: ByteOverlaps, first_uses: Sequence[FirstUse]) -> None:
        copies = np.array([overlaps.numbers[use.copy] for use in first_uses], np.int64)
        rows = overlaps.by_copy.select(copies)
        self.begins, self.near, self._lengths = rows.begins, rows.numbers, rows.lengths
        self.copies = copies.repeat(self._lengths)

    def of_first_uses(self, values: Sequence[int]) -> Ints:
        """A value of each first use, for each of its sharers."""
        return np.array(values, np.int64).repeat(self._lengths)


def source_scopes(
    overlaps: ByteOverlaps,
    uses: Mapping[str, MemoryUse],
    first_uses: Sequence[FirstUse],
    coverage: SemaphoreCoverage | None = None,
) -> list[SourceScope]:
    """For each first use, the last accesses on its queue to all copies whose bytes overlap with the copy's, its own
    previous ones included.

    Frames run on a queue in turn, so a barrier waits for the previous frame as well as for earlier passes. Other queues
    have been waited for by then (``renderwright.render.compiler.queues``); accesses that semaphores cover are left out.
    """
    by_queue: dict[str, list[int]] = {}
    for number, use in enumerate(first_uses):
        if use.copy in overlaps.numbers:
            by_queue.setdefault(use.queue, []).append(number)
    found = [_NOTHING] * len(first_uses)
    names = [name for name, copy in overlaps.copies if copy == 0]
    resources = (overlaps.parities == 0).cumsum() - 1
    for queue, numbers in by_queue.items():
        columns = np.array([uses[name].get(queue, QueueUse()) for name in names], np.int64)
        if queue == GRAPHICS or columns[:, _STAGES].any():
            scopes = _on_queue(overlaps, resources, columns, [first_uses[number] for number in numbers], coverage)
            for number, scope in zip(numbers, scopes, strict=True):
                found[number] = scope
    return found


def _on_queue(
    overlaps: ByteOverlaps,
    resources: Ints,
    columns: Ints,
    first_uses: Sequence[FirstUse],
    coverage: SemaphoreCoverage | None,
) -> Iterable[SourceScope]:
    """The source scopes of first uses on one queue. ``resources`` has the number of each copy's resource, ``columns``
    the ``QueueUse`` of each resource."""
    sharers = _Sharers(overlaps, first_uses)
    near = resources[sharers.near]
    uses = columns[near]
    unseen = [True] * len(first_uses)
    if coverage is not None:
        covered = _covered(overlaps, sharers, uses, first_uses, coverage)
        uses[:, :_FIRST][covered] = 0
        unseen = np.logical_or.reduceat(~covered[:, _WRITES], sharers.begins).tolist()
    stages, writes = np.bitwise_or.reduceat(uses[:, :_FIRST], sharers.begins).T.tolist()
    alone = np.minimum.reduceat(near, sharers.begins) == np.maximum.reduceat(near, sharers.begins)
    return map(_source_scope, stages, writes, alone.tolist(), unseen)


# Equal ones are the same object, which is soonest compared.
@cache
def _source_scope(stages: int, writes: int, alone: bool, unseen_writes: bool) -> SourceScope:
    reason = BarrierReason.ACTIVATE if alone else BarrierReason.HANDOVER
    return SourceScope(Stage(stages), Access(writes), reason, unseen_writes)


def _covered(
    overlaps: ByteOverlaps, sharers: _Sharers, uses: Ints, first_uses: Sequence[FirstUse], coverage: SemaphoreCoverage
) -> NDArray[np.bool_]:
    """Two columns for each sharer: whether semaphores have waited for its last use when the memory is first used, and
    for its last write. ``uses`` has the ``QueueUse`` of each sharer."""
    first_passes: dict[CopyKey, int] = {}
    for use in first_uses:
        first_passes[use.copy] = min(pass_of(use.point), first_passes.get(use.copy, pass_of(use.point)))
    here = sharers.of_first_uses([first_passes[use.copy] for use in first_uses])
    newest, submissions = np.array(coverage.newest, np.int64), np.array(coverage.submissions, np.int64)
    # The other copy belongs to every second frame, and its last use may come in the frame behind its own. It comes
    # wholly in front of the first use or wholly behind it, since live ranges that share memory do not overlap.
    later, last = np.divmod(uses[:, _LAST:], len(submissions))
    before = (uses[:, _FIRST] < np.array(coverage.ends, np.int64)[here]) & (sharers.near != sharers.copies)
    odd = (overlaps.parities[sharers.near] - overlaps.parities[sharers.copies])[:, None] + later
    frames = np.where(odd % 2, 1, np.where(before[:, None] | (later > 0), 0, 2))
    begun = newest[submissions[np.array(coverage.begins, np.int64)[here]]]
    over: NDArray[np.bool_] = begun[:, None] >= submissions[last] - frames * len(newest)
    return over | (uses[:, _LAST:] < 0)


def last_passes_before(
    overlaps: ByteOverlaps, last_points: Mapping[str, int], length: int, first_uses: Sequence[FirstUse]
) -> list[int]:
    """The last pass that used the memory before each first use; passes of earlier frames are negative. Without shared
    memory it is the first use's own pass.

    ``last_points`` are the program points of the last accesses, by resource id, counted on into the next frame of
    ``length`` points. A live range that shares the memory ends in front of the first use or begins behind it, since
    live ranges that share memory do not overlap.
    """
    found = [pass_of(use.point) for use in first_uses]
    numbers = [number for number, use in enumerate(first_uses) if use.copy in overlaps.numbers]
    if numbers:
        placed = [first_uses[number] for number in numbers]
        sharers = _Sharers(overlaps, placed)
        last = np.array([last_points[name] for name, _ in overlaps.copies], np.int64)[sharers.near]
        # A copy is used in every second frame.
        parities = sharers.of_first_uses([use.parity for use in placed])
        over = last - np.where(overlaps.parities[sharers.near] != parities, length, 0)
        over -= np.where(over < sharers.of_first_uses([use.point for use in placed]), 0, 2 * length)
        for number, point in zip(numbers, np.maximum.reduceat(over, sharers.begins).tolist(), strict=True):
            found[number] = pass_of(point)
    return found
