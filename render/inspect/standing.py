"""Which barrier of all memory stands for which planned one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from renderwright.render.sync.barriers import Barrier, BarrierBatch, MemoryBarrier, SyncPlan


class Standing(NamedTuple):
    """A barrier of all memory: its number in the frame, and the number of the pass that it is issued in front of.

    ``earlier`` says that the frame is the one before that of the barrier that it stands for.
    """

    number: int
    before_pass: int
    barrier: MemoryBarrier
    earlier: bool = False


Row = tuple[Barrier, Standing | None]
"""A planned barrier, and what stands for it; None if it is issued itself."""


def rows(sync: SyncPlan, frame: int) -> Iterator[tuple[BarrierBatch, Sequence[Row]]]:
    """The barriers of each batch of an even (0) or an odd (1) frame, in order, with what stands for them."""
    before, batches = (sync.odd, sync.even) if frame == 0 else (sync.even, sync.odd)
    # A barrier may be equal to another one of the frame, so what counts is which object it is.
    stands = {id(member): each._replace(earlier=True) for each in _standing(before) for member in each.barrier.members}
    stands |= {id(member): each for each in _standing(batches) for member in each.barrier.members}
    for batch in batches:
        yield batch, [(barrier, stands.get(id(barrier))) for barrier in batch.barriers]


def _standing(batches: Sequence[BarrierBatch]) -> Iterator[Standing]:
    """All barriers of all memory in order, those of an event where that is set."""
    count = 0
    events = set()
    for batch in batches:
        if batch.event in events:
            continue
        if batch.event >= 0:
            events.add(batch.event)
        for barrier in batch.issued:
            if isinstance(barrier, MemoryBarrier):
                yield Standing(count, batch.number, barrier)
                count += 1
