"""The barriers that a sequence of accesses to one copy of a resource needs.

Source: the Vulkan specification's chapter on synchronization and cache control. Execution order is not memory order: a
write must be made available (source access) and visible (destination access); a write after reads waits only for
their execution. Reads that follow one another in one layout share a single barrier, whose destination is their union.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from render.compiler.stages import BarrierReason
from render.sync.flags import Access, Layout, Stage
from render.sync.merge import merge_scopes
from render.sync.usages import Scope


@dataclass(frozen=True)
class Step:
    """One access at ``place``, a position that only this module's caller understands."""

    place: int
    scope: Scope


@dataclass(frozen=True)
class Dependency:
    """A barrier in front of the access at ``place``."""

    place: int
    src_stages: Stage
    src_access: Access
    dst: Scope
    old_layout: Layout
    reason: BarrierReason


@dataclass(frozen=True)
class Opening:
    """What the first access has to wait for; it starts from undefined contents."""

    stages: Stage
    access: Access
    reason: BarrierReason


def derive(steps: Sequence[Step], opening: Opening | None = None, rest: Scope | None = None) -> tuple[Dependency, ...]:
    """The barriers of the steps in turn.

    Without an ``opening`` the first access waits for nothing, and nothing is known to have been written before it.
    With ``rest`` the contents of earlier frames are there, written and visible to that scope; reads of that very scope
    then need no barrier.
    """
    dependencies: list[Dependency] = []
    before = None if rest is None else _State(rest, True)
    for group in _groups(steps):
        scope = _union(group)
        place = group[0].place
        if before is not None and scope == before.last == rest and not scope.writes:
            continue
        if before is not None:
            dependencies.append(before.barrier(place, scope))
        elif opening is not None:
            source = opening.stages, opening.access
            dependencies.append(Dependency(place, *source, scope, Layout.UNDEFINED, opening.reason))
        touched = opening is not None or (before is not None and before.touches(scope))
        before = _State(scope, touched or scope.writes)
    return tuple(dependencies)


def final_layout(steps: Sequence[Step]) -> Layout:
    """The layout after the last step."""
    return steps[-1].scope.layout if steps else Layout.UNDEFINED


@dataclass(frozen=True)
class _State:
    """The last group of accesses, and whether anything, a layout change included, wrote up to and with it."""

    last: Scope
    written: bool

    def touches(self, scope: Scope) -> bool:
        """Whether anything wrote by the time that the layout is ``scope``'s."""
        return self.written or self.last.layout != scope.layout

    def barrier(self, place: int, scope: Scope) -> Dependency:
        """What stands between the last group and ``scope``."""
        last = self.last
        if last.writes:
            reason = BarrierReason.WRITE_WRITE if scope.writes else BarrierReason.WRITE_READ
        else:
            reason = BarrierReason.READ_WRITE if scope.writes else BarrierReason.LAYOUT
        # Memory that was written earlier, by a shader or by a layout change, has to become visible to the next writer
        # too; where there is nothing of the kind, a write after reads waits for their execution alone.
        target = scope if self.touches(scope) else Scope(scope.stages, Access.NONE, scope.layout)
        return Dependency(place, last.stages, last.write_access, target, last.layout, reason)


def _groups(steps: Sequence[Step]) -> Iterator[list[Step]]:
    """Writes alone; neighbouring reads in one layout together."""
    group: list[Step] = []
    closed = True
    for step in steps:
        writes = step.scope.writes
        if group and (closed or writes or step.scope.layout != group[0].scope.layout):
            yield group
            group = []
        group.append(step)
        closed = writes
    if group:
        yield group


def _union(group: Sequence[Step]) -> Scope:
    scope = group[0].scope
    for step in group[1:]:
        scope = merge_scopes(scope, step.scope)
    return scope
