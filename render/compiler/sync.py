"""sync: the barriers of even and odd frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from render.compiler.flows import Flows
from render.compiler.handover import CopyOnQueue, Sharing, openings
from render.sync.barriers import Barrier, BarrierBatch, BarrierReason, SyncPlan
from render.sync.derive import Opening
from render.sync.flags import Access, Layout, Stage

# A queue on which nobody had the memory.
_NOBODY = Opening(Stage.NONE, Access.NONE, BarrierReason.HANDOVER)


def sync(flows: Flows, shared: Sharing) -> SyncPlan:
    """Barriers in front of and behind passes.

    The first use of each copy starts from undefined contents and waits for everything that shares its memory.
    """
    first: dict[CopyOnQueue, int] = {}
    if flows.ends is not None:
        for use in flows.first_uses:
            barrier = flows.frames[use.frame][use.batch].barriers[use.barrier]
            key = barrier.resource, barrier.copy, use.queue
            first[key] = min(use.place, first.get(key, use.place))
    sources = openings(shared, flows.reaches, flows.ends, first)
    opened: tuple[dict[int, list[Barrier | None]], dict[int, list[Barrier | None]]] = ({}, {})
    for use in flows.first_uses:
        barriers = opened[use.frame].get(use.batch)
        if barriers is None:
            barriers = opened[use.frame][use.batch] = list(flows.frames[use.frame][use.batch].barriers)
        closed = flows.frames[use.frame][use.batch].barriers[use.barrier]
        barriers[use.barrier] = _opened(closed, sources.get((closed.resource, closed.copy, use.queue), _NOBODY))
    even, odd = (_with(changed, batches) for batches, changed in zip(flows.frames, opened, strict=True))
    return SyncPlan(even, odd, flows.rest, flows.shared, flows.splitting)


def _opened(first: Barrier, source: Opening) -> Barrier | None:
    """The first barrier of a copy with its source; None if there is none, and no layout to change either."""
    if not source.stages and first.new_layout is Layout.UNDEFINED:
        return None
    return Barrier(
        first.resource,
        first.copy,
        # Where nobody on this queue had the memory, a semaphore was waited for; any stage carries its effect on.
        source.stages or first.dst_stages,
        source.access,
        first.dst_stages,
        first.dst_access if source.unseen or first.new_layout is not Layout.UNDEFINED else Access.NONE,
        first.old_layout,
        first.new_layout,
        source.reason,
        first.split,
        None,
        first.mips,
        first.layers,
    )


def _with(changed: Mapping[int, Sequence[Barrier | None]], batches: Sequence[BarrierBatch]) -> tuple[BarrierBatch, ...]:
    """The batches with other barriers at some places."""
    found = list(batches)
    for number, barriers in changed.items():
        found[number] = found[number]._replace(barriers=tuple([each for each in barriers if each is not None]))
    return tuple([batch for batch in found if batch.barriers or batch.clears])
