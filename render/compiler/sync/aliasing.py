"""Source scopes of aliasing barriers: a copy's first use waits for everything that ever touches the same bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from renderwright.render.compiler.sync.byte_ranges import Ints, Sharing
from renderwright.render.compiler.sync.pass_accesses import CopyAccesses
from renderwright.render.compiler.sync.program_points import pass_of
from renderwright.render.compiler.sync.semaphore_coverage import SemaphoreCoverage
from renderwright.render.sync.barriers import BarrierReason
from renderwright.render.sync.derive import ResourceAccess, SourceScope, last_run
from renderwright.render.sync.flags import Access, Layout, Stage
from renderwright.render.sync.images import CopyKey
from renderwright.render.sync.queues import GRAPHICS

_NOTHING = SourceScope(Stage.NONE, Access.NONE, BarrierReason.HANDOVER)
"""The source scope where no access on the queue touches the memory, or the memory is not the graph's."""

CopyOnQueue = tuple[CopyKey, str]


class QueueScope(NamedTuple):
    """Stages of a queue, and their writes, which have to be made available (integers, which are quicker to unite)."""

    queue: str
    stages: int
    writes: int


class PassSpan(NamedTuple):
    """The first pass that uses a resource on a queue, the last one, and the last one that writes (-1 for none).

    Passes of the next frame go on counting.
    """

    first: int
    last: int
    last_write: int


@dataclass(frozen=True)
class MemoryUses:
    """How frames in which all nodes run use the memory of resources, by resource id.

    ``last_scopes`` are the last accesses, by queue. With several queues, ``coverage`` says what semaphores cover, and
    ``spans`` has the passes by queue; both are empty on one queue. Where a frame can rely on the frame before,
    ``last_points`` are the program points of the last accesses, counted on into the next frame of ``length`` points.
    """

    last_scopes: Mapping[str, tuple[QueueScope, ...]]
    coverage: SemaphoreCoverage | None
    spans: Mapping[str, Mapping[str, PassSpan]]
    last_points: Mapping[str, int]
    length: int


def memory_uses(
    accesses: Mapping[str, CopyAccesses],
    coverage: SemaphoreCoverage | None,
    length: int,
    *,
    irregular: bool,
    regular: bool,
) -> MemoryUses:
    """The uses of memory by the accesses of a frame of ``length`` program points in which all nodes run.

    With ``irregular`` nodes, which may be skipped, any access may be the last one. In ``regular`` frames no node is
    skipped, and all run on one queue in the general layout.
    """
    last = {
        name: each.all if irregular else [access for copy in _copies(each) for access in last_run(copy.all)]
        for name, each in accesses.items()
    }
    return MemoryUses(
        {name: _by_queue(each) for name, each in last.items()},
        coverage,
        {name: _spans(each) for name, each in accesses.items()} if coverage is not None else {},
        {name: each.all[-1].point if each.all else 0 for name, each in accesses.items()} if regular else {},
        length,
    )


def _copies(accesses: CopyAccesses) -> Sequence[CopyAccesses]:
    return [cell for _, cell in accesses.cells] or [accesses]


def _by_queue(accesses: Iterable[ResourceAccess]) -> tuple[QueueScope, ...]:
    found: dict[str, QueueScope] = {}
    for access in accesses:
        before = found.get(access.queue, QueueScope(access.queue, 0, 0))
        stages, writes = int(access.scope.stages), int(access.scope.write_access)
        found[access.queue] = QueueScope(access.queue, before.stages | stages, before.writes | writes)
    return tuple([found[queue] for queue in sorted(found)])


def _spans(accesses: CopyAccesses) -> Mapping[str, PassSpan]:
    found: dict[str, PassSpan] = {}
    moves = len({access.queue for access in accesses.all}) > 1
    for access in accesses.all:
        number = pass_of(access.point)
        # A change of layout is a write, too, and so is one of owners.
        writes = access.scope.writes or moves or access.scope.layout is not Layout.UNDEFINED
        span = found.get(access.queue, PassSpan(number, number, -1))
        last_write = max(span.last_write, number if writes else -1)
        found[access.queue] = PassSpan(min(span.first, number), max(span.last, number), last_write)
    return found


def source_scopes(
    shared: Sharing, uses: MemoryUses, first_uses: Sequence[CopyOnQueue], first_passes: Mapping[CopyOnQueue, int]
) -> list[SourceScope]:
    """For each first use of a copy on a queue, the last accesses on that queue to all copies whose bytes overlap with
    the copy's, its own previous ones included.

    Frames run on a queue in turn, so a barrier waits for the previous frame as well as for earlier passes. Other queues
    have been waited for by then (``renderwright.render.compiler.queues``); accesses that semaphores cover are left out.
    ``first_passes`` are the passes of the first uses, needed with several queues.
    """
    if not shared.copies:
        return [_NOTHING] * len(first_uses)
    table = _CopyTable(shared)
    queues = {GRAPHICS} | {scope.queue for scopes in uses.last_scopes.values() for scope in scopes}
    found: dict[str, Mapping[CopyKey, SourceScope]] = {}
    for queue in queues:
        scopes = {name: scope for name, each in uses.last_scopes.items() for scope in each if scope.queue == queue}
        stages = table.column([scopes[name].stages if name in scopes else 0 for name in table.names])
        writes = table.column([scopes[name].writes if name in scopes else 0 for name in table.names])
        if uses.coverage is None:
            by_copy = _of_ranges(table, stages, writes)
        else:
            passes = np.array([first_passes.get((copy, queue), -1) for copy in shared.copies], np.int64)
            spans = [uses.spans[name].get(queue, PassSpan(0, 0, -1)) for name in table.names]
            by_copy = _not_covered(table, stages, writes, _covered(table, uses.coverage, spans, passes))
        found[queue] = dict(zip(shared.copies, by_copy, strict=True))
    return [found[queue].get(copy, _NOTHING) if queue in found else _NOTHING for copy, queue in first_uses]


class _CopyTable:
    """The placed copies as columns: ``names`` of the resources, the resource of each copy by its number among these,
    and whether only copies of one resource have a range's bytes."""

    def __init__(self, shared: Sharing) -> None:
        self.shared = shared
        self.parities = np.array([copy for _, copy in shared.copies], np.int64)
        self.names = [name for name, copy in shared.copies if copy == 0]
        self.resources = (self.parities == 0).cumsum() - 1
        lowest, highest = (shared.gathered(unite, self.resources) for unite in (np.minimum, np.maximum))
        self.alone = lowest == highest

    def column(self, values: Sequence[int]) -> Ints:
        """A value of each resource as a value of each copy."""
        by_copy: Ints = np.array(values, np.int64)[self.resources]
        return by_copy


def _of_ranges(table: _CopyTable, stages: Ints, writes: Ints) -> Iterable[SourceScope]:
    """All copies that lie in one range wait for the same."""
    by_range = [
        _source_scope(*union)
        for union in zip(
            table.shared.gathered(np.bitwise_or, stages).tolist(),
            table.shared.gathered(np.bitwise_or, writes).tolist(),
            table.alone.tolist(),
            strict=True,
        )
    ]
    return [by_range[number] for number in table.shared.ranges]


class _Covered(NamedTuple):
    """For each copy a row of those that share its memory (``Sharing.by_copy``): whether semaphores cover the last use,
    and the last write."""

    uses: NDArray[np.bool_]
    writes: NDArray[np.bool_]


def _not_covered(table: _CopyTable, stages: Ints, writes: Ints, covered: _Covered) -> Iterable[SourceScope]:
    """Each copy waits for those that share its memory, but for what semaphores cover."""
    near = table.shared.by_copy
    left_stages = np.where(covered.uses, 0, stages[near.numbers])
    left_writes = np.where(covered.writes, 0, writes[near.numbers])
    return map(
        _source_scope,
        np.bitwise_or.reduceat(left_stages, near.begins).tolist(),
        np.bitwise_or.reduceat(left_writes, near.begins).tolist(),
        table.alone[list(table.shared.ranges)].tolist(),
        np.logical_or.reduceat(~covered.writes, near.begins).tolist(),
    )


# Equal ones are the same object, which is soonest compared.
@cache
def _source_scope(stages: int, writes: int, alone: bool, unseen_writes: bool = True) -> SourceScope:
    reason = BarrierReason.ACTIVATE if alone else BarrierReason.HANDOVER
    return SourceScope(Stage(stages), Access(writes), reason, unseen_writes)


def _covered(table: _CopyTable, coverage: SemaphoreCoverage, spans: Sequence[PassSpan], passes: Ints) -> _Covered:
    """What semaphores have waited for when copies are first used in these ``passes`` (-1 for those that are not);
    ``spans`` are those of the resources on the queue."""
    newest, submissions = np.array(coverage.newest, np.int64), np.array(coverage.submissions, np.int64)
    near = table.shared.by_copy
    mine = np.arange(len(passes)).repeat(near.lengths)
    here = passes[mine]
    span = np.array(spans, np.int64)[table.resources[near.numbers]]
    first, last_uses = span[:, 0], span[:, 1:]
    # The other copy belongs to every second frame, and its last use may come in the frame behind its own. It comes
    # wholly in front of the first use or wholly behind it, since live ranges that share memory do not overlap.
    later, last = np.divmod(last_uses, len(submissions))
    before = (first < np.array(coverage.ends, np.int64)[here]) & (near.numbers != mine)
    odd = (table.parities[near.numbers] - table.parities[mine])[:, None] + later
    frames = np.where(odd % 2, 1, np.where(before[:, None] | (later > 0), 0, 2))
    begun = newest[submissions[np.array(coverage.begins, np.int64)[here]]]
    over = (here >= 0)[:, None] & (begun[:, None] >= submissions[last] - frames * len(newest))
    over |= last_uses < 0
    return _Covered(over[:, 0], over[:, 1])


class PlacedUse(NamedTuple):
    """The first use of a copy in an even (0) or odd (1) frame, at a program point."""

    copy: CopyKey
    parity: int
    point: int


def last_points_before(shared: Sharing, uses: MemoryUses, first_uses: Sequence[PlacedUse]) -> list[int]:
    """The last program point at which another use had the memory before each first use; those of earlier frames are
    negative. Without shared memory it is the first use's own point.

    A live range that shares the memory ends in front of the first use or begins behind it, since live ranges that share
    memory do not overlap.
    """
    numbers = {copy: number for number, copy in enumerate(shared.copies)}
    found = [use.point for use in first_uses]
    placed = [number for number, use in enumerate(first_uses) if use.copy in numbers]
    if not placed:
        return found
    near = shared.by_copy.select(np.array([numbers[first_uses[number].copy] for number in placed], np.int64))
    parities = np.array([first_uses[number].parity for number in placed], np.int64).repeat(near.lengths)
    points = np.array([first_uses[number].point for number in placed], np.int64).repeat(near.lengths)
    last = np.array([uses.last_points[name] for name, _ in shared.copies], np.int64)[near.numbers]
    other_parities = np.array([copy for _, copy in shared.copies], np.int64)[near.numbers]
    # A copy is used in every second frame.
    over = last - np.where(other_parities != parities, uses.length, 0)
    over -= np.where(over < points, 0, 2 * uses.length)
    for number, point in zip(placed, np.maximum.reduceat(over, near.begins).tolist(), strict=True):
        found[number] = point
    return found
