"""sync: the barriers of even and odd frames."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat

from render.columns import rows_of
from render.compiler.batches import FirstUse
from render.compiler.flows import Flows
from render.compiler.handover import CopyOnQueue, Sharing, last_before, openings
from render.compiler.memo import Parts
from render.compiler.unite import united
from render.sync.barriers import Barrier, BarrierBatch, BarrierReason, SyncPlan
from render.sync.derive import Opening
from render.sync.flags import Access, Stage
from render.sync.images import APART, Images

_ACTIVATE = BarrierReason.ACTIVATE

# A queue on which nobody had the memory.
_NOBODY = Opening(Stage.NONE, Access.NONE, BarrierReason.HANDOVER)


def sync(flows: Flows, shared: Sharing, images: Images = APART, parts: Parts | None = None) -> SyncPlan:
    """Barriers in front of and behind passes.

    The first use of each copy starts from undefined contents and waits for everything that shares its memory. It brings
    the image into its layout unless that is the one in which it is.
    """
    uses = flows.first_uses
    keys = [(use.barrier.resource, use.barrier.copy, use.queue) for use in uses]
    first: dict[CopyOnQueue, int] = {}
    if flows.ends is not None:
        for key, use in zip(keys, uses, strict=True):
            first[key] = min(use.place, first.get(key, use.place))
    sources = openings(shared, flows.reaches, flows.ends, first)
    waits = map(sources.get, keys, repeat(_NOBODY))
    closed = [use.barrier for use in uses]
    if images.stay:
        closed = [_staying(each) if (each.resource, each.copy) in images.stay else each for each in closed]
    opened = (parts or Parts()).of(_opened).all(keys, closed, waits)
    if any(map(_only_waits, opened)):
        opened = _without_those_that_others_stand_for(uses, opened)
    sinces = _sinces(flows, shared) if flows.lasts else None
    even, odd = (
        _with(batches, [number for number, use in enumerate(uses) if use.frame == frame], uses, opened, sinces)
        for frame, batches in enumerate(flows.frames)
    )
    # Where each usage has its own layout nearly all barriers change one, and uniting the few others saves none.
    if flows.layouts.unified:
        even, odd = united((even, odd), flows.queues, regular=sinces is not None)
    return SyncPlan(even, odd, flows.rest, flows.shared, flows.splitting, flows.layouts, images)


def _without_those_that_others_stand_for(
    uses: Sequence[FirstUse], opened: Sequence[Barrier | None]
) -> list[Barrier | None]:
    """The openings, None for each that another one in front of it in the frame, on the same queue, stands for."""
    found = list(opened)
    standing = _Standing()
    for number in sorted(range(len(uses)), key=lambda number: uses[number].place):
        opening, use = opened[number], uses[number]
        if opening is not None and standing.already(use.frame, use.queue, opening):
            found[number] = None
    return found


def _only_waits(opening: Barrier | None) -> bool:
    """Whether an opening only waits for what earlier frames did, and makes nothing visible."""
    return (
        opening is not None
        and opening.reason is _ACTIVATE
        and opening.is_plain
        and not (int(opening.src_access) or int(opening.dst_access))
    )


class _Standing:
    """The openings of each frame and queue so far.

    One that only waits (``_only_waits``) is not needed behind another one that waits for the same stages on behalf of
    the same: all commands that came before that one are meant.
    """

    def __init__(self) -> None:
        self._found: dict[tuple[int, str], dict[tuple[int, int], None]] = {}

    def already(self, frame: int, queue: str, opening: Barrier) -> bool:
        """Whether another one stands for an opening; otherwise it may stand for those behind it."""
        found = self._found.setdefault((frame, queue), {})
        # As plain integers: operations of flags take long.
        sources, targets = int(opening.src_stages), int(opening.dst_stages)
        if _only_waits(opening):
            for others, theirs in found:
                if sources & others == sources and targets & theirs == targets:
                    return True
        found[sources, targets] = None
        return False


def _staying(first: Barrier) -> Barrier:
    """The first barrier of a copy whose image is in its layout already."""
    return first._replace(old_layout=first.new_layout)


def _opened(first: Barrier, source: Opening) -> Barrier | None:
    """The first barrier of a copy with its source; None if there is none, and no layout to change either."""
    resource, copy, _, _, stages, access, old_layout, new_layout, _, split, _, mips, layers = first
    nobody, plain = source.stages is Stage.NONE, old_layout is new_layout
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
        old_layout,
        new_layout,
        source.reason,
        split,
        None,
        mips,
        layers,
    )


def _sinces(flows: Flows, shared: Sharing) -> list[int]:
    """For each first use the number of the pass in which somebody else has had the memory last (``BarrierBatch``)."""
    uses = [(use.barrier.resource, use.barrier.copy, use.frame, use.place) for use in flows.first_uses]
    return [place // 2 for place in last_before(shared, flows.lasts, flows.length, uses)]


def _with(
    batches: Sequence[BarrierBatch],
    numbers: Sequence[int],
    uses: Sequence[FirstUse],
    opened: Sequence[Barrier | None],
    sinces: Sequence[int] | None,
) -> tuple[BarrierBatch, ...]:
    """The batches of a frame with its copies opened: those of the first ``uses`` with these ``numbers``."""
    if not numbers:
        return tuple(batches)
    changed: dict[int, list[Barrier | None]] = {}
    waited: dict[int, list[int]] = {}
    for number in numbers:
        use = uses[number]
        barriers = changed.get(use.batch)
        if barriers is None:
            barriers = changed[use.batch] = list(batches[use.batch].barriers)
            waited[use.batch] = list(batches[use.batch].since)
        barriers[use.number] = opened[number]
        if sinces is not None:
            waited[use.batch][use.number] = sinces[number]
    places, _, clears, behind, events, _, _ = zip(*[batches[number] for number in changed], strict=True)
    left = [tuple(filter(None, barriers)) for barriers in changed.values()]
    since = [
        tuple(ats if None not in barriers else [at for at, barrier in zip(ats, barriers, strict=True) if barrier])
        for ats, barriers in zip(waited.values(), changed.values(), strict=True)
    ]
    found = list(batches)
    for number, batch in zip(
        changed, rows_of(BarrierBatch, places, left, clears, behind, events, since, left), strict=True
    ):
        found[number] = batch
    return tuple(found if all(left) else [batch for batch in found if batch.barriers or batch.clears])
