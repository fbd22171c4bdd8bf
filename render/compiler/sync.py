"""sync: the barriers of even and odd frames."""

from __future__ import annotations

from render.compiler.flows import Flows
from render.compiler.handover import Sharing, openings
from render.sync.barriers import Barrier, BarrierBatch, BarrierReason, SyncPlan
from render.sync.derive import Opening
from render.sync.flags import Access, Stage

# A queue on which nobody had the memory.
_NOBODY = Opening(Stage.NONE, Access.NONE, BarrierReason.HANDOVER)


def sync(flows: Flows, shared: Sharing) -> SyncPlan:
    """Barriers in front of and behind passes.

    The first use of each copy starts from undefined contents and waits for everything that shares its memory.
    """
    sources = openings(shared, flows.reaches)
    opened: tuple[dict[int, list[Barrier]], dict[int, list[Barrier]]] = ({}, {})
    for use in flows.first_uses:
        batch = flows.frames[use.frame][use.batch]
        barriers = opened[use.frame].setdefault(use.batch, list(batch.barriers))
        first = barriers[use.barrier]
        source = sources.get((first.resource, first.copy, use.queue), _NOBODY)
        barriers[use.barrier] = Barrier(
            first.resource,
            first.copy,
            # Where nobody on this queue had the memory, a semaphore was waited for; any stage carries its effect on.
            source.stages or first.dst_stages,
            source.access,
            first.dst_stages,
            first.dst_access,
            first.old_layout,
            first.new_layout,
            source.reason,
            first.split,
            None,
            first.mips,
            first.layers,
        )
    even, odd = (
        tuple(
            [
                BarrierBatch(batch.number, tuple(changed[number]), batch.clears, batch.behind, batch.event)
                if number in changed
                else batch
                for number, batch in enumerate(batches)
            ]
        )
        for batches, changed in zip(flows.frames, opened, strict=True)
    )
    return SyncPlan(even, odd, flows.rest, flows.shared, flows.split)
