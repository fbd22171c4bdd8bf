"""Barriers that change neither layout nor owner: one of all memory in place of as many as can be.

Barriers of one place are united where that orders nothing that they do not order by themselves: with the same sources,
with the same destinations, or where one holds the other, each with what comes before its sources and behind its
destinations in the pipeline (``render.sync.stage_order``). A barrier also stands for those further on in the frame
whose sources it has waited for, and whose scopes it holds: these are not issued again. What stands for itself alone
names its resource.
"""

from __future__ import annotations

from collections.abc import Sequence

from render.sync.barriers import Barrier, BarrierBatch, Issued, MemoryBarrier
from render.sync.flags import Access, Stage
from render.sync.queues import GRAPHICS
from render.sync.stage_order import with_earlier, with_later

Masks = tuple[int, int, int, int]
"""Stages and accesses of the source, those of the destination."""


class _Group:
    """Barriers that become one."""

    __slots__ = ("masks", "members")

    def __init__(self, masks: Masks, member: Barrier) -> None:
        self.masks = masks
        self.members = [member]

    def take(self, other: _Group) -> None:
        one, two = self.masks, other.masks
        self.masks = one[0] | two[0], one[1] | two[1], one[2] | two[2], one[3] | two[3]
        self.members += other.members

    def barrier(self) -> Issued:
        if len(self.members) == 1:
            return self.members[0]
        sources, written, targets, read = self.masks
        return MemoryBarrier(Stage(sources), Access(written), Stage(targets), Access(read), tuple(self.members))


def united(batches: Sequence[BarrierBatch], queues: Sequence[str]) -> tuple[BarrierBatch, ...]:
    """The batches of a frame, which so far issue each barrier by itself; ``queues`` are those of the passes, by
    number."""
    issued: dict[int, list[_Group]] = {}
    events: dict[int, list[_Group]] = {}
    # The newest group of each kind on a queue, and in front of which pass it stands: nothing else is worth keeping.
    standing: dict[str, dict[Masks, tuple[int, _Group]]] = {}
    mixed = [any(barrier.is_plain for barrier in batch.barriers) for batch in batches]
    for number, batch in enumerate(batches):
        if not mixed[number] or batch.sets:
            continue
        whole = batch.event < 0
        before = standing.setdefault(queues[batch.number] if batch.number < len(queues) else GRAPHICS, {})
        groups: list[_Group] = []
        for barrier, since in zip(batch.barriers, batch.since, strict=True):
            if not barrier.is_plain:
                continue
            masks = _masks(barrier)
            stands = _standing(before, masks, since)
            if stands is not None:
                stands.members.append(barrier)
            else:
                _add(groups, _Group(masks, barrier))
        if groups:
            (issued if whole else events)[number if whole else batch.event] = groups
            if whole:
                place = batch.number + batch.behind
                before.update((group.masks, (place, group)) for group in groups)
    result = []
    for number, batch in enumerate(batches):
        if mixed[number]:
            groups = events.get(batch.event, []) if batch.event >= 0 else issued.get(number, [])
            result.append(_with(batch, groups))
        else:
            result.append(batch)
    return tuple(result)


def _masks(barrier: Barrier) -> Masks:
    return int(barrier.src_stages), int(barrier.src_access), int(barrier.dst_stages), int(barrier.dst_access)


def _standing(before: dict[Masks, tuple[int, _Group]], masks: Masks, since: int) -> _Group | None:
    """A group in front of a pass behind number ``since`` that holds the scopes."""
    for held, (place, group) in before.items():
        if place > since and _holds(held, masks):
            return group
    return None


def _holds(outer: Masks, inner: Masks) -> bool:
    """Whether one barrier does all that the other does.

    It makes available and visible what the stages do that it names; it orders the execution of others, too.
    """
    waited, written, held, read = outer
    sources = waited if inner[1] else with_earlier(waited)
    targets = held if inner[3] else with_later(held)
    return not (inner[0] & ~sources or inner[1] & ~written or inner[2] & ~targets or inner[3] & ~read)


def _add(groups: list[_Group], new: _Group) -> None:
    """Unite it with those that allow it; a larger group may allow more."""
    for group in groups:
        if _may_unite(group.masks, new.masks):
            group.take(new)
            groups.remove(group)
            _add(groups, group)
            return
    groups.append(new)


def _may_unite(one: Masks, other: Masks) -> bool:
    """Whether all that both together order, one of them orders."""
    sources, targets = with_earlier(one[0]), with_later(one[2])
    other_sources, other_targets = with_earlier(other[0]), with_later(other[2])
    if sources == other_sources or targets == other_targets:
        return True
    return (not sources & ~other_sources and not targets & ~other_targets) or (
        not other_sources & ~sources and not other_targets & ~targets
    )


def _with(batch: BarrierBatch, groups: Sequence[_Group]) -> BarrierBatch:
    own = [group.barrier() for group in groups]
    return batch._replace(issued=(*own, *[barrier for barrier in batch.barriers if not barrier.is_plain]))
