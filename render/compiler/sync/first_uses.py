"""Fills in the source scopes of first uses, which depend on aliasing, in the batches of both frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from renderwright.render.compiler.sync.aliasing import (
    CopyOnQueue,
    MemoryUses,
    PlacedUse,
    last_points_before,
    source_scopes,
)
from renderwright.render.compiler.sync.batching import Batches, FirstUse
from renderwright.render.compiler.sync.byte_ranges import Sharing
from renderwright.render.compiler.sync.program_points import pass_of
from renderwright.render.sync.barriers import Barrier, BarrierBatch, BarrierReason, Frames
from renderwright.render.sync.derive import SourceScope
from renderwright.render.sync.flags import Access, Stage
from renderwright.render.sync.images import Images


class _Opened(NamedTuple):
    """The first use of a copy in an even (0) or odd (1) frame, with its barrier."""

    use: FirstUse
    parity: int
    barrier: Barrier

    @property
    def placed(self) -> PlacedUse:
        return PlacedUse((self.barrier.resource, self.barrier.copy), self.parity, self.use.point)

    @property
    def on_queue(self) -> CopyOnQueue:
        return (self.barrier.resource, self.barrier.copy), self.use.queue


def alias(batches: Batches, uses: MemoryUses, shared: Sharing, images: Images) -> Frames:
    """The batches of both frames with the source scopes of first uses.

    A first use starts from undefined contents and brings a texture into its layout, unless the image ``stays`` in that.
    Its barrier is left out if it has nothing to wait for and no layout to change.
    """
    opened = [
        _Opened(use, parity, batches.frame(parity)[use.batch].barriers[use.index])
        for parity in (0, 1)
        for use in batches.first_uses
    ]
    scopes = source_scopes(shared, uses, [one.on_queue for one in opened], _first_passes(opened))
    barriers = [_with_source(_staying(one.barrier, images), scope) for one, scope in zip(opened, scopes, strict=True)]
    since = _since(opened, batches, uses, shared)
    count = len(batches.first_uses)
    even = _filled(batches.even, batches.first_uses, barriers[:count], since[:count])
    odd = _filled(batches.odd, batches.first_uses, barriers[count:], since[count:])
    return even, odd


def _first_passes(opened: Sequence[_Opened]) -> Mapping[CopyOnQueue, int]:
    found: dict[CopyOnQueue, int] = {}
    for one in opened:
        number = pass_of(one.use.point)
        found[one.on_queue] = min(number, found.get(one.on_queue, number))
    return found


def _since(opened: Sequence[_Opened], batches: Batches, uses: MemoryUses, shared: Sharing) -> Sequence[int]:
    """The pass that each first use waits for last: the last one to use the memory, where that is known."""
    if not uses.last_points:
        return [batches.frame(one.parity)[one.use.batch].since[one.use.index] for one in opened]
    return list(map(pass_of, last_points_before(shared, uses, [one.placed for one in opened])))


def _staying(barrier: Barrier, images: Images) -> Barrier:
    """The barrier of a first use; it changes no layout if its image is already in the new one."""
    if (barrier.resource, barrier.copy) not in images.stay:
        return barrier
    return barrier._replace(old_layout=barrier.new_layout)


def _with_source(barrier: Barrier, source: SourceScope) -> Barrier | None:
    """The barrier of a first use with its source scope; None if it has nothing to wait for and no layout to change."""
    keeps_layout = barrier.old_layout is barrier.new_layout
    stages = source.stages
    if not stages:
        if keeps_layout:
            return None
        # Where no access on this queue had the memory, a semaphore was waited for; any stage carries its effect on.
        stages = barrier.dst_stages or Stage.ALL_COMMANDS
    sees = source.unseen_writes or not keeps_layout
    return barrier._replace(
        src_stages=stages,
        src_access=source.access,
        dst_access=barrier.dst_access if sees else Access.NONE,
        reason=source.reason,
    )


def _filled(
    batches: Sequence[BarrierBatch],
    first_uses: Sequence[FirstUse],
    barriers: Sequence[Barrier | None],
    since: Sequence[int],
) -> tuple[BarrierBatch, ...]:
    """The batches of a frame with these barriers of its first uses, without those that are None, and without batches
    of which nothing is left."""
    rows: dict[int, list[tuple[Barrier | None, int]]] = {}
    for use, barrier, waited in zip(first_uses, _without_implied(first_uses, barriers), since, strict=True):
        row = rows.get(use.batch)
        if row is None:
            batch = batches[use.batch]
            row = rows[use.batch] = list(zip(batch.barriers, batch.since, strict=True))
        row[use.index] = barrier, waited
    found = []
    for number, batch in enumerate(batches):
        if number in rows:
            left = [(barrier, waited) for barrier, waited in rows[number] if barrier is not None]
            own = tuple([barrier for barrier, _ in left])
            batch = batch._replace(barriers=own, since=tuple([waited for _, waited in left]), issued=own)
        if batch.barriers or batch.clears:
            found.append(batch)
    return tuple(found)


def _without_implied(first_uses: Sequence[FirstUse], barriers: Sequence[Barrier | None]) -> Sequence[Barrier | None]:
    """The barriers of a frame's first uses, None in place of those that an earlier one implies.

    A barrier that only waits is implied by one in front of it, on the same queue, that waits for the same stages on
    behalf of the same stages: it waits for what earlier frames did, which is over by then.
    """
    if not any(map(_only_waits, barriers)):
        return barriers
    found: list[Barrier | None] = []
    earlier: dict[str, dict[tuple[int, int], None]] = {}
    for use, barrier in zip(first_uses, barriers, strict=True):
        found.append(barrier)
        if barrier is None:
            continue
        # As plain integers: operations of flags take long.
        sources, targets = int(barrier.src_stages), int(barrier.dst_stages)
        waits = earlier.setdefault(use.queue, {})
        if _only_waits(barrier) and any(sources & src == sources and targets & dst == targets for src, dst in waits):
            found[-1] = None
        else:
            waits[sources, targets] = None
    return found


def _only_waits(barrier: Barrier | None) -> bool:
    """Whether a first use only waits for what earlier frames did, and makes nothing visible."""
    return (
        barrier is not None
        and barrier.reason is BarrierReason.ACTIVATE
        and barrier.is_plain
        and not (int(barrier.src_access) or int(barrier.dst_access))
    )
