"""The nodes of skinning."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from renderwright.engine.renderer.frame_input import FrameInput
from renderwright.engine.renderer.skinning.gpu_skinning import GpuSkinning, SkinningWork
from renderwright.engine.renderer.skinning.jobs import GROUP
from renderwright.engine.scene.mesh import VERTEX_FLOATS
from renderwright.render.graph.commands import Commands
from renderwright.render.graph.declare import Declare, Execute
from renderwright.render.graph.frame_graph import FrameGraph
from renderwright.render.graph.handles import PipelineHandle
from renderwright.render.graph.registry import Registry
from renderwright.render.types.physical import PhysicalBuffer
from renderwright.render.types.resources import Buffer

PREVIOUS = "skinned_previous"
"""Positions of moved vertices in the last frame."""

_WORK = "skinning_work"
_INPUTS: Mapping[str, Callable[[GpuSkinning], PhysicalBuffer]] = {
    "skinning_jobs": lambda skinning: skinning.jobs,
    "skinning_data": lambda skinning: skinning.data,
    "skinning_groups": lambda skinning: skinning.groups,
    "skinning_pose": lambda skinning: skinning.pose,
}
_PREVIOUS_INPUTS: Mapping[str, Callable[[GpuSkinning], PhysicalBuffer]] = {
    "skinning_previous_groups": lambda skinning: skinning.previous_groups,
    "skinning_previous_pose": lambda skinning: skinning.previous_pose,
}
_GROUPS_IN_ROW = 32768
"""Workgroups in a row of a dispatch; devices have 65535 at least."""


def provide_skinning(graph: FrameGraph, skinning: Callable[[], GpuSkinning]) -> None:
    """Set the providers of the buffers; ``skinning`` may be another one in each frame."""
    every = {**_INPUTS, **_PREVIOUS_INPUTS, PREVIOUS: lambda skinning: skinning.previous_positions}
    for name, buffer in every.items():
        graph.set_external(name, _provider(buffer, skinning))


def _provider(
    buffer: Callable[[GpuSkinning], PhysicalBuffer], skinning: Callable[[], GpuSkinning]
) -> Callable[[object], PhysicalBuffer]:
    return lambda context: buffer(skinning())


def skinning_nodes(frame: FrameInput, *, motion: bool) -> Mapping[str, Declare]:
    """The nodes that move the vertices of characters; with ``motion``, also their positions of the last frame."""
    nodes: dict[str, Declare] = {
        _WORK: _provide_work(frame),
        "skinning_buffers": _provide_buffers,
        "skin": _skin,
    }
    if motion:
        nodes |= {"skinning_previous_buffers": _provide_previous_buffers, "skin_previous": _skin_previous}
    return nodes


def _provide_work(frame: FrameInput) -> Declare:
    def declare(reg: Registry) -> Execute:
        work = reg.create(_WORK, SkinningWork)
        reg.stable(frame.revision)

        def execute(cmd: Commands) -> None:
            work.value = frame.skinning

        return execute

    return declare


def _provide_buffers(reg: Registry) -> None:
    """Declare the buffers as external resources. The application provides them."""
    for name in _INPUTS:
        reg.external(name, Buffer(0)).storage_read("compute")


def _provide_previous_buffers(reg: Registry) -> None:
    for name in _PREVIOUS_INPUTS:
        reg.external(name, Buffer(0)).storage_read("compute")
    reg.external(PREVIOUS, Buffer(0)).storage_read("vertex")


def _skin(reg: Registry) -> Execute:
    """Move the vertices of all characters whose pose is another one than in the last frame."""
    for name in _INPUTS:
        reg.read(name).storage_read("compute")
    reg.modify("scene_vertices").storage("compute")
    work = reg.read(_WORK, SkinningWork)
    pipeline = reg.compute("skin.comp", defines={"PREVIOUS": 0, "VERTEX_FLOATS": f"{VERTEX_FLOATS}u"})
    reg.priority(1)  # before all passes, so that it splits none
    reg.stable()

    def execute(cmd: Commands) -> None:
        _dispatch(cmd, pipeline, work.value.groups)

    return execute


def _skin_previous(reg: Registry) -> Execute:
    """Write the positions that the vertices had in the last frame, where they are not there yet."""
    reg.read("skinning_jobs").storage_read("compute")
    reg.read("skinning_data").storage_read("compute")
    reg.read("skinning_previous_groups").storage_read("compute").bind("skinning_groups")
    reg.read("skinning_previous_pose").storage_read("compute").bind("skinning_pose")
    reg.read("scene_vertices").storage_read("compute")
    reg.modify(PREVIOUS).storage("compute")
    work = reg.read(_WORK, SkinningWork)
    pipeline = reg.compute("skin.comp", defines={"PREVIOUS": 1, "VERTEX_FLOATS": f"{VERTEX_FLOATS}u"})
    reg.stable()

    def execute(cmd: Commands) -> None:
        _dispatch(cmd, pipeline, work.value.previous_groups)

    return execute


def _dispatch(cmd: Commands, pipeline: PipelineHandle, groups: int) -> None:
    if groups:
        columns, rows = min(groups, _GROUPS_IN_ROW), -(-groups // _GROUPS_IN_ROW)
        cmd.dispatch(pipeline, (columns * GROUP, rows), groups_in_row=columns, group_count=groups)
