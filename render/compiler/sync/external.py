"""Barriers of an external resource: it comes from outside the frame and goes back there."""

from __future__ import annotations

from collections.abc import Sequence

from renderwright.render.compiler.sync.pass_accesses import CopyAccesses
from renderwright.render.compiler.sync.pending import PendingBarrier, unsplit
from renderwright.render.compiler.sync.program_points import ProgramPoints
from renderwright.render.compiler.values.instances import ResourceInstance
from renderwright.render.sync.barriers import BarrierReason
from renderwright.render.sync.derive import Dependency, ResourceAccess, SourceScope, derive
from renderwright.render.sync.flags import Access, Layout, Stage
from renderwright.render.sync.queues import GRAPHICS
from renderwright.render.sync.scopes import Scope
from renderwright.render.types.resources import Texture

_CONTENT_READS = Access.SHADER_SAMPLED_READ | Access.SHADER_STORAGE_READ | Access.TRANSFER_READ

# The frame waits at this stage until the display has let go of its image.
_ACQUIRED = SourceScope(Stage.COLOR_ATTACHMENT_OUTPUT, Access.NONE, BarrierReason.ACQUIRE)

_ASSET = Scope(
    Stage.VERTEX_SHADER | Stage.FRAGMENT_SHADER | Stage.COMPUTE_SHADER,
    Access.SHADER_SAMPLED_READ,
    Layout.SHADER_READ_ONLY,
)


def asset_scope(item: ResourceInstance, whole: CopyAccesses) -> Scope | None:
    """The steady scope of an asset: a texture that comes with contents, for all shaders to sample.

    An external texture is an asset if a frame in which all nodes run (``whole``) reads it first. Others, such as the
    display's images, are drawn anew.
    """
    if not item.resource.external or not isinstance(item.resource.desc, Texture) or whole.at_end:
        return None
    read_first = any(copy.own and copy.own[0].scope.access & _CONTENT_READS for copy in whole.separate)
    return _ASSET if read_first else None


def external_barriers(
    item: ResourceInstance, accesses: CopyAccesses, whole: CopyAccesses, points: ProgramPoints
) -> Sequence[PendingBarrier]:
    """The barriers of an external buffer, or of a texture that the frame draws anew; ``whole`` are the accesses of a
    frame in which all nodes run."""
    if not isinstance(item.resource.desc, Texture):
        dependencies = _of_buffer(accesses.own, points)
    elif accesses.at_end:
        dependencies = _of_presented(accesses)
    else:
        # No semaphore stands between this frame and the last one that used the texture.
        dependencies = derive(accesses.own, _acquired_behind(whole.own))
    return unsplit(item.id, dependencies)


def _of_presented(accesses: CopyAccesses) -> Sequence[Dependency]:
    *dependencies, last = derive(accesses.all, _ACQUIRED)
    return (*dependencies, last._replace(reason=BarrierReason.PRESENT))


def _acquired_behind(accesses: Sequence[ResourceAccess]) -> SourceScope:
    """The source scope of a first access that also waits for the graphics queue's accesses of earlier frames."""
    source = _ACQUIRED
    for access in accesses:
        if access.queue == GRAPHICS:
            stages, written = source.stages | access.scope.stages, source.access | access.scope.write_access
            source = source._replace(stages=stages, access=written)
    return source


def _of_buffer(accesses: Sequence[ResourceAccess], points: ProgramPoints) -> Sequence[Dependency]:
    """The same buffer serves every frame: the dependencies of the middle one of three frames, if any access writes."""
    if not any(access.scope.writes for access in accesses):
        return ()
    length = points.length
    three = [access._replace(point=access.point + turn * length) for turn in range(3) for access in accesses]
    return [
        dependency._replace(
            point=dependency.point - length,
            since=None if dependency.since is None else dependency.since - length,
        )
        for dependency in derive(three, concurrent=True)
        if points.frame(dependency.point) == 1
    ]
