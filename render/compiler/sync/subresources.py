"""Barriers by subresource: those of each cell of a texture, coalesced where neighbouring cells have equal ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from renderwright.render.compiler.sync.pass_accesses import CopyAccesses
from renderwright.render.compiler.sync.pending import PendingBarrier
from renderwright.render.compiler.sync.program_points import ProgramPoints
from renderwright.render.compiler.values.instances import ResourceInstance
from renderwright.render.sync.derive import ResourceAccess, first_group
from renderwright.render.sync.flags import Access, Layout, Stage
from renderwright.render.sync.merge import merge_scopes
from renderwright.render.sync.scopes import Scope
from renderwright.render.types.parts import Part, joined
from renderwright.render.types.resources import Texture


@dataclass(slots=True)
class _Cells:
    """The cells that one barrier covers, and the last access that any of them waits for (``Dependency.since``)."""

    cells: list[Part]
    since: int | None = None

    def waits_until(self, since: int | None) -> bool:
        """Whether the barrier waits for the access at a point, or for a later one, anyway."""
        return self.since is not None and since is not None and since <= self.since


_CellBarriers = dict[PendingBarrier, _Cells]
"""Barriers without ``since``, which is that of the cells."""


def merge_cells(
    item: ResourceInstance,
    accesses: CopyAccesses,
    cells: Mapping[Part, Sequence[PendingBarrier]],
    points: ProgramPoints,
) -> Sequence[PendingBarrier]:
    """The barriers of a texture, given those of each of its ``cells``."""
    desc = item.resource.desc
    assert isinstance(desc, Texture)
    alike = _by_equal_barriers(cells)
    together = _moved_together(_discarded_together(alike, accesses, points), desc, points)
    return [
        replace(barrier, dependency=barrier.dependency._replace(since=group.since), part=part)
        for barrier, group in together.items()
        for part in joined(group.cells, desc.mips, desc.layers)
    ]


def cleared_parts(item: ResourceInstance, accesses: CopyAccesses) -> Sequence[tuple[int, Part]]:
    """The parts that commands clear, with the program points of the commands."""
    desc = item.resource.desc
    assert isinstance(desc, Texture)
    cleared: dict[int, list[Part]] = {}
    for part, cell in accesses.cells:
        if cell.cleared:
            cleared.setdefault(cell.own[0].point, []).append(part)
    return [(point, part) for point, parts in cleared.items() for part in joined(parts, desc.mips, desc.layers)]


def _by_equal_barriers(cells: Mapping[Part, Sequence[PendingBarrier]]) -> _CellBarriers:
    """Cells with equal barriers wait together, for the last access that any of them waits for."""
    found: _CellBarriers = {}
    for part, barriers in cells.items():
        for barrier in barriers:
            since = barrier.dependency.since
            alike = replace(barrier, dependency=barrier.dependency._replace(since=None))
            group = found.get(alike)
            if group is None:
                found[alike] = _Cells([part], since)
            else:
                group.cells.append(part)
                group.since = None if group.since is None or since is None else max(group.since, since)
    return found


def _discarded_together(barriers: _CellBarriers, accesses: CopyAccesses, points: ProgramPoints) -> _CellBarriers:
    """First uses of several cells in one layout become a single barrier.

    It stands in front of the first access to any of these cells; all of the memory is the texture's by then. A cell
    that is read before it is written is discarded in front of the texture's first access, for which all readers wait.
    """
    found: _CellBarriers = {}
    by_layout: dict[tuple[Layout, str, int], list[tuple[PendingBarrier, _Cells]]] = {}
    begin = min(accesses.own, key=lambda access: access.point, default=None)
    for barrier, group in barriers.items():
        if not barrier.first_use:
            found[barrier] = group
            continue
        dependency = barrier.dependency
        if begin is not None and not dependency.dst.writes and points.frame(dependency.point) == 0:
            dst = _read_from(begin, dict(accesses.cells)[group.cells[0]], dependency.dst, points, dependency.point)
            dependency = dependency._replace(point=begin.point, dst=dst)
        point = dependency.point
        key = dependency.dst.layout, points.queue(point), points.frame(point)
        by_layout.setdefault(key, []).append((replace(barrier, dependency=dependency), group))
    for alike in by_layout.values():
        earliest = min([barrier for barrier, _ in alike], key=_point)
        dst = reduce(merge_scopes, [barrier.dependency.dst for barrier, _ in alike])
        discarding = replace(earliest, dependency=earliest.dependency._replace(dst=dst))
        found[discarding] = _Cells([part for _, group in alike for part in group.cells])
    return found


def _read_from(begin: ResourceAccess, cell: CopyAccesses, dst: Scope, points: ProgramPoints, point: int) -> Scope:
    """The destination scope of a cell that is discarded at the texture's first access ``begin``: its first reads on
    that queue."""
    first = first_group(cell.all) or (ResourceAccess(point, dst, points.queue(point)),)
    reads = [access.scope for access in first if access.queue == begin.queue]
    return reduce(merge_scopes, reads) if reads else Scope(Stage.NONE, Access.NONE, dst.layout)


def _moved_together(barriers: _CellBarriers, desc: Texture, points: ProgramPoints) -> _CellBarriers:
    """A barrier moves to an earlier one of neighbouring cells that differs in its point alone, if all that it waits for
    is over by then.

    So mips that have been read one after another, and are drawn to again, change their layouts at once.
    """
    found: _CellBarriers = {}
    earlier: dict[tuple[PendingBarrier, str, int], list[PendingBarrier]] = {}
    for barrier, group in sorted(barriers.items(), key=lambda item: _point(item[0])):
        if barrier.why_unsplit is None:
            point = _point(barrier)
            anywhere = replace(barrier, dependency=barrier.dependency._replace(point=0))
            others = earlier.setdefault((anywhere, points.queue(point), points.frame(point)), [])
            candidates = [found[other] for other in others if found[other].waits_until(group.since)]
            into = next((other for other in candidates if _saves_barriers(other.cells, group.cells, desc)), None)
            if into is not None:
                into.cells += group.cells
                continue
            others.append(barrier)
        found[barrier] = group
    return found


def _saves_barriers(some: Sequence[Part], others: Sequence[Part], desc: Texture) -> bool:
    """Whether the parts need fewer barriers together than apart.

    Several mips of some of the layers stay apart: of an event with such a range validation layers see a part only.
    """
    one, other, both = (joined(parts, desc.mips, desc.layers) for parts in (some, others, (*some, *others)))
    seen = all(part.layers is None or (part.mips is not None and part.mips[1] == 1) for part in both)
    return seen and len(both) < len(one) + len(other)


def _point(barrier: PendingBarrier) -> int:
    return barrier.dependency.point
