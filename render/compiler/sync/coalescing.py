"""Coalesces barriers that change neither layout nor owner into global memory barriers.

It runs where textures stay in one layout for all usages; elsewhere nearly every barrier changes a layout.

Barriers of one batch are coalesced where that orders nothing that they do not order by themselves: with equal sources,
with equal destinations, or where one holds the other, each with what comes before its sources and behind its
destinations in the pipeline (``renderwright.render.sync.stage_order``). Barriers that earlier ones imply, alone or as
a chain (``renderwright.render.compiler.sync.redundancy``), are not issued. A barrier that is coalesced with no other
one names its resource.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from operator import or_
from typing import NamedTuple

from renderwright.render.compiler.sync.program_points import behind, in_front_of
from renderwright.render.compiler.sync.redundancy import Masks, Ordering, implying, ordering_of
from renderwright.render.sync.barriers import Barrier, BarrierBatch, Frames, Issued, MemoryBarrier
from renderwright.render.sync.flags import Access, Stage
from renderwright.render.sync.queues import GRAPHICS
from renderwright.render.sync.stage_order import with_earlier, with_later


class _Member(NamedTuple):
    """A planned barrier, its program point, and the last point at which what it waits for may not be over."""

    barrier: Barrier
    point: int
    since: int


class _Group:
    """Barriers that become one. A group that others are implied by (``relied_on``) is never elided; a group is
    ``elided`` if others imply all of it."""

    __slots__ = ("elided", "masks", "members", "relied_on")

    def __init__(self, member: _Member) -> None:
        self.masks = _masks(member.barrier)
        self.members = [member]
        self.relied_on = False
        self.elided = False

    def take(self, other: _Group) -> None:
        """Become one with another group."""
        self.masks = Masks(*map(or_, self.masks, other.masks))
        self.members += other.members

    def issued(self) -> Issued:
        """The barrier that the device gets."""
        if len(self.members) == 1 and not self.relied_on:
            return self.members[0].barrier
        return MemoryBarrier(*_flags(self.masks), tuple([member.barrier for member in self.members]))


class _Frame(NamedTuple):
    """The batches of a frame: the groups of plain barriers of each, and what all barriers order, by queue. Both halves
    of split barriers have the same groups."""

    groups: list[list[_Group]]
    orderings: dict[str, list[Ordering[_Group]]]


def coalesce(frames: Frames, queues: Sequence[str], *, periodic: bool) -> Frames:
    """The batches of both frames, which so far issue each barrier by itself; ``queues`` are those of the passes.

    In ``periodic`` frames no node is skipped, so that a frame can rely on the barriers of the one before on each queue.
    """
    even, odd = (_grouped(batches, queues) for batches in frames)
    if periodic:
        period = in_front_of(len(queues) + 1)
        for own, before in ((even, odd), (odd, even)):
            for queue in own.orderings.keys() & before.orderings.keys():
                _elide_implied(own.orderings[queue], before.orderings[queue], period)
    return _issued(frames[0], even), _issued(frames[1], odd)


def _grouped(batches: Sequence[BarrierBatch], queues: Sequence[str]) -> _Frame:
    """The groups of a frame, without the barriers that earlier ones of the frame imply."""
    frame = _Frame([[] for _ in batches], {})
    set_at: dict[int, tuple[int, int]] = {}
    cleared: set[int] = set()
    for number, batch in enumerate(batches):
        point = behind(batch.number) if batch.behind else in_front_of(batch.number, cleared=batch.number in cleared)
        if batch.clears:
            cleared.add(batch.number)
        if batch.sets:
            set_at[batch.event] = number, point
            continue
        queue = queues[batch.number] if batch.number < len(queues) else GRAPHICS
        orderings = frame.orderings.setdefault(queue, [])
        groups = _groups(batch, point, orderings)
        first_half, begins = set_at.get(batch.event, (number, point))
        frame.groups[first_half] = frame.groups[number] = groups
        orderings += [ordering_of(begins, point, group.masks, group) for group in groups]
        # A barrier of some mips is left out where a texture is too small to have them.
        certain = [barrier for barrier in batch.barriers if not barrier.is_plain and barrier.mips is None]
        orderings += [ordering_of(begins, point, _masks(barrier), None) for barrier in certain]
    return frame


def _groups(batch: BarrierBatch, point: int, earlier: Sequence[Ordering[_Group]]) -> list[_Group]:
    """The plain barriers of a batch in groups, but for those that earlier barriers imply."""
    groups: list[_Group] = []
    for barrier, waited in zip(batch.barriers, batch.waited, strict=True):
        if not barrier.is_plain:
            continue
        member = _Member(barrier, point, in_front_of(waited, cleared=True))
        implied_by = implying(earlier, _masks(barrier), member.since, point)
        if implied_by is None:
            _add(groups, _Group(member))
        else:
            _rely(member, implied_by)
    return groups


def _add(groups: list[_Group], new: _Group) -> None:
    """Coalesce a group with those that allow it; a larger group may allow more."""
    for group in groups:
        if _may_coalesce(group.masks, new.masks):
            group.take(new)
            groups.remove(group)
            _add(groups, group)
            return
    groups.append(new)


def _may_coalesce(one: Masks, other: Masks) -> bool:
    """Whether one of the two orders all that both together order."""
    sources, targets = with_earlier(one.src_stages), with_later(one.dst_stages)
    other_sources, other_targets = with_earlier(other.src_stages), with_later(other.dst_stages)
    if sources == other_sources or targets == other_targets:
        return True
    return (not sources & ~other_sources and not targets & ~other_targets) or (
        not other_sources & ~sources and not other_targets & ~targets
    )


def _rely(member: _Member, groups: Sequence[_Group]) -> None:
    """The last of the groups issues the barrier from now on; those before it have to stay."""
    for group in groups[:-1]:
        group.relied_on = True
    groups[-1].members.append(member)


def _elide_implied(own: Sequence[Ordering[_Group]], before: Sequence[Ordering[_Group]], period: int) -> None:
    """Elides the groups of a frame that others imply, those of the frame ``before`` among them."""
    past = [each._replace(begins=each.begins - period, point=each.point - period) for each in before]
    orderings = [each for each in (*past, *own) if each.group is None or not each.group.elided]
    of_frame_before = {id(each.group) for each in before if each.group is not None}
    for group in [each.group for each in own if each.group is not None]:
        implied_by = None if group.relied_on else _implying_all(group, orderings)
        if implied_by is None:
            continue
        group.elided = True
        orderings = [each for each in orderings if each.group is not group]
        for member, groups in zip(group.members, implied_by, strict=True):
            if id(groups[-1]) in of_frame_before:
                # To the other frame this one is the next.
                member = member._replace(point=member.point + period, since=member.since + period)
            _rely(member, groups)


def _implying_all(group: _Group, orderings: Sequence[Ordering[_Group]]) -> Sequence[Sequence[_Group]] | None:
    """For each member of a group the groups that imply it; None if one is not implied."""
    found = []
    for member in group.members:
        groups = implying(orderings, _masks(member.barrier), member.since, member.point, group)
        if groups is None:
            return None
        found.append(groups)
    return found


def _issued(batches: Sequence[BarrierBatch], frame: _Frame) -> tuple[BarrierBatch, ...]:
    """The batches with what the device gets."""
    found = []
    for batch, groups in zip(batches, frame.groups, strict=True):
        coalesced = [group.issued() for group in groups if not group.elided]
        others = [barrier for barrier in batch.barriers if not barrier.is_plain]
        found.append(batch._replace(issued=(*coalesced, *others)))
    return tuple(found)


def _masks(barrier: Barrier) -> Masks:
    return _as_integers(barrier.src_stages, barrier.src_access, barrier.dst_stages, barrier.dst_access)


@cache
def _as_integers(src_stages: Stage, src_access: Access, dst_stages: Stage, dst_access: Access) -> Masks:
    return Masks(int(src_stages), int(src_access), int(dst_stages), int(dst_access))


@cache
def _flags(masks: Masks) -> tuple[Stage, Access, Stage, Access]:
    return Stage(masks.src_stages), Access(masks.src_access), Stage(masks.dst_stages), Access(masks.dst_access)
