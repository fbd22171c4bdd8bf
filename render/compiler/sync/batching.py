"""Collects pending barriers into the batches of even and odd frames, and splits those with work in between."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from renderwright.render.compiler.sync.pending import PendingBarrier
from renderwright.render.compiler.sync.program_points import ProgramPoints, behind, is_behind, pass_of
from renderwright.render.compiler.sync.splitting import GpuWork
from renderwright.render.sync.barriers import Barrier, BarrierBatch, ClearOp, Frames, Split
from renderwright.render.sync.images import CopyKey

_NO_EVENT = -1


@dataclass(frozen=True, slots=True)
class FirstUse:
    """The first use of a copy in an even (0) or odd (1) frame, on a queue, at a program point.

    Its first-use barrier is number ``index`` of batch number ``batch``, and has no source scope yet.
    """

    copy: CopyKey
    parity: int
    queue: str
    point: int
    batch: int
    index: int


@dataclass(frozen=True)
class Batches:
    """The batches of both frames in the order of issue: the same ones, of the other copies.

    They are final but for the first-use barriers of ``first_uses``, which are in the order of issue, too, those of even
    frames first.
    """

    frames: Frames
    first_uses: tuple[FirstUse, ...]


@dataclass(slots=True)
class _Batch:
    """A batch in the making."""

    even: list[Barrier] = field(default_factory=list)
    odd: list[Barrier] = field(default_factory=list)
    waited: list[int] = field(default_factory=list)
    clears: list[tuple[ClearOp, ClearOp]] = field(default_factory=list)
    first_uses: list[int] = field(default_factory=list)

    def add(self, barrier: PendingBarrier, split: Split, waited: int, *, of_history: bool) -> None:
        """Add the barriers that even and odd frames make of one; ``of_history`` if it is for a history reader."""
        if barrier.first_use:
            self.first_uses.append(len(self.waited))
        # A history that an even frame reads is copy 1, which the odd frame before it made. Of older histories, which
        # have more copies, copy 1 stands for the one that was made so many frames before.
        copy = int(of_history)
        self.even.append(barrier.barrier(copy, split))
        self.odd.append(barrier.barrier(1 - copy, split))
        self.waited.append(waited)

    def made(self, parity: int, point: int, event: int) -> BarrierBatch:
        """The batch of an even (0) or odd (1) frame, at a program point."""
        barriers = tuple(self.odd if parity else self.even)
        return BarrierBatch(
            number=pass_of(point),
            barriers=barriers,
            clears=tuple([pair[parity] for pair in self.clears]),
            behind=is_behind(point),
            event=event,
            waited=tuple(self.waited),
            issued=barriers,
        )


def batched(
    pending: Iterable[PendingBarrier],
    clears: Iterable[tuple[int, ClearOp, ClearOp]],
    points: ProgramPoints,
    work: GpuWork,
) -> Batches:
    """One batch for each program point, and one for each pair of points between which barriers are split.

    ``clears`` are program points with the clear commands of the even and of the odd copy.
    """
    whole: defaultdict[int, _Batch] = defaultdict(_Batch)
    halves: defaultdict[tuple[int, int], _Batch] = defaultdict(_Batch)
    for barrier in pending:
        point, waited = _stands_at(barrier, points), _waited_pass(barrier, points)
        split = barrier.why_unsplit or work.split_or_why_not(waited, pass_of(point))
        batch = halves[behind(waited), point] if split is Split.SPLIT else whole[point]
        batch.add(barrier, split, waited, of_history=points.frame(barrier.dependency.point) > 0)
    for point, even, odd in clears:
        whole[point].clears.append((even, odd))
    return _assembled(whole, halves, points)


def _stands_at(barrier: PendingBarrier, points: ProgramPoints) -> int:
    """The program point of the barrier in the frame that issues it."""
    point = points.within(barrier.dependency.point)
    return behind(pass_of(point)) if barrier.dependency.behind else point


def _waited_pass(barrier: PendingBarrier, points: ProgramPoints) -> int:
    """The pass that the barrier waits for last (``BarrierBatch.waited``)."""
    dependency = barrier.dependency
    point = points.within(dependency.point)
    if dependency.since is None or barrier.first_use:
        return pass_of(point)
    return pass_of(dependency.since - dependency.point + point)


def _assembled(whole: dict[int, _Batch], halves: dict[tuple[int, int], _Batch], points: ProgramPoints) -> Batches:
    """The batches in the order of issue, at one point first the one without an event."""
    placed = [(point, _NO_EVENT, batch) for point, batch in whole.items()]
    for event, (begin, end) in enumerate(sorted(halves)):
        placed += [(point, event, halves[begin, end]) for point in (begin, end)]
    placed.sort(key=lambda item: item[:2])
    even, odd = (tuple([batch.made(parity, point, event) for point, event, batch in placed]) for parity in (0, 1))
    first_uses = []
    for parity, batches in enumerate((even, odd)):
        for number, (point, _, batch) in enumerate(placed):
            for index in batch.first_uses:
                barrier = batches[number].barriers[index]
                copy = barrier.resource, barrier.copy
                first_uses.append(FirstUse(copy, parity, points.queue(point), point, number, index))
    return Batches((even, odd), tuple(first_uses))
