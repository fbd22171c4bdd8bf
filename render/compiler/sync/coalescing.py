"""Barriers that change neither layout nor owner: one of all memory in place of as many as can be.

Barriers of one place are united where that orders nothing that they do not order by themselves: with the same sources,
with the same destinations, or where one holds the other, each with what comes before its sources and behind its
destinations in the pipeline (``renderwright.render.sync.stage_order``). Those that earlier ones stand for, each by
itself or several in a chain (``renderwright.render.compiler.sync.redundancy``), are not issued. What stands for itself
alone names its resource.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from operator import or_
from typing import NamedTuple

from renderwright.render.compiler.sync.redundancy import Link, Masks, chain, link_of
from renderwright.render.sync.barriers import Barrier, BarrierBatch, Issued, MemoryBarrier
from renderwright.render.sync.flags import Access, Stage
from renderwright.render.sync.queues import GRAPHICS
from renderwright.render.sync.stage_order import with_earlier, with_later

Frames = tuple[tuple[BarrierBatch, ...], tuple[BarrierBatch, ...]]
"""The batches of an even frame and of an odd one."""

_SPOTS = 3
"""Three spots a pass: in front of it, behind its clear commands, behind it."""


class _Member(NamedTuple):
    """A planned barrier, the spot that it stands at, and the last one before what it waits for is over."""

    barrier: Barrier
    place: int
    since: int


class _Group:
    """Barriers that become one. It ``stays`` if it is a part of chains; it is ``gone`` if others do all of it."""

    __slots__ = ("gone", "masks", "members", "stays")

    def __init__(self, member: _Member) -> None:
        self.masks = _masks(member.barrier)
        self.members = [member]
        self.stays = False
        self.gone = False

    def take(self, other: _Group) -> None:
        self.masks = Masks(*map(or_, self.masks, other.masks))
        self.members += other.members

    def barrier(self) -> Issued:
        if len(self.members) == 1 and not self.stays:
            return self.members[0].barrier
        return MemoryBarrier(*_as_flags(self.masks), tuple([member.barrier for member in self.members]))


class _Grouped(NamedTuple):
    """What is issued in a frame where barriers can become one, by the number of the batch or by the event: the groups,
    and the barriers that stay by themselves. And all of it in order, by queue."""

    by_batch: dict[int, tuple[list[_Group], list[Barrier]]]
    by_event: dict[int, tuple[list[_Group], list[Barrier]]]
    links: dict[str, list[Link[_Group]]]


def united(frames: Frames, queues: Sequence[str], *, regular: bool) -> Frames:
    """The batches of both frames, which so far issue each barrier by itself; ``queues`` are those of the passes, by
    number. In ``regular`` frames all nodes run, so that a frame can count on the barriers of the one before."""
    even, odd = (_grouped(batches, queues) for batches in frames)
    if regular:
        period = _SPOTS * (len(queues) + 1)
        for one, other in ((even, odd), (odd, even)):
            for queue in one.links.keys() & other.links.keys():
                _leave_out(one.links[queue], other.links[queue], period)
    return _issued(frames[0], even), _issued(frames[1], odd)


def _grouped(batches: Sequence[BarrierBatch], queues: Sequence[str]) -> _Grouped:
    """The groups of a frame, without what earlier ones of the frame stand for."""
    found = _Grouped({}, {}, {})
    begins: dict[int, int] = {}
    cleared: set[int] = set()
    for number, batch in enumerate(batches):
        place = _SPOTS * batch.number + (2 if batch.behind else batch.number in cleared)
        if batch.clears:
            cleared.add(batch.number)
        if batch.sets:
            begins[batch.event] = place
            continue
        before = found.links.setdefault(queues[batch.number] if batch.number < len(queues) else GRAPHICS, [])
        groups: list[_Group] = []
        others: list[Barrier] = []
        for barrier, since in zip(batch.barriers, batch.since, strict=True):
            if not barrier.is_plain:
                others.append(barrier)
                continue
            member = _Member(barrier, place, _SPOTS * since + 1)
            chained = chain(before, _masks(barrier), member.since, place)
            if chained is None:
                _add(groups, _Group(member))
            else:
                _rely(member, chained)
        if len(others) < len(batch.barriers):
            known = found.by_event if batch.event >= 0 else found.by_batch
            known[batch.event if batch.event >= 0 else number] = groups, others
        begin = begins.get(batch.event, place)
        before += [link_of(begin, place, group.masks, group) for group in groups]
        # What is about some mips is left out where a texture is too small to have them.
        before += [link_of(begin, place, _masks(barrier), None) for barrier in others if barrier.mips is None]
    return found


def _rely(member: _Member, chained: Sequence[_Group]) -> None:
    """The last one of others stands for the barrier from now on, and those before it have to stay."""
    for group in chained[:-1]:
        group.stays = True
    chained[-1].members.append(member)


def _leave_out(own: Sequence[Link[_Group]], before: Sequence[Link[_Group]], period: int) -> None:
    """Marks the groups of a frame of whose barriers others do all, those ``before`` in the other frame among them."""
    past = [Link(link.begins - period, link.place - period, *link[2:]) for link in before]
    links = [link for link in (*past, *own) if link.of is None or not link.of.gone]
    for group in [link.of for link in own if link.of is not None]:
        if group.stays:
            continue
        found = []
        for barrier, place, since in group.members:
            chained = chain(links, _masks(barrier), since, place, group)
            if chained is None:
                break
            found.append(chained)
        else:
            group.gone = True
            links = [link for link in links if link.of is not group]
            for member, chained in zip(group.members, found, strict=True):
                # To the other frame this one is the next.
                if any(chained[-1] is link.of for link in before):
                    member = member._replace(place=member.place + period, since=member.since + period)
                _rely(member, chained)


def _issued(batches: Sequence[BarrierBatch], grouped: _Grouped) -> tuple[BarrierBatch, ...]:
    """The batches with what the device is told."""
    result = []
    for number, batch in enumerate(batches):
        known = grouped.by_event.get(batch.event) if batch.event >= 0 else grouped.by_batch.get(number)
        if known is not None:
            groups, others = known
            issued = (*[group.barrier() for group in groups if not group.gone], *others)
            batch = BarrierBatch._make((*batch[:-1], issued))
        result.append(batch)
    return tuple(result)


def _masks(barrier: Barrier) -> Masks:
    return _as_masks(*barrier[2:6])


@cache
def _as_masks(*flags: Stage | Access) -> Masks:
    """Plain integers, since operations of flags take long."""
    return Masks(*map(int, flags))


@cache
def _as_flags(masks: Masks) -> tuple[Stage, Access, Stage, Access]:
    return Stage(masks.sources), Access(masks.written), Stage(masks.targets), Access(masks.read)


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
    sources, targets = with_earlier(one.sources), with_later(one.targets)
    other_sources, other_targets = with_earlier(other.sources), with_later(other.targets)
    if sources == other_sources or targets == other_targets:
        return True
    return (not sources & ~other_sources and not targets & ~other_targets) or (
        not other_sources & ~sources and not other_targets & ~targets
    )
