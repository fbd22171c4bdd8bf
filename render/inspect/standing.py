"""Which barrier of all memory stands for which planned one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from render.sync.barriers import Barrier, BarrierBatch, MemoryBarrier


class Standing(NamedTuple):
    """A barrier of all memory: its number in the frame, and the number of the pass that it is issued in front of."""

    number: int
    before_pass: int
    barrier: MemoryBarrier


Row = tuple[Barrier, Standing | None]
"""A planned barrier, and what stands for it; None if it is issued itself."""


def rows(batches: Sequence[BarrierBatch]) -> Iterator[tuple[BarrierBatch, Sequence[Row]]]:
    """The barriers of each batch of a frame, in order, with what stands for them."""
    # A barrier may be equal to another one of the frame, so what counts is which object it is.
    known: dict[int, Standing] = {}
    events: dict[int, list[Standing]] = {}
    count = 0
    for batch in batches:
        here = events.get(batch.event, []) if batch.event >= 0 else []
        if not here:
            memory = [barrier for barrier in batch.issued if isinstance(barrier, MemoryBarrier)]
            here = [Standing(count + at, batch.number, barrier) for at, barrier in enumerate(memory)]
            count += len(here)
            if batch.event >= 0:
                events[batch.event] = here
        known.update((id(member), stands) for stands in here for member in stands.barrier.members)
        yield batch, [(barrier, known.get(id(barrier))) for barrier in batch.barriers]
