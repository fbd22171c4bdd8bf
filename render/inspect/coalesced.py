"""The global memory barriers into which planned barriers are coalesced."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from renderwright.render.sync.barriers import Barrier, BarrierBatch, MemoryBarrier, SyncPlan


class Coalesced(NamedTuple):
    """A global memory barrier: its number in the frame, and the pass before which it stands, or ``behind`` which.

    ``earlier`` says that it belongs to the frame before that of the planned barrier.
    """

    number: int
    before_pass: int
    barrier: MemoryBarrier
    behind: bool = False
    earlier: bool = False


Row = tuple[Barrier, Coalesced | None]
"""A planned barrier, and the global memory barrier that replaces it; None if it is issued itself."""


def rows(sync: SyncPlan, frame: int) -> Iterator[tuple[BarrierBatch, Sequence[Row]]]:
    """The planned barriers of each batch of an even (0) or an odd (1) frame, in order."""
    before, batches = (sync.odd, sync.even) if frame == 0 else (sync.even, sync.odd)
    # Two barriers of a frame may be equal, so they are told apart by identity.
    found = [*(each._replace(earlier=True) for each in _coalesced(before)), *_coalesced(batches)]
    by_member = {id(member): each for each in found for member in each.barrier.members}
    for batch in batches:
        yield batch, [(barrier, by_member.get(id(barrier))) for barrier in batch.barriers]


def _coalesced(batches: Sequence[BarrierBatch]) -> Iterator[Coalesced]:
    """All global memory barriers in order; split ones at the point where their event is set."""
    count = 0
    events = set()
    for batch in batches:
        if batch.event in events:
            continue
        if batch.event >= 0:
            events.add(batch.event)
        for barrier in batch.issued:
            if isinstance(barrier, MemoryBarrier):
                yield Coalesced(count, batch.number, barrier, batch.behind)
                count += 1
