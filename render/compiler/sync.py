"""sync: the barriers of even and odd frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter

from render.compiler.flows import Flows
from render.compiler.handover import CopyOnQueue, Sharing, openings
from render.compiler.unite import united
from render.sync.barriers import Barrier, BarrierBatch, BarrierReason, SyncPlan
from render.sync.derive import Opening
from render.sync.flags import Access, Layout, Stage
from render.sync.images import APART, Images

_NOTHING, _NO_LAYOUT = Stage.NONE, Layout.UNDEFINED

# A queue on which nobody had the memory.
_NOBODY = Opening(Stage.NONE, Access.NONE, BarrierReason.HANDOVER)


def sync(flows: Flows, shared: Sharing, images: Images = APART) -> SyncPlan:
    """Barriers in front of and behind passes.

    The first use of each copy starts from undefined contents and waits for everything that shares its memory. It brings
    the image into its layout unless that is the one in which it is.
    """
    first: dict[CopyOnQueue, int] = {}
    if flows.ends is not None:
        for use in flows.first_uses:
            barrier = flows.frames[use.frame][use.batch].barriers[use.barrier]
            key = barrier.resource, barrier.copy, use.queue
            first[key] = min(use.place, first.get(key, use.place))
    sources = openings(shared, flows.reaches, flows.ends, first)
    opened: tuple[dict[int, list[Barrier | None]], dict[int, list[Barrier | None]]] = ({}, {})
    standing = _Standing()
    for frame, batch, number, queue, _ in sorted(flows.first_uses, key=attrgetter("place")):
        barriers = opened[frame].get(batch)
        if barriers is None:
            barriers = opened[frame][batch] = list(flows.frames[frame][batch].barriers)
        closed = barriers[number]
        assert closed is not None, "a copy is opened twice"
        stays = (closed.resource, closed.copy) in images.stay
        found = _opened(closed, sources.get((closed.resource, closed.copy, queue), _NOBODY), stays=stays)
        if found is not None and standing.already(frame, queue, found):
            found = None
        barriers[number] = found
    even, odd = (_issued(_with(changed, batches), flows) for batches, changed in zip(flows.frames, opened, strict=True))
    return SyncPlan(even, odd, flows.rest, flows.shared, flows.splitting, flows.layouts, images)


def _issued(batches: Sequence[BarrierBatch], flows: Flows) -> tuple[BarrierBatch, ...]:
    """The batches with what the device is told.

    Where each usage has its own layout nearly all barriers change one, and uniting the few others saves none.
    """
    if flows.layouts.unified:
        return united(batches, flows.queues)
    return tuple([BarrierBatch(*batch[:6], batch.barriers) for batch in batches])


class _Standing:
    """The openings of each frame and queue so far.

    One that only waits for what earlier frames did, and makes nothing visible, is not needed behind another one that
    waits for the same stages on behalf of the same: all commands that came before that one are meant.
    """

    def __init__(self) -> None:
        self._found: dict[tuple[int, str], dict[tuple[int, int], None]] = {}

    def already(self, frame: int, queue: str, opening: Barrier) -> bool:
        """Whether another one stands for an opening; otherwise it may stand for those behind it."""
        found = self._found.setdefault((frame, queue), {})
        # As plain integers: operations of flags take long.
        sources, targets = int(opening.src_stages), int(opening.dst_stages)
        waits_alone = opening.is_plain and not (int(opening.src_access) or int(opening.dst_access))
        if waits_alone and opening.reason is BarrierReason.ACTIVATE:
            for others, theirs in found:
                if sources & others == sources and targets & theirs == targets:
                    return True
        found[sources, targets] = None
        return False


def _opened(first: Barrier, source: Opening, *, stays: bool) -> Barrier | None:
    """The first barrier of a copy with its source; None if there is none, and no layout to change either."""
    resource, copy, _, _, stages, access, old_layout, new_layout, _, split, _, mips, layers = first
    nobody, plain = source.stages is _NOTHING, stays or new_layout is _NO_LAYOUT
    if nobody and plain:
        return None
    return Barrier(
        resource,
        copy,
        # Where nobody on this queue had the memory, a semaphore was waited for; any stage carries its effect on.
        stages if nobody else source.stages,
        source.access,
        stages,
        access if source.unseen or not plain else Access.NONE,
        new_layout if stays else old_layout,
        new_layout,
        source.reason,
        split,
        None,
        mips,
        layers,
    )


def _with(changed: Mapping[int, Sequence[Barrier | None]], batches: Sequence[BarrierBatch]) -> tuple[BarrierBatch, ...]:
    """The batches with other barriers at some places."""
    found = list(batches)
    for number, barriers in changed.items():
        place, _, clears, behind, event, since, _ = found[number]
        if None in barriers:
            since = tuple([at for barrier, at in zip(barriers, since, strict=True) if barrier is not None])
        found[number] = BarrierBatch(place, tuple(filter(None, barriers)), clears, behind, event, since)
    return tuple([batch for batch in found if batch.barriers or batch.clears])
