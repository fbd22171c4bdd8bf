"""The accesses to each resource as barriers see them: one a pass, in a copy's own frame and in the next one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from renderwright.render.compiler.resources.access_history import AccessHistory, NodeAccess
from renderwright.render.compiler.resources.clear_commands import cells_to_clear, needs_clear_command
from renderwright.render.compiler.sync.program_points import ProgramPoints
from renderwright.render.compiler.values.instances import InstanceGraph, ResourceInstance
from renderwright.render.sync.derive import ResourceAccess, is_concurrent, point_behind_clear
from renderwright.render.sync.flags import Access, Layout, Stage
from renderwright.render.sync.layouts import SEPARATE, Layouts, in_general
from renderwright.render.sync.merge import merge_scopes
from renderwright.render.sync.scopes import Scope
from renderwright.render.types.parts import Part

_CLEAR = Scope(Stage.CLEAR, Access.TRANSFER_WRITE, Layout.TRANSFER_DST)

# Presentation waits for a semaphore. The stage is for an image without one: the next frame's first barrier waits there.
_PRESENT = Scope(Stage.COLOR_ATTACHMENT_OUTPUT, Access.NONE, Layout.PRESENT_SRC)

_point = attrgetter("point")


@dataclass(frozen=True, slots=True)
class CopyAccesses:
    """The accesses to one copy of a resource, in order.

    ``own`` are those of its own frame; the first one is a clear command if the copy is ``cleared``. ``at_end`` is the
    hand-over at that frame's end, such as presentation, if there is one. ``history_reads`` are those of the next frame.

    A texture of which parts are used has ``cells``: the accesses to each part that its users tell apart. Its other
    fields then have the accesses to all cells together.
    """

    own: tuple[ResourceAccess, ...]
    at_end: tuple[ResourceAccess, ...]
    history_reads: tuple[ResourceAccess, ...]
    cleared: bool
    cells: tuple[tuple[Part, CopyAccesses], ...] = ()

    @property
    def all(self) -> tuple[ResourceAccess, ...]:
        """The accesses of both frames."""
        return (*self.own, *self.at_end, *self.history_reads)

    @property
    def separate(self) -> Sequence[CopyAccesses]:
        """Those of each cell, or of the copy as a whole."""
        return [cell for _, cell in self.cells] or [self]

    @property
    def concurrent(self) -> bool:
        """Whether no queue owns the resource: several use it at once, or another one in the next frame."""
        if self.cells:
            return any(cell.concurrent for _, cell in self.cells)
        accesses = self.all
        if len({access.queue for access in accesses}) < 2:
            return False
        return bool(self.history_reads) or is_concurrent(accesses)


_Cells = Sequence[tuple[Part, CopyAccesses]]


def accesses_by_pass(
    graph: InstanceGraph,
    histories: Mapping[str, AccessHistory],
    points: ProgramPoints,
    layouts: Layouts = SEPARATE,
    whole: Mapping[str, CopyAccesses] | None = None,
) -> Mapping[str, CopyAccesses]:
    """The accesses to every texture and buffer, by resource id in the graph's order.

    ``whole`` are those of a frame in which all nodes run, for resources in a steady state between frames: cells that
    such a frame clears are cleared even if their readers are skipped in this frame.
    """
    running = {node.id for node in graph.nodes}
    found: dict[str, CopyAccesses] = {}
    for item in graph.resources:
        accessed = histories.get(item.id)
        if accessed is None:
            continue
        passes = _Passes(points, layouts.general(item.id))
        created = item.creator in running
        if accessed.cells:
            cleared = _cleared_cells(item, accessed, whole.get(item.id) if whole else None) if created else frozenset()
            one_layout_at_end = bool(accessed.history_reads) or item.id in graph.sinks
            found[item.id] = _by_cell(accessed, passes, cleared, one_layout_at_end=one_layout_at_end)
        else:
            own = passes.merged(accessed.own, 0)
            cleared_whole = created and needs_clear_command(item, accessed)
            found[item.id] = CopyAccesses(
                passes.behind_clear(own) if cleared_whole else own,
                passes.presented() if accessed.presented else (),
                passes.merged(accessed.history_reads, 1),
                cleared_whole,
            )
    return found


@dataclass(frozen=True, slots=True)
class _Passes:
    """Turns node accesses into accesses of passes; ``general`` says that the texture is in GENERAL for all usages."""

    points: ProgramPoints
    general: bool

    def merged(self, accesses: Iterable[NodeAccess], frame: int) -> tuple[ResourceAccess, ...]:
        """One access for each pass, in this frame (0) or the next (1). Nodes share a pass only where no barrier is
        needed between them."""
        scopes: dict[int, Scope] = {}
        for access in accesses:
            point = self.points.of_nodes[access.node]
            before = scopes.get(point)
            scopes[point] = access.scope if before is None else merge_scopes(before, access.scope)
        start = frame * self.points.length
        return tuple(
            [
                ResourceAccess(start + point, in_general(scope) if self.general else scope, self.points.queue(point))
                for point, scope in scopes.items()
            ]
        )

    def clear(self, point: int) -> ResourceAccess:
        """A clear command."""
        return ResourceAccess(point, in_general(_CLEAR) if self.general else _CLEAR, self.points.queue(point))

    def behind_clear(self, own: Sequence[ResourceAccess]) -> tuple[ResourceAccess, ...]:
        """The accesses with a clear command in front, which belongs to the first access's pass."""
        first = own[0]
        return (self.clear(first.point), first._replace(point=point_behind_clear(first.point)), *own[1:])

    def presented(self) -> tuple[ResourceAccess, ...]:
        """The presentation at the frame's end."""
        return (ResourceAccess(self.points.end, _PRESENT),)


def _cleared_cells(item: ResourceInstance, accessed: AccessHistory, whole: CopyAccesses | None) -> frozenset[Part]:
    """The cells that a clear command clears."""
    cleared = cells_to_clear(item, accessed)
    if whole is None:
        return cleared
    unused = {cell.part for cell in accessed.cells if not cell.own}
    return cleared | {part for part, cell in whole.cells if cell.cleared and part in unused}


def _by_cell(
    accessed: AccessHistory, passes: _Passes, cleared: frozenset[Part], *, one_layout_at_end: bool
) -> CopyAccesses:
    """The accesses to a texture of which parts are used; the ``cleared`` ones begin with a clear command.

    With ``one_layout_at_end`` all cells end in one layout, since the texture is handed on as a whole.
    """
    owns = {cell.part: passes.merged(cell.own, 0) for cell in accessed.cells}
    begin = min([own[0].point for own in owns.values() if own], default=passes.points.end)
    owns |= {part: _cleared_cell(owns[part], begin, passes) for part in cleared}
    at_end = passes.presented() if accessed.presented else ()
    cells: _Cells = [
        (cell.part, CopyAccesses(owns[cell.part], at_end, passes.merged(cell.history_reads, 1), cell.part in cleared))
        for cell in accessed.cells
    ]
    if one_layout_at_end and not accessed.presented:
        cells = _in_one_layout(cells, passes.points)
    return CopyAccesses(
        _in_order([cell.own for _, cell in cells]),
        _in_order([cell.at_end for _, cell in cells]),
        _in_order([cell.history_reads for _, cell in cells]),
        bool(cleared),
        tuple(cells),
    )


def _cleared_cell(own: Sequence[ResourceAccess], begin: int, passes: _Passes) -> tuple[ResourceAccess, ...]:
    """The accesses to a cell with a clear command in front.

    A cell that is read before it is written is cleared where the texture's accesses ``begin``, so that all readers wait
    for that.
    """
    if own and (own[0].scope.writes or own[0].point == begin):
        return passes.behind_clear(own)
    return (passes.clear(begin), *own)


def _in_order(accesses: Iterable[Sequence[ResourceAccess]]) -> tuple[ResourceAccess, ...]:
    return tuple(sorted([access for each in accesses for access in each], key=_point))


def _in_one_layout(cells: _Cells, points: ProgramPoints) -> _Cells:
    """The accesses to all cells of a texture, each of which ends in the layout of the texture's last scope."""
    # In a frame in which its users are skipped, the texture may not be used at all.
    if not any(cell.own or cell.history_reads for _, cell in cells):
        return cells
    last = _last_scope(cells)
    return [(part, _ending_in(cell, last, points)) for part, cell in cells]


def _last_scope(cells: _Cells) -> Scope:
    """The scope in which a frame leaves all of a texture: that of the first history reader, else of the last access."""
    history = [access for _, cell in cells for access in cell.history_reads]
    own = [access for _, cell in cells for access in cell.own]
    return (min(history, key=_point) if history else max(own, key=_point)).scope


def _ending_in(cell: CopyAccesses, last: Scope, points: ProgramPoints) -> CopyAccesses:
    if cell.own and cell.own[-1].scope.layout == last.layout:
        return cell
    point = points.end_behind(cell.own[-1].point) if cell.own else points.end
    return replace(cell, at_end=(ResourceAccess(point, last),))
