"""Derives the pending barriers of one resource, by which of four cases it is.

- Per-frame: each frame makes it anew.
- External: it comes from outside the frame and goes back there.
- In a steady state: it outlives the frame, and nodes use it that may be skipped; or it is an asset.
- By subresource: a texture of which parts are used. Each cell is one of the other three.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from renderwright.render.compiler.sync.external import asset_scope, external_barriers
from renderwright.render.compiler.sync.pass_accesses import CopyAccesses
from renderwright.render.compiler.sync.pending import PendingBarrier
from renderwright.render.compiler.sync.per_frame import layout_left, per_frame_barriers
from renderwright.render.compiler.sync.program_points import ProgramPoints
from renderwright.render.compiler.sync.steady_state import SteadyStates, steady_barriers
from renderwright.render.compiler.sync.subresources import cleared_parts, merge_cells
from renderwright.render.compiler.values.instances import InstanceGraph, ResourceInstance
from renderwright.render.sync.barriers import ClearOp
from renderwright.render.sync.derive import ResourceAccess
from renderwright.render.sync.flags import Layout
from renderwright.render.sync.scopes import Scope
from renderwright.render.types.parts import WHOLE


@dataclass(frozen=True, slots=True)
class UsedResource:
    """A resource with its ``accesses`` in the frame, and in a frame in which all nodes run (``whole``).

    ``steady`` is the scope in which every frame leaves it, if there is one. If it is ``discarded``, the frame makes it
    anew: the first access discards the contents.
    """

    item: ResourceInstance
    accesses: CopyAccesses
    whole: CopyAccesses
    steady: Scope | None
    discarded: bool

    @property
    def name(self) -> str:
        """Its id."""
        return self.item.id

    @property
    def layout_left(self) -> Layout:
        """The layout in which the frame leaves its copy."""
        if self.steady is not None:
            return self.steady.layout
        return layout_left((*self.accesses.own, *self.accesses.at_end), self.accesses.history_reads)


def used_resources(
    graph: InstanceGraph, accesses: Mapping[str, CopyAccesses], steady: SteadyStates
) -> Sequence[UsedResource]:
    """The textures and buffers of a graph with their accesses, in the graph's order."""
    running = {node.id for node in graph.nodes}
    found = []
    for item in graph.resources:
        if item.id in accesses:
            whole = steady.accesses[item.id]
            scope = steady.scopes.get(item.id) or asset_scope(item, whole)
            discarded = not item.resource.external and (scope is None or item.creator in running)
            found.append(UsedResource(item, accesses[item.id], whole, scope, discarded))
    return found


def pending_barriers(resource: UsedResource, points: ProgramPoints) -> Sequence[PendingBarrier]:
    """The barriers of a resource: of its copies as a whole, or by subresource if parts of a texture are used."""
    accesses = resource.accesses
    if not accesses.cells:
        return _copy_barriers(resource, points, concurrent=accesses.concurrent)
    whole = dict(resource.whole.cells)
    cells = {
        part: _copy_barriers(_cell(resource, own, whole[part], points), points, concurrent=accesses.concurrent)
        for part, own in accesses.cells
    }
    return merge_cells(resource.item, accesses, cells, points)


def _copy_barriers(resource: UsedResource, points: ProgramPoints, *, concurrent: bool) -> Sequence[PendingBarrier]:
    """The barriers of a copy, or of one of its cells."""
    item, accesses = resource.item, resource.accesses
    if resource.steady is not None:
        return steady_barriers(item.id, accesses, resource.steady, points, discarded=resource.discarded)
    if item.resource.external:
        return external_barriers(item, accesses, resource.whole, points)
    return per_frame_barriers(item.id, accesses, points, concurrent=concurrent)


def _cell(resource: UsedResource, accesses: CopyAccesses, whole: CopyAccesses, points: ProgramPoints) -> UsedResource:
    """One cell of a texture. If the texture has a steady state, a cell that is discarded and not used in the frame is
    brought into it at the frame's end."""
    if resource.steady is not None:
        unused = resource.discarded and not accesses.own
        at_end = (ResourceAccess(points.end, resource.steady),) if unused else ()
        accesses = replace(accesses, at_end=at_end)
    return replace(resource, accesses=accesses, whole=whole)


def clears_of(resource: UsedResource) -> Iterator[tuple[int, ClearOp, ClearOp]]:
    """The clear commands of a resource, for the even and the odd copy, with their program points."""
    item, accesses = resource.item, resource.accesses
    value = item.resource.clear
    if accesses.cleared and value is not None:
        parts = cleared_parts(item, accesses) if accesses.cells else [(accesses.own[0].point, WHOLE)]
        for point, part in parts:
            yield point, ClearOp(item.id, 0, value, part), ClearOp(item.id, 1, value, part)
