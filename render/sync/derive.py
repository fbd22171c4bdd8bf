"""The barriers that a sequence of accesses to one copy of a resource needs.

Source: the Vulkan specification's chapter on synchronization and cache control. Execution order is not memory order: a
write must be made available (source access) and visible (destination access); a write after reads waits only for
their execution. Reads that follow one another in one layout share a single barrier, whose destination is their union.

Between queues a semaphore does all that but change the layout and the owner; where the semaphores are, is not decided
here (``renderwright.render.compiler.queues``). A layout is changed behind the earlier access, before its queue signals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from renderwright.render.sync.barriers import BarrierReason
from renderwright.render.sync.flags import Access, Layout, Stage
from renderwright.render.sync.merge import merge_scopes
from renderwright.render.sync.queues import GRAPHICS
from renderwright.render.sync.scopes import Scope


class Step(NamedTuple):
    """One access at ``place``, a position that only this module's caller understands, on a queue."""

    place: int
    scope: Scope
    queue: str = GRAPHICS


class Dependency(NamedTuple):
    """A barrier in front of the access at ``place``; or right behind it if ``behind``.

    ``after`` is the place of the last access that it waits for; -1 if that is not among the steps. ``owners`` are the
    queues (from, to) of which it hands the resource over: it releases when ``behind``, else acquires.
    """

    place: int
    src_stages: Stage
    src_access: Access
    dst: Scope
    old_layout: Layout
    reason: BarrierReason
    after: int = -1
    behind: bool = False
    owners: tuple[str, str] | None = None


class Opening(NamedTuple):
    """What the first access has to wait for; it starts from undefined contents.

    ``unseen`` says that something may have been written there that is not visible to everybody yet.
    """

    stages: Stage
    access: Access
    reason: BarrierReason
    unseen: bool = True


def derive(
    steps: Sequence[Step], opening: Opening | None = None, rest: Scope | None = None, *, shared: bool = False
) -> tuple[Dependency, ...]:
    """The barriers of the steps in turn.

    Without an ``opening`` the first access waits for nothing, and nothing is known to have been written before it.
    With ``rest`` the contents of earlier frames are there, written and visible to that scope; reads of that very scope
    then need no barrier. No queue owns what is ``shared``.
    """
    groups = [_Group.of(members) for members in runs(steps)]
    dependencies: list[Dependency] = []
    before = None if rest is None else _Group((Step(-1, rest),), rest, (GRAPHICS,))
    written = rest is not None or opening is not None
    for group in groups:
        if before is not None and group.scope == before.scope == rest and not group.scope.writes:
            continue
        if before is not None:
            written = written or before.scope.writes or before.scope.layout != group.scope.layout
            dependencies += _between(before, group, written, not shared)
        elif opening is not None:
            source = opening.stages, opening.access
            dependencies.append(
                Dependency(group.steps[0].place, *source, group.scope, Layout.UNDEFINED, opening.reason)
            )
        before = group
    return tuple(dependencies)


def is_shared(steps: Sequence[Step]) -> bool:
    """Whether several queues use the resource at once, so that none of them can own it."""
    return any(len({step.queue for step in members}) > 1 for members in runs(steps))


def first_run(steps: Sequence[Step]) -> Sequence[Step]:
    """The write, or the reads in one layout, that the steps begin with."""
    return next(runs(steps), ())


def last_run(steps: Sequence[Step]) -> Sequence[Step]:
    """The write, or the reads in one layout, that the steps end with."""
    return list(runs(steps))[-1] if steps else ()


def final_layout(steps: Sequence[Step]) -> Layout:
    """The layout after the last step."""
    return steps[-1].scope.layout if steps else Layout.UNDEFINED


class _Group(NamedTuple):
    """A write, or neighbouring reads in one layout: their union, and the queues that they run on."""

    steps: Sequence[Step]
    scope: Scope
    queues: tuple[str, ...]

    @staticmethod
    def of(steps: Sequence[Step]) -> _Group:
        return _Group(steps, _union(steps), tuple(dict.fromkeys(step.queue for step in steps)))

    def on(self, queue: str) -> _Group | None:
        """The part of the group that runs on the queue."""
        if self.queues == (queue,):
            return self
        own = [step for step in self.steps if step.queue == queue]
        return _Group.of(own) if own else None


def _between(before: _Group, group: _Group, written: bool, owned: bool) -> Iterator[Dependency]:
    """What stands between two groups that follow one another; ``written`` if anything wrote up to the second's layout.

    Memory that was written earlier, by a shader or by a layout change, has to become visible to the next writer too;
    where there is nothing of the kind, a write after reads waits for their execution alone.
    """
    last, scope = before.scope, group.scope
    if last.writes:
        reason = BarrierReason.WRITE_WRITE if scope.writes else BarrierReason.WRITE_READ
    else:
        reason = BarrierReason.READ_WRITE if scope.writes else BarrierReason.LAYOUT

    def target(part: _Group) -> Scope:
        return part.scope if written else Scope(part.scope.stages, Access.NONE, part.scope.layout)

    source = before.queues[0]
    if len(before.queues) > 1:
        # Reads on several queues, and now one queue alone, which waits for the others: no event stands for these.
        own = before.on(group.queues[0])
        if own or last.layout != scope.layout:
            stages = own.scope.stages if own else scope.stages
            yield Dependency(group.steps[0].place, stages, Access.NONE, target(group), last.layout, reason)
        return
    place, nobody = before.steps[-1].place, Scope(Stage.NONE, Access.NONE, scope.layout)
    if owned and group.queues != before.queues:
        owners = source, group.queues[0]
        release = Dependency(place, last.stages, last.write_access, nobody, last.layout, reason, place, True, owners)
        # Of the first half of an acquire nothing counts: the semaphore between the queues stands in its place.
        acquire = release._replace(
            place=group.steps[0].place,
            src_stages=Stage.NONE,
            src_access=Access.NONE,
            dst=scope,
            after=-1,
            behind=False,
        )
        yield from (release, acquire)
        return
    own = group.on(source)
    if own is group:
        yield Dependency(
            group.steps[0].place, last.stages, last.write_access, target(group), last.layout, reason, place
        )
    elif own and last.stages == Stage.CLEAR and own.steps[0].place == place + 1:
        # A clear command stands in front of its pass, whose own access comes next: the barrier is between the two.
        yield Dependency(own.steps[0].place, last.stages, last.write_access, target(own), last.layout, reason, place)
    elif last.layout != scope.layout:
        dst = target(own) if own else nobody
        yield Dependency(place, last.stages, last.write_access, dst, last.layout, reason, place, True)
    elif own:
        yield Dependency(own.steps[0].place, last.stages, last.write_access, target(own), last.layout, reason, place)


def runs(steps: Sequence[Step]) -> Iterator[Sequence[Step]]:
    """What no barrier parts: writes alone; neighbouring reads in one layout together."""
    run: list[Step] = []
    closed = True
    for step in steps:
        writes = step.scope.writes
        if run and (closed or writes or step.scope.layout != run[0].scope.layout):
            yield run
            run = []
        run.append(step)
        closed = writes
    if run:
        yield run


def _union(steps: Sequence[Step]) -> Scope:
    scope = steps[0].scope
    for step in steps[1:]:
        scope = merge_scopes(scope, step.scope)
    return scope
