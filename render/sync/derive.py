"""Dependencies of a sequence of accesses to one copy of a resource.

Source: the Vulkan specification's chapter on synchronization and cache control. Execution order is not memory order: a
write must be made available (source access) and visible (destination access); a write after reads waits only for
their execution. Neighbouring reads in one layout share a single barrier, whose destination is their union.

Between queues a semaphore does all that except change the layout and the owner. The compiler's queues stage places the
semaphores (``renderwright.render.compiler.queues``). A layout is changed behind the earlier access, before its queue
signals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from renderwright.render.sync.barriers import BarrierReason
from renderwright.render.sync.flags import Access, Layout, Stage
from renderwright.render.sync.merge import merge_scopes
from renderwright.render.sync.queues import GRAPHICS
from renderwright.render.sync.scopes import Scope

BEFORE_FRAME = -1
"""The point of the access that left a resource in its steady state: the last point of the frame before."""

_BEHIND_CLEAR = 1


def point_behind_clear(clear: int) -> int:
    """The point of a pass's first access to what a command clears in front of the pass, given the command's point.

    The two points follow one another. ``derive`` tells by this that a barrier stands between a clear command and its
    own pass.
    """
    return clear + _BEHIND_CLEAR


class ResourceAccess(NamedTuple):
    """One access on a queue. ``point`` is a position in execution order, which the caller chooses, except that
    ``point_behind_clear`` holds."""

    point: int
    scope: Scope
    queue: str = GRAPHICS


class Dependency(NamedTuple):
    """A barrier in front of the access at ``point``, or right ``behind`` that access.

    ``since`` is the point of the last access that the barrier waits for; None if that is not among the accesses.
    ``owners`` are the queues (from, to) of an ownership transfer: the barrier releases when ``behind``, else acquires.
    """

    point: int
    src_stages: Stage
    src_access: Access
    dst: Scope
    old_layout: Layout
    reason: BarrierReason
    since: int | None = None
    behind: bool = False
    owners: tuple[str, str] | None = None


class SourceScope(NamedTuple):
    """The source scope of a first access, which starts from undefined contents.

    ``unseen_writes`` says that writes to the memory may not be visible to all stages yet.
    """

    stages: Stage
    access: Access
    reason: BarrierReason
    unseen_writes: bool = True


def derive(
    accesses: Sequence[ResourceAccess],
    first: SourceScope | None = None,
    steady: Scope | None = None,
    *,
    concurrent: bool = False,
) -> tuple[Dependency, ...]:
    """The dependencies of the accesses, in order.

    ``first`` is the source scope of the first access. Without it the first access waits for nothing, and no earlier
    write is assumed. With a ``steady`` scope the resource holds the contents of earlier frames, visible to that scope;
    reads of exactly that scope then need no barrier. ``concurrent`` resources belong to no queue.
    """
    dependencies: list[Dependency] = []
    before = None if steady is None else _Group((ResourceAccess(BEFORE_FRAME, steady),), steady, (GRAPHICS,))
    written = steady is not None or first is not None
    for group in map(_Group.of, access_groups(accesses)):
        if before is not None and group.scope == before.scope == steady and not group.scope.writes:
            continue
        if before is not None:
            written = written or before.scope.writes or before.scope.layout != group.scope.layout
            dependencies += _between(before, group, written, not concurrent)
        elif first is not None:
            point = group.accesses[0].point
            dependencies.append(
                Dependency(point, first.stages, first.access, group.scope, Layout.UNDEFINED, first.reason)
            )
        before = group
    return tuple(dependencies)


def access_groups(accesses: Sequence[ResourceAccess]) -> Iterator[Sequence[ResourceAccess]]:
    """The accesses as groups without barriers inside: a single write, or neighbouring reads in one layout."""
    group: list[ResourceAccess] = []
    closed = True
    for access in accesses:
        writes = access.scope.writes
        if group and (closed or writes or access.scope.layout != group[0].scope.layout):
            yield group
            group = []
        group.append(access)
        closed = writes
    if group:
        yield group


def first_group(accesses: Sequence[ResourceAccess]) -> Sequence[ResourceAccess]:
    """The write, or the reads in one layout, that come first."""
    return next(access_groups(accesses), ())


def last_group(accesses: Sequence[ResourceAccess]) -> Sequence[ResourceAccess]:
    """The write, or the reads in one layout, that come last."""
    return list(access_groups(accesses))[-1] if accesses else ()


def is_concurrent(accesses: Sequence[ResourceAccess]) -> bool:
    """Whether several queues use the resource at once, so that none of them can own it."""
    return any(len({access.queue for access in group}) > 1 for group in access_groups(accesses))


def final_layout(accesses: Sequence[ResourceAccess]) -> Layout:
    """The layout after the last access."""
    return accesses[-1].scope.layout if accesses else Layout.UNDEFINED


class _Group(NamedTuple):
    """A write, or neighbouring reads in one layout: their union, and the queues that they run on."""

    accesses: Sequence[ResourceAccess]
    scope: Scope
    queues: tuple[str, ...]

    @staticmethod
    def of(accesses: Sequence[ResourceAccess]) -> _Group:
        scope = accesses[0].scope
        for access in accesses[1:]:
            scope = merge_scopes(scope, access.scope)
        return _Group(accesses, scope, tuple(dict.fromkeys([access.queue for access in accesses])))

    def on(self, queue: str) -> _Group | None:
        """The part of the group that runs on the queue."""
        if self.queues == (queue,):
            return self
        own = [access for access in self.accesses if access.queue == queue]
        return _Group.of(own) if own else None

    def target(self, written: bool) -> Scope:
        """The group as a destination scope; without accesses if nothing was ``written`` that it could see."""
        return self.scope if written else Scope(self.scope.stages, Access.NONE, self.scope.layout)


def _between(before: _Group, group: _Group, written: bool, owned: bool) -> Sequence[Dependency]:
    """The dependencies between neighbouring groups; ``written`` if anything wrote up to the second one's layout.

    Memory that was written earlier, by a shader or by a layout change, has to become visible to the next writer too;
    where there is no such write, a write after reads waits for their execution alone.
    """
    first, last = group.accesses[0].point, before.accesses[-1].point
    scope, reason = before.scope, _reason(before, group)
    layout_stays = scope.layout == group.scope.layout
    if len(before.queues) > 1:
        # One queue takes over from several, for which semaphores wait: no event can stand for a single access.
        own = before.on(group.queues[0])
        if own is None and layout_stays:
            return ()
        stages = own.scope.stages if own else group.scope.stages
        return (Dependency(first, stages, Access.NONE, group.target(written), scope.layout, reason),)
    no_stage = Scope(Stage.NONE, Access.NONE, group.scope.layout)
    since = None if last == BEFORE_FRAME else last
    behind = Dependency(last, scope.stages, scope.write_access, no_stage, scope.layout, reason, since, behind=True)
    if owned and group.queues != before.queues:
        owners = before.queues[0], group.queues[0]
        # The device ignores the source scope of an acquire: the semaphore between the queues stands in its place.
        acquire = Dependency(first, Stage.NONE, Access.NONE, group.scope, scope.layout, reason, owners=owners)
        return behind._replace(owners=owners), acquire
    own = group.on(before.queues[0])
    if own is None:
        return () if layout_stays else (behind,)
    wait, front = behind._replace(dst=own.target(written)), own.accesses[0].point
    # A clear command stands in front of its pass, whose own access comes next: the barrier is between the two.
    cleared = scope.stages == Stage.CLEAR and front == point_behind_clear(last)
    if own is group or layout_stays or cleared:
        return (wait._replace(point=front, behind=False),)
    # Other queues read too, so the layout changes right behind the earlier access, before the semaphore between them.
    return (wait,)


def _reason(before: _Group, group: _Group) -> BarrierReason:
    if before.scope.writes:
        return BarrierReason.WRITE_WRITE if group.scope.writes else BarrierReason.WRITE_READ
    return BarrierReason.READ_WRITE if group.scope.writes else BarrierReason.LAYOUT
