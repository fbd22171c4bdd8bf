"""Source scopes of first-use barriers: a copy's first use waits for everything that ever touches the same bytes.

``last_passes_before`` tells besides which pass that is at the latest: barriers behind it may imply this one.

Units: a *pass* is a pass number, a *point* a program point; both count on into the next frame. A *copy* is a number of
``ByteOverlaps.copies``. A *pair* is a first use with one copy whose bytes overlap with its own; arrays by pair list the
pairs of each first use in turn.
"""

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

Bools = NDArray[np.bool_]

_NOTHING = SourceScope(Stage.NONE, Access.NONE, BarrierReason.HANDOVER)
"""The source scope where no access on the queue touches the memory, or the memory is not the graph's."""


class QueueUse(NamedTuple):
    """How a frame uses a resource's memory on one queue (integers, for arrays).

    ``stages`` and ``writes`` are those of the last accesses. ``first``, ``last`` and ``last_write`` are the passes of
    the first and of the last access and of the last write (-1 for none), counted on into the next frame.
    """

    stages: int = 0
    writes: int = 0
    first: int = 0
    last: int = -1
    last_write: int = -1


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


class _QueueUseArrays(NamedTuple):
    """The ``QueueUse`` of each copy: an array for each field."""

    stages: Ints
    writes: Ints
    first: Ints
    last: Ints
    last_write: Ints

    @staticmethod
    def of(uses: Sequence[QueueUse]) -> _QueueUseArrays:
        """The arrays of these uses."""
        return _QueueUseArrays(*np.array(uses, np.int64).reshape(-1, len(QueueUse._fields)).T.copy())


class _Pairs:
    """The pairs of some first uses of placed copies.

    By pair, ``other`` is the overlapping copy, which may be the first use's own.
    """

    def __init__(self, overlaps: ByteOverlaps, first_uses: Sequence[FirstUse]) -> None:
        copies = np.array([overlaps.numbers[use.copy] for use in first_uses], np.int64)
        rows = overlaps.by_copy.select(copies)
        self._begins, self._lengths = rows.begins, rows.lengths
        self._copies, self.other = copies, rows.numbers

    @property
    def own(self) -> Ints:
        """By pair, the copy of the first use."""
        return self._copies.repeat(self._lengths)

    def spread(self, values: Sequence[int]) -> Ints:
        """By pair, the value of its first use."""
        return np.array(values, np.int64).repeat(self._lengths)

    def union(self, masks: Ints) -> list[int]:
        """By first use, all bits of the masks of its pairs."""
        found: list[int] = np.bitwise_or.reduceat(masks, self._begins).tolist()
        return found

    def any(self, values: Bools) -> list[bool]:
        """By first use, whether the value of any of its pairs is true."""
        found: list[bool] = np.logical_or.reduceat(values, self._begins).tolist()
        return found

    def of_one(self, resources: Ints) -> list[bool]:
        """By first use, whether all of the other copies belong to one resource; by copy, ``resources`` ascend."""
        # The other copies of a first use ascend, too.
        first, last = self.other[self._begins], self.other[self._begins + self._lengths - 1]
        found: list[bool] = (resources[first] == resources[last]).tolist()
        return found

    def maximum(self, values: Ints) -> list[int]:
        """By first use, the largest value of its pairs."""
        found: list[int] = np.maximum.reduceat(values, self._begins).tolist()
        return found


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
    found = [_NOTHING] * len(first_uses)
    for queue, numbers in _by_queue(overlaps, first_uses).items():
        by_copy = _QueueUseArrays.of([uses[name].get(queue, QueueUse()) for name, _ in overlaps.copies])
        if queue == GRAPHICS or by_copy.stages.any():
            on_queue = [first_uses[number] for number in numbers]
            scopes = _on_queue(overlaps, by_copy, on_queue, coverage)
            for number, scope in zip(numbers, scopes, strict=True):
                found[number] = scope
    return found


def _by_queue(overlaps: ByteOverlaps, first_uses: Sequence[FirstUse]) -> Mapping[str, list[int]]:
    """The numbers of the first uses of placed copies, by queue."""
    found: dict[str, list[int]] = {}
    for number, use in enumerate(first_uses):
        if use.copy in overlaps.numbers:
            found.setdefault(use.queue, []).append(number)
    return found


def _on_queue(
    overlaps: ByteOverlaps,
    by_copy: _QueueUseArrays,
    first_uses: Sequence[FirstUse],
    coverage: SemaphoreCoverage | None,
) -> Iterable[SourceScope]:
    """The source scopes of first uses on one queue."""
    pairs = _Pairs(overlaps, first_uses)
    stages, writes = by_copy.stages[pairs.other], by_copy.writes[pairs.other]
    unseen_writes = [True] * len(first_uses)
    if coverage is not None:
        covered = _Coverage(overlaps, pairs, by_copy.first[pairs.other], first_uses, coverage)
        is_write_covered = covered.covers(by_copy.last_write[pairs.other])
        stages = np.where(covered.covers(by_copy.last[pairs.other]), 0, stages)
        writes = np.where(is_write_covered, 0, writes)
        unseen_writes = pairs.any(~is_write_covered)
    one_resource = pairs.of_one(overlaps.resources)
    return map(_source_scope, pairs.union(stages), pairs.union(writes), one_resource, unseen_writes)


# Equal ones are the same object, which is soonest compared.
@cache
def _source_scope(stages: int, writes: int, one_resource: bool, unseen_writes: bool) -> SourceScope:
    """``one_resource`` says that no other resource uses the memory."""
    reason = BarrierReason.ACTIVATE if one_resource else BarrierReason.HANDOVER
    return SourceScope(Stage(stages), Access(writes), reason, unseen_writes)


class _Coverage:
    """Which accesses to memory are over, because of semaphores, when a first use begins."""

    def __init__(
        self,
        overlaps: ByteOverlaps,
        pairs: _Pairs,
        first: Ints,
        first_uses: Sequence[FirstUse],
        coverage: SemaphoreCoverage,
    ) -> None:
        """``first`` is by pair the first pass that uses the other copy, in that copy's own frame."""
        first_passes: dict[CopyKey, int] = {}
        for use in first_uses:
            first_passes[use.copy] = min(pass_of(use.point), first_passes.get(use.copy, pass_of(use.point)))
        own_first = pairs.spread([first_passes[use.copy] for use in first_uses])  # passes
        self._submission_of_pass = np.array(coverage.submissions, np.int64)
        self._submissions_per_frame = len(coverage.newest)
        begins, ends = np.array(coverage.begins, np.int64), np.array(coverage.ends, np.int64)
        newest = np.array(coverage.newest, np.int64)
        # By pair: the newest submission of the queue that is over, the distance of the copies' parities, and whether
        # the other copy is first used in front of this one.
        self._newest_over = newest[self._submission_of_pass[begins[own_first]]]
        self._parity_distance = overlaps.parities[pairs.other] - overlaps.parities[pairs.own]
        self._other_is_first = (first < ends[own_first]) & (pairs.other != pairs.own)

    def covers(self, last: Ints) -> Bools:
        """By pair, whether the access in the pass ``last`` (-1 for none) to the other copy is over."""
        frames_later, number = np.divmod(last, len(self._submission_of_pass))
        # The other copy belongs to every second frame, and its last use may come in the frame behind its own. It comes
        # wholly in front of the first use or wholly behind it, since live ranges that share memory do not overlap.
        this_frame = self._other_is_first | (frames_later > 0)
        frames_ago = np.where((self._parity_distance + frames_later) % 2, 1, np.where(this_frame, 0, 2))
        submission = self._submission_of_pass[number] - frames_ago * self._submissions_per_frame
        over: Bools = self._newest_over >= submission
        return over | (last < 0)


def last_passes_before(
    overlaps: ByteOverlaps, uses: Mapping[str, MemoryUse], passes: int, first_uses: Sequence[FirstUse]
) -> list[int]:
    """The last pass on its queue that used the memory before each first use, in frames of so many ``passes``; those of
    earlier frames are negative. For a copy that is not placed it is the first use's own pass.

    A live range that shares the memory ends in front of the first use or begins behind it, since live ranges that share
    memory do not overlap.
    """
    found = [pass_of(use.point) for use in first_uses]
    for queue, numbers in _by_queue(overlaps, first_uses).items():
        on_queue = [first_uses[number] for number in numbers]
        pairs = _Pairs(overlaps, on_queue)
        last_of_copy = np.array([uses[name].get(queue, QueueUse()).last for name, _ in overlaps.copies], np.int64)
        # By pair, the last access to the other copy as a pass of that copy's own frame, and how long ago that was.
        last = last_of_copy[pairs.other]
        # A copy belongs to every second frame: to this one, or to the one before.
        is_of_this_frame = overlaps.parities[pairs.other] == pairs.spread([use.parity for use in on_queue])
        frames_ago = np.where(is_of_this_frame, 0, 1)
        is_behind_first_use = last - frames_ago * passes >= pairs.spread([pass_of(use.point) for use in on_queue])
        # What the queue never uses counts for older than all that it does.
        frames_ago += np.where(is_behind_first_use | (last < 0), 2, 0)
        for number, before in zip(numbers, pairs.maximum(last - frames_ago * passes), strict=True):
            found[number] = before
    return found
