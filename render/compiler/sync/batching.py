"""Collects pending barriers into the batches of even and odd frames, and splits those with work in between."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from renderwright.render.compiler.sync.pending import PendingBarrier
from renderwright.render.compiler.sync.program_points import ProgramPoints, behind, is_behind, pass_of
from renderwright.render.compiler.sync.splitting import GpuWork
from renderwright.render.sync.barriers import Barrier, BarrierBatch, ClearOp, Split
from renderwright.render.sync.derive import EARLIER
from renderwright.render.types.parts import Part
from renderwright.render.types.resources import ClearValue

_NO_EVENT = -1


@dataclass(frozen=True, slots=True)
class PendingClear:
    """A clear command at a program point; even and odd frames each clear their copy of a part of the resource."""

    point: int
    resource: str
    value: ClearValue
    part: Part


@dataclass(frozen=True, slots=True)
class FirstUse:
    """The barrier of a copy's first use: number ``index`` of batch number ``batch``, on a queue, at a program point.

    It has no source scope yet.
    """

    batch: int
    index: int
    queue: str
    point: int


@dataclass(frozen=True)
class Batches:
    """The batches of even and odd frames, in the order of issue: the same ones, of the other copies.

    They are final but for the barriers of ``first_uses``, which are in the order of their program points.
    """

    even: tuple[BarrierBatch, ...]
    odd: tuple[BarrierBatch, ...]
    first_uses: tuple[FirstUse, ...]

    def frame(self, parity: int) -> tuple[BarrierBatch, ...]:
        """The batches of an even (0) or an odd (1) frame."""
        return self.odd if parity else self.even


@dataclass(slots=True)
class _Batch:
    """A batch in the making."""

    even: list[Barrier] = field(default_factory=list)
    odd: list[Barrier] = field(default_factory=list)
    since: list[int] = field(default_factory=list)
    clears: list[PendingClear] = field(default_factory=list)
    first_uses: list[int] = field(default_factory=list)

    def made(self, parity: int, point: int, event: int) -> BarrierBatch:
        barriers = tuple(self.odd if parity else self.even)
        clears = tuple([ClearOp(clear.resource, parity, clear.value, clear.part) for clear in self.clears])
        return BarrierBatch(pass_of(point), barriers, clears, is_behind(point), event, tuple(self.since), barriers)


def batched(
    pending: Iterable[PendingBarrier], clears: Iterable[PendingClear], points: ProgramPoints, work: GpuWork
) -> Batches:
    """One batch for each program point, and one for each pair of points between which barriers are split."""
    whole: dict[int, _Batch] = {}
    halves: dict[tuple[int, int], _Batch] = {}
    for barrier in pending:
        since, point = _passes_between(barrier, points)
        split = work.split(since, pass_of(point)) if barrier.split is Split.SPLIT else barrier.split
        if split is Split.SPLIT:
            batch = halves.setdefault((behind(since), point), _Batch())
        else:
            batch = whole.setdefault(point, _Batch())
        if barrier.first_use:
            batch.first_uses.append(len(batch.since))
        # In the next frame, the accesses of an even frame's history are those of the odd frame before.
        copy = points.frame(barrier.dependency.point) > 0
        batch.even.append(barrier.barrier(int(copy), split))
        batch.odd.append(barrier.barrier(int(not copy), split))
        batch.since.append(since)
    for clear in clears:
        whole.setdefault(clear.point, _Batch()).clears.append(clear)
    return _in_order(whole, halves, points)


def _passes_between(barrier: PendingBarrier, points: ProgramPoints) -> tuple[int, int]:
    """The pass that a barrier waits for last, and its program point, both counted from the beginning of its frame."""
    dependency = barrier.dependency
    point = points.within(dependency.point)
    number = pass_of(point)
    since = number
    if dependency.since != EARLIER and not barrier.first_use:
        since = pass_of(dependency.since - dependency.point + point)
    return since, behind(number) if dependency.behind else point


def _in_order(whole: dict[int, _Batch], halves: dict[tuple[int, int], _Batch], points: ProgramPoints) -> Batches:
    """The batches in the order of issue, at one point first the one without an event."""
    placed: list[tuple[int, int, _Batch]] = [(point, _NO_EVENT, batch) for point, batch in whole.items()]
    for event, (begin, end) in enumerate(sorted(halves)):
        batch = halves[begin, end]
        placed += (begin, event, batch), (end, event, batch)
    placed.sort(key=lambda item: item[:2])
    first_uses = [
        FirstUse(number, index, points.queue(point), point)
        for number, (point, _, batch) in enumerate(placed)
        for index in batch.first_uses
    ]
    even, odd = (tuple([batch.made(parity, point, event) for point, event, batch in placed]) for parity in (0, 1))
    return Batches(even, odd, tuple(first_uses))
