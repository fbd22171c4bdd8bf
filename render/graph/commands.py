"""The commands that an execute function records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from renderwright.render.backend.protocol import BindingSet, Pipeline, Recorder
from renderwright.render.errors import GraphError, ShaderError
from renderwright.render.graph.bound_pipeline import BoundPipeline
from renderwright.render.graph.command_checks import (
    check_counts,
    check_groups,
    check_indirect,
    check_offset,
    check_place,
    check_viewport,
)
from renderwright.render.graph.draw_state import INDEX_BYTES, DrawState
from renderwright.render.graph.handles import BoundResource, PipelineHandle
from renderwright.render.graph.node_recorder import NodeRecorder
from renderwright.render.graph.requested_usages import RequestedUsages
from renderwright.render.graph.requests import Request
from renderwright.render.graph.source import caller_location
from renderwright.render.shaders.push import PushPacker
from renderwright.render.suggest import did_you_mean
from renderwright.render.types.physical import PhysicalBuffer
from renderwright.render.types.resources import Extent
from renderwright.render.types.usages import Usage


class Commands:
    """Records one node instance's commands, one frame after the other.

    ``frame`` counts frames, ``slot`` is the frame slot in flight, ``index`` the multiplexing index, ``extent`` the size
    of the attachments (None in a node without any). All ``views`` are drawn at once, so the index lacks their
    dimension. ``requests`` are the node's, with what they are bound to. ``recorder`` records copies, fills and clears,
    and checks what it is told.
    """

    def __init__(
        self,
        recorder: Recorder,
        pipelines: tuple[BoundPipeline, ...],
        slot: int,
        index: Mapping[str, int],
        extent: Extent | None,
        resolutions: Mapping[str, Extent],
        views: int = 1,
        requests: Sequence[tuple[Request, BoundResource]] = (),
    ) -> None:
        self._state = DrawState(in_pass=extent is not None)
        self._requested = RequestedUsages(requests)
        self._recorder = recorder
        self.recorder = NodeRecorder(recorder, self._state, self._requested, pipelines)
        self.frame = 0
        self.slot = slot
        self.index = index
        self.extent = extent
        self.views = views
        self._pipelines = pipelines
        self._resolutions = resolutions
        self._covered = False
        self._pushed: list[PushPacker] = []
        self._lacking: PipelineHandle | None = None

    def start(self, frame: int) -> None:
        """Begin the recording of a frame. Called by the runtime."""
        self.frame = frame
        self._covered = False
        self._pushed.clear()
        self._lacking = None
        self._state.reset()

    def resolution(self, name: str) -> Extent:
        """The value of an auto-resolution, in texels."""
        if name not in self._resolutions:
            raise GraphError(f'unknown resolution "{name}"', hint=did_you_mean(name, self._resolutions))
        return self._resolutions[name]

    # pipelines ------------------------------------------------------------------------------------------------------

    def bind(self, handle: PipelineHandle, **push: Any) -> None:
        """Use a pipeline with this node's resources; keywords are its push constants, by name."""
        bound, recorder = self._of(handle), self._recorder
        if bound.covers is not None and not self._covered:
            raise GraphError(
                f'node "{bound.pipeline.desc.name}" binds a full-screen pipeline',
                hint="cmd.draw(pipeline) runs it; use reg.graphics for other draws",
                where=caller_location(),
            )
        recorder.bind_pipeline(bound.pipeline)
        self._state.pipeline = bound
        if bound.bindings is not None:
            self._state.bind_set(bound, 0)
            recorder.bind_set(bound.pipeline, 0, bound.bindings)
        # Pipelines with the same push constants have one packer, and values that are set for one serve the other.
        self._lacking = handle if bound.push.size and bound.push not in self._pushed else None
        if push:
            self.push(handle, **push)

    def push(self, handle: PipelineHandle, **values: Any) -> None:
        """Set the pipeline's push constants, all that its shaders use, by name.

        They stay for all draws and dispatches of this node. One without them is a ``ShaderError``.
        """
        bound = self._of(handle)
        try:
            packed = bound.push.pack(values)
        except ShaderError as error:
            message = f"{error.message} (in {bound.push_files})"
            raise ShaderError(message, hint=error.hint, where=caller_location()) from error
        for name in bound.push.unused(values):
            if name not in bound.unused:
                bound.unused[name] = caller_location()
        if packed:
            self._recorder.push(bound.pipeline, packed)
            self._lacking = None
            if bound.push not in self._pushed:
                self._pushed.append(bound.push)

    def bind_set(self, handle: PipelineHandle, number: int, bindings: BindingSet) -> None:
        """Bind the application's own bindings as descriptor set ``number`` (1 or more)."""
        bound = self._of(handle)
        (number,) = check_counts("the number of a descriptor set", number)
        self._state.bind_set(bound, number)
        self._recorder.bind_set(bound.pipeline, number, bindings)

    def pipeline(self, handle: PipelineHandle) -> Pipeline:
        """The physical pipeline."""
        return self._of(handle).pipeline

    def _of(self, handle: PipelineHandle) -> BoundPipeline:
        """What is behind a handle; ``GraphError`` if it is none of this node's."""
        if isinstance(handle, PipelineHandle) and handle.number < len(self._pipelines):
            bound = self._pipelines[handle.number]
            if bound.requested == handle.request.source:
                return bound
        raise GraphError(
            "a command has a pipeline that is none of its node's",
            hint="give what reg.graphics, reg.fullscreen or reg.compute returned in the declare function of this node",
            where=caller_location(),
        )

    # drawing --------------------------------------------------------------------------------------------------------

    def draw(self, handle: PipelineHandle, vertices: int = 3, instances: int = 1, **push: Any) -> None:
        """Bind and draw; with the defaults, one full-screen triangle. The vertex buffer has to have all vertices.

        A full-screen pipeline runs once, as it is, on every texel of the render targets.
        """
        bound = self._of(handle)
        vertices, instances = check_counts("the number of vertices or instances of a draw", vertices, instances)
        if bound.covers is None:
            self.bind(handle, **push)
            self._require_drawable()
            if instances:
                self._state.require_vertices(vertices)
            self._recorder.draw(vertices, instances)
            return
        if self._covered or (vertices, instances) != (3, 1):
            raise GraphError(
                f'node "{bound.pipeline.desc.name}" draws with a full-screen pipeline more than once',
                hint="draw once without numbers of vertices and instances, or use reg.graphics",
                where=caller_location(),
            )
        self._covered = True
        if bound.computes:
            self.dispatch(handle, bound.covers, **push)
        else:
            self.bind(handle, **push)
            self._require_drawable()
            self._recorder.draw(vertices, instances)

    def vertices(self, buffer: PhysicalBuffer, offset: int = 0) -> None:
        """Bind a vertex buffer, from byte ``offset`` on."""
        self._requested.require_buffer(buffer, Usage.VERTEX)
        offset = check_place("the offset of a vertex buffer", buffer, offset)
        self._state.vertices = buffer, offset
        self._recorder.bind_vertices(buffer, offset)

    def indices(self, buffer: PhysicalBuffer, offset: int = 0) -> None:
        """Bind a buffer of 32-bit indices, from byte ``offset`` on."""
        self._requested.require_buffer(buffer, Usage.INDEX)
        offset = check_place("the offset of an index buffer", buffer, offset, multiple=INDEX_BYTES)
        self._state.indices = buffer, offset
        self._recorder.bind_indices(buffer, offset)

    def draw_indexed(
        self, indices: int, instances: int = 1, first_index: int = 0, vertex_offset: int = 0, first_instance: int = 0
    ) -> None:
        """Draw with the bound pipeline, vertices and indices."""
        self._require_drawable(indexed=True)
        indices, instances, first_index, first_instance = check_counts(
            "a number of an indexed draw", indices, instances, first_index, first_instance
        )
        vertex_offset = check_offset("the vertex offset of an indexed draw", vertex_offset)
        self._state.require_indices(first_index, indices)
        self._recorder.draw_indexed(indices, instances, first_index, vertex_offset, first_instance)

    def draw_indexed_indirect(self, commands: PhysicalBuffer, draws: int, offset: int = 0) -> None:
        """Draw by ``draws`` commands, from byte ``offset`` of a buffer that is requested ``.indirect()`` on.

        A command is five 32-bit words: indices, instances, first index, vertex offset (signed) and first instance. The
        first instance has to be 0 on a device without ``Capabilities.indirect_instances``.
        """
        self._require_drawable(indexed=True)
        self._requested.require_buffer(commands, Usage.INDIRECT)
        given = check_indirect(commands, draws, offset)
        self._recorder.draw_indexed_indirect(commands, given.draws, given.offset)

    def draw_indexed_indirect_count(
        self, commands: PhysicalBuffer, counts: PhysicalBuffer, most: int, offset: int = 0, place: int = 0
    ) -> None:
        """Like ``draw_indexed_indirect``; byte ``place`` of ``counts`` has the number of draws, a 32-bit word.

        ``counts`` is requested ``.indirect()`` as well, and may be the buffer of the commands. There is room for
        ``most`` commands. Fill those beyond the number with zeros: a device that reads no counts draws them all.
        """
        self._require_drawable(indexed=True)
        self._requested.require_buffer(commands, Usage.INDIRECT)
        self._requested.require_buffer(counts, Usage.INDIRECT)
        given = check_indirect(commands, most, offset, counts, place)
        self._recorder.draw_indexed_indirect(commands, given.draws, given.offset, counts, given.place)

    def viewport(self, x: float, y: float, width: float, height: float) -> None:
        """Set viewport and scissor to a part of the attachments, in texels from the top left corner."""
        if any(bound.covers is not None for bound in self._pipelines):
            raise GraphError(
                "a node with a full-screen pipeline draws to all of its render targets",
                hint="use reg.graphics to draw to a part of them",
                where=caller_location(),
            )
        check_viewport(x, y, width, height)
        self._state.viewport_changed = True
        self._recorder.viewport(x, y, width, height)
        self._recorder.scissor(int(x), int(y), int(width), int(height))

    # compute --------------------------------------------------------------------------------------------------------

    def dispatch(self, handle: PipelineHandle, extent: Extent | tuple[int, int, int], **push: Any) -> None:
        """Bind and run one invocation for each texel (or item) of ``extent``, rounded up to whole workgroups."""
        bound = self._of(handle)
        whole = check_groups(extent)
        self.bind(handle, **push)
        self._state.require_computing()
        self._require_push()
        sizes = (*whole, 1)[:3]
        local = bound.local_size
        x, y, z = (-(-size // group) for size, group in zip(sizes, local, strict=True))
        self._recorder.dispatch(x, y, z)

    def _require_drawable(self, *, indexed: bool = False) -> None:
        """Raise ``GraphError`` if a draw lacks something, ``ShaderError`` if that are push constants."""
        self._require_push()
        self._state.require_drawable(indexed=indexed)

    def _require_push(self) -> None:
        """Raise ``ShaderError`` if the bound pipeline has push constants, of which the node has set none."""
        if self._lacking is not None:
            bound = self._pipelines[self._lacking.number]
            names = [member.name for member in bound.push.members]
            listed = ", ".join(f'"{name}"' for name in names)
            raise ShaderError(
                f'node "{bound.pipeline.desc.name}" runs {bound.push_files} without push constants, which are '
                f"undefined: {listed}",
                hint=f"give all of them by name, such as cmd.draw(pipeline, {names[0]}=...)",
                where=caller_location(),
            )

    def finish(self) -> None:
        """Restore the full viewport and scissor, which the next node of the pass expects. Called by the runtime."""
        if self._state.viewport_changed and self.extent is not None:
            width, height = self.extent
            self._recorder.viewport(0, 0, width, height)
            self._recorder.scissor(0, 0, width, height)
