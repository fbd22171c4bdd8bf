"""The recorder that execute functions get: it checks what the backend's recorder and the driver take as it is."""

from __future__ import annotations

from collections.abc import Sequence

from renderwright.render.backend.protocol import COPIED, BindingSet, Pipeline, Recorder
from renderwright.render.errors import GraphError
from renderwright.render.graph.bound_pipeline import BoundPipeline
from renderwright.render.graph.command_checks import (
    check_counts,
    check_indirect,
    check_offset,
    check_place,
    check_scissor,
    check_viewport,
)
from renderwright.render.graph.draw_state import INDEX_BYTES, DrawState
from renderwright.render.graph.requested_usages import RequestedUsages
from renderwright.render.graph.source import caller_location
from renderwright.render.graph.transfer_checks import (
    check_clear,
    check_copied_bytes,
    check_copied_parts,
    check_copied_texels,
    check_fill,
)
from renderwright.render.sync.flags import Layout
from renderwright.render.types.parts import WHOLE, Part
from renderwright.render.types.physical import Physical, PhysicalBuffer, PhysicalTexture
from renderwright.render.types.resources import ClearValue
from renderwright.render.types.usages import Usage


class NodeRecorder:
    """Passes the commands of one node on to a ``recorder``, those that are not the runtime's own.

    A command that no driver can be told raises ``GraphError`` at the caller's line, while its node executes. The device
    runs commands later, where no node could be named. ``state`` is shared with the node's ``Commands``, which check
    their arguments themselves and record directly.
    """

    def __init__(
        self, recorder: Recorder, state: DrawState, requested: RequestedUsages, pipelines: Sequence[BoundPipeline]
    ) -> None:
        self._recorder = recorder
        self._state = state
        self._requested = requested
        self._pipelines = pipelines

    def __getattr__(self, name: str) -> None:
        """Refuse the rest of ``Recorder``."""
        if name in vars(Recorder):
            raise GraphError(
                f"cmd.recorder.{name} is for the runtime, which begins passes, issues barriers and takes the commands",
                hint="request what the node uses, and leave passes and barriers to the frame graph",
                where=caller_location(),
            )
        raise AttributeError(f"cmd.recorder has no {name!r}", name=name, obj=self)

    # pipelines and bindings -----------------------------------------------------------------------------------------

    def bind_pipeline(self, pipeline: Pipeline) -> None:
        """Use a pipeline of the node."""
        self._state.pipeline = self._of(pipeline)
        self._recorder.bind_pipeline(pipeline)

    def bind_set(self, pipeline: Pipeline, number: int, bindings: BindingSet) -> None:
        """Use the bindings as descriptor set ``number``."""
        bound = self._of(pipeline)
        (number,) = check_counts("the number of a descriptor set", number)
        self._recorder.bind_set(pipeline, number, bindings)
        self._state.bind_set(bound, number)

    def push(self, pipeline: Pipeline, data: bytes) -> None:
        """Set the push constants of a pipeline of the node, from offset 0."""
        self._of(pipeline)
        if not isinstance(data, bytes | bytearray | memoryview):
            raise GraphError(
                f"push constants are a {type(data).__name__}",
                hint="give bytes, or cmd.push(pipeline, name=value)",
                where=caller_location(),
            )
        self._recorder.push(pipeline, bytes(data))

    def bind_vertices(self, buffer: PhysicalBuffer, offset: int = 0) -> None:
        """Use the buffer as vertex buffer 0."""
        self._requested.require_buffer(buffer, Usage.VERTEX)
        offset = check_place("the offset of a vertex buffer", buffer, offset)
        self._state.vertices = buffer, offset
        self._recorder.bind_vertices(buffer, offset)

    def bind_indices(self, buffer: PhysicalBuffer, offset: int = 0) -> None:
        """Use the buffer as 32-bit indices."""
        self._requested.require_buffer(buffer, Usage.INDEX)
        offset = check_place("the offset of an index buffer", buffer, offset, multiple=INDEX_BYTES)
        self._state.indices = buffer, offset
        self._recorder.bind_indices(buffer, offset)

    def viewport(self, x: float, y: float, width: float, height: float) -> None:
        """Set the viewport, in texels from the top left corner."""
        check_viewport(x, y, width, height)
        self._state.viewport_changed = True
        self._recorder.viewport(x, y, width, height)

    def scissor(self, x: int, y: int, width: int, height: int) -> None:
        """Set the scissor rectangle, in texels from the top left corner."""
        x, y, width, height = check_scissor(x, y, width, height)
        self._state.viewport_changed = True
        self._recorder.scissor(x, y, width, height)

    # work -----------------------------------------------------------------------------------------------------------

    def draw(self, vertices: int, instances: int = 1, first_vertex: int = 0, first_instance: int = 0) -> None:
        """Draw without indices."""
        self._state.require_drawable()
        vertices, instances, first_vertex, first_instance = check_counts(
            "a number of a draw", vertices, instances, first_vertex, first_instance
        )
        if vertices and instances:
            self._state.require_vertices(first_vertex + vertices)
        self._recorder.draw(vertices, instances, first_vertex, first_instance)

    def draw_indexed(
        self, indices: int, instances: int = 1, first_index: int = 0, vertex_offset: int = 0, first_instance: int = 0
    ) -> None:
        """Draw with indices."""
        self._state.require_drawable(indexed=True)
        indices, instances, first_index, first_instance = check_counts(
            "a number of an indexed draw", indices, instances, first_index, first_instance
        )
        vertex_offset = check_offset("the vertex offset of an indexed draw", vertex_offset)
        self._state.require_indices(first_index, indices)
        self._recorder.draw_indexed(indices, instances, first_index, vertex_offset, first_instance)

    def draw_indexed_indirect(
        self,
        commands: PhysicalBuffer,
        draws: int,
        offset: int = 0,
        counts: PhysicalBuffer | None = None,
        place: int = 0,
    ) -> None:
        """Draw with indices by ``draws`` commands from byte ``offset`` of a buffer on; see ``Recorder``."""
        self._state.require_drawable(indexed=True)
        self._requested.require_buffer(commands, Usage.INDIRECT)
        if counts is not None:
            self._requested.require_buffer(counts, Usage.INDIRECT)
        given = check_indirect(commands, draws, offset, counts, place)
        self._recorder.draw_indexed_indirect(commands, given.draws, given.offset, counts, given.place)

    def dispatch(self, x: int, y: int = 1, z: int = 1) -> None:
        """Run ``x`` x ``y`` x ``z`` workgroups."""
        self._state.require_computing()
        x, y, z = check_counts("a number of workgroups", x, y, z)
        self._recorder.dispatch(x, y, z)

    # transfers ------------------------------------------------------------------------------------------------------

    def clear_texture(self, texture: PhysicalTexture, layout: Layout, value: ClearValue, part: Part = WHOLE) -> None:
        """Fill every texel of a part of the texture, which is in ``layout`` (GENERAL or TRANSFER_DST)."""
        self._state.require_transfer("clears a texture")
        check_clear(texture, layout, value, part)
        self._requested.require(texture, Usage.COPY_DST)
        self._recorder.clear_texture(texture, layout, value, part)

    def copy_texture(
        self,
        source: PhysicalTexture,
        target: PhysicalTexture,
        parts: Sequence[Part] = (WHOLE,),
        layouts: tuple[Layout, Layout] = COPIED,
    ) -> None:
        """Copy the texels of some parts between equal textures, which are in these ``layouts``."""
        self._state.require_transfer("copies a texture")
        check_copied_parts(source, target, parts, layouts)
        self._require_copied(source, target)
        self._recorder.copy_texture(source, target, parts, layouts)

    def copy_texels(
        self, source: PhysicalTexture, layout: Layout, mip: int, layer: int, target: PhysicalBuffer
    ) -> None:
        """Copy one mip of one layer of a texture, which is in ``layout`` (TRANSFER_SRC or GENERAL), to the start of a
        buffer, row by row without gaps. Of a format with stencil it is the depth."""
        self._state.require_transfer("copies texels")
        mip, layer = check_copied_texels(source, layout, mip, layer, target)
        self._require_copied(source, target)
        self._recorder.copy_texels(source, layout, mip, layer, target)

    def fill_buffer(self, buffer: PhysicalBuffer, word: int = 0, start: int = 0, size: int = 0) -> None:
        """Fill ``size`` bytes (0: to the end) from ``start`` on with a 32-bit word; both in multiples of 4."""
        self._state.require_transfer("fills a buffer")
        word, start, size = check_fill(buffer, word, start, size)
        self._requested.require(buffer, Usage.COPY_DST)
        self._recorder.fill_buffer(buffer, word, start, size)

    def copy_buffer(self, source: PhysicalBuffer, target: PhysicalBuffer, size: int = 0) -> None:
        """Copy ``size`` bytes from the start (0: as many as both buffers have)."""
        self._state.require_transfer("copies a buffer")
        size = check_copied_bytes(source, target, size)
        self._require_copied(source, target)
        self._recorder.copy_buffer(source, target, size)

    def _require_copied(self, source: Physical, target: Physical) -> None:
        self._requested.require(source, Usage.COPY_SRC)
        self._requested.require(target, Usage.COPY_DST)

    def _of(self, pipeline: Pipeline) -> BoundPipeline:
        for bound in self._pipelines:
            if bound.pipeline is pipeline:
                return bound
        raise GraphError(
            "a command has a pipeline that is none of its node's",
            hint="give what cmd.pipeline returns for a pipeline that this node has requested",
            where=caller_location(),
        )
