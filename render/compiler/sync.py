"""sync: the barriers of even and odd frames."""

from __future__ import annotations

from render.compiler.flows import Flows
from render.compiler.handover import Sharing, openings
from render.compiler.stages import Barrier, BarrierBatch, SyncPlan


def sync(flows: Flows, shared: Sharing) -> SyncPlan:
    """Barriers in front of passes, one batch a place.

    The first use of each copy starts from undefined contents and waits for everything that shares its memory.
    """
    sources = openings(shared, flows.reaches)
    opened: tuple[dict[int, list[Barrier]], dict[int, list[Barrier]]] = ({}, {})
    for use in flows.first_uses:
        batch = flows.frames[use.frame][use.batch]
        barriers = opened[use.frame].setdefault(use.batch, list(batch.barriers))
        first = barriers[use.barrier]
        source = sources[first.resource, first.copy]
        barriers[use.barrier] = Barrier(
            first.resource,
            first.copy,
            source.stages,
            source.access,
            first.dst_stages,
            first.dst_access,
            first.old_layout,
            first.new_layout,
            source.reason,
        )
    even, odd = (
        tuple(
            BarrierBatch(batch.before, tuple(changed[number]), batch.clears) if number in changed else batch
            for number, batch in enumerate(batches)
        )
        for batches, changed in zip(flows.frames, opened, strict=True)
    )
    return SyncPlan(even, odd, flows.rest)
