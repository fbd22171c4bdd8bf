"""The commands of prepared calls that depend on state: passes, bindings and draws."""

from __future__ import annotations

from collections.abc import Sequence

from renderwright.render.backend.command_buffers import OpList
from renderwright.render.backend.opengl import enums as gl
from renderwright.render.backend.opengl.api import ffi
from renderwright.render.backend.opengl.bindings import GLBindingSet
from renderwright.render.backend.opengl.device import Device
from renderwright.render.backend.opengl.passes import Pass
from renderwright.render.backend.opengl.pipelines import Call, GLPipeline
from renderwright.render.backend.opengl.pushes import PushData
from renderwright.render.backend.protocol import INDIRECT_BYTES
from renderwright.render.errors import BackendError

_INDEX_BYTES = 4


class Commands:
    """Issues calls to the context. State (pipeline, sets, buffers) lasts until a command buffer ends."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._api = device.api
        self._reset()

    def _reset(self) -> None:
        self._pass: Pass | None = None
        self._pipeline: GLPipeline | None = None
        self._state_calls: tuple[Call, ...] = ()
        self._sets: dict[int, GLBindingSet] = {}
        self._unbound: set[int] = set()
        self._vertices: tuple[int, int] | None = None
        self._indices: tuple[int, int] | None = None
        self._input_changed = False

    def play(self, lists: Sequence[OpList]) -> None:
        """Issue the calls of a command buffer."""
        self._reset()
        for each in lists:
            for function, arguments in each.ops:
                function(*arguments)

    # passes ---------------------------------------------------------------------------------------------------------

    def begin_pass(self, begun: Pass) -> None:
        """Bind the framebuffer and clear attachments; viewport and scissor cover the pass."""
        api, (width, height) = self._api, begun.extent
        self._pass = begun
        api.glBindFramebuffer(gl.DRAW_FRAMEBUFFER, begun.framebuffer)
        api.glViewportIndexedf(0, 0.0, 0.0, width, height)
        api.glScissor(0, 0, width, height)
        if begun.discarded:
            api.glInvalidateNamedFramebufferData(begun.framebuffer, len(begun.discarded), begun.discarded_array)
        if begun.clears:
            # Clears respect masks, which a later pipeline sets.
            self._pipeline, self._state_calls = None, ()
            api.glColorMask(1, 1, 1, 1)
            api.glDepthMask(1)
            for clear in begun.clears:
                getattr(api, clear.call)(begun.framebuffer, clear.buffer, clear.number, clear.value)

    def end_pass(self) -> None:
        """Resolve multisampled colours."""
        begun, self._pass = self._pass, None
        assert begun is not None
        width, height = begun.extent
        if begun.resolves:
            self._api.glScissor(0, 0, width, height)
        for resolve in begun.resolves:
            corners = 0, 0, width, height
            blit = self._api.glBlitNamedFramebuffer
            blit(resolve.source, resolve.target, *corners, *corners, gl.COLOR_BUFFER_BIT, gl.NEAREST)

    # state ----------------------------------------------------------------------------------------------------------

    def bind_pipeline(self, pipeline: GLPipeline) -> None:
        """Set the program, and the fixed-function state if it is another one."""
        if pipeline is self._pipeline:
            return
        self._pipeline = pipeline
        for function, arguments in pipeline.calls:
            function(*arguments)
        if pipeline.state_calls and pipeline.state_calls != self._state_calls:
            self._state_calls = pipeline.state_calls
            for function, arguments in pipeline.state_calls:
                function(*arguments)
        # Units and vertex input are the pipeline's own.
        self._unbound.update(self._sets)
        self._input_changed = True

    def bind_set(self, number: int, bindings: GLBindingSet) -> None:
        """Use the bindings from the next draw or dispatch on."""
        self._sets[number] = bindings
        self._unbound.add(number)

    def push(self, pipeline: GLPipeline, data: PushData, offset: int) -> None:
        """Bind the bytes of push constants as the pipeline's block."""
        block = pipeline.units.push
        assert block is not None
        target = gl.UNIFORM_BUFFER if block.uniform else gl.SHADER_STORAGE_BUFFER
        self._api.glBindBufferRange(target, block.point, data.handle, offset, data.bytes_of(block.size))

    def bind_vertices(self, buffer: int, offset: int) -> None:
        """Use a buffer as vertex buffer 0."""
        self._vertices = buffer, offset
        self._input_changed = True

    def bind_indices(self, buffer: int, offset: int) -> None:
        """Use a buffer as 32-bit indices."""
        self._indices = buffer, offset
        self._input_changed = True

    def _ready(self) -> GLPipeline:
        """The pipeline, with its sets bound."""
        pipeline = self._pipeline
        if pipeline is None:
            raise BackendError("a draw or dispatch without a pipeline", hint="bind one first")
        if self._unbound:
            for number in self._unbound:
                for function, arguments in self._sets[number].calls(pipeline.units):
                    function(*arguments)
            self._unbound.clear()
        return pipeline

    def _ready_to_draw(self) -> GLPipeline:
        """The pipeline, with its sets and vertex input bound."""
        pipeline = self._ready()
        if self._input_changed:
            self._input_changed = False
            if self._vertices is not None:
                buffer, offset = self._vertices
                self._api.glVertexArrayVertexBuffer(pipeline.vertex_array, 0, buffer, offset, pipeline.stride)
            if self._indices is not None:
                self._api.glVertexArrayElementBuffer(pipeline.vertex_array, self._indices[0])
        return pipeline

    def _first_index_byte(self) -> int:
        if self._indices is None:
            raise BackendError("an indexed draw without indices", hint="bind an index buffer first")
        return self._indices[1]

    # work -----------------------------------------------------------------------------------------------------------

    def draw(self, vertices: int, instances: int, first_vertex: int, first_instance: int) -> None:
        """Draw without indices."""
        mode = self._ready_to_draw().mode
        self._api.glDrawArraysInstancedBaseInstance(mode, first_vertex, vertices, instances, first_instance)

    def draw_indexed(
        self, indices: int, instances: int, first_index: int, vertex_offset: int, first_instance: int
    ) -> None:
        """Draw with indices."""
        mode = self._ready_to_draw().mode
        start = ffi.cast("void*", self._first_index_byte() + first_index * _INDEX_BYTES)
        draw = self._api.glDrawElementsInstancedBaseVertexBaseInstance
        draw(mode, indices, gl.UNSIGNED_INT, start, instances, vertex_offset, first_instance)

    def draw_indirect(self, buffer: int, offset: int, draws: int, counts: tuple[int, int] | None) -> None:
        """Draw with indices by commands in a buffer; ``counts`` is the buffer and byte of their number."""
        api, mode = self._api, self._ready_to_draw().mode
        api.glBindBuffer(gl.DRAW_INDIRECT_BUFFER, buffer)
        start = ffi.cast("void*", offset)
        if self._device.single_draws:
            for number in range(draws):
                start = ffi.cast("void*", offset + number * INDIRECT_BYTES)
                api.glMultiDrawElementsIndirect(mode, gl.UNSIGNED_INT, start, 1, INDIRECT_BYTES)
            return
        if counts is None:
            api.glMultiDrawElementsIndirect(mode, gl.UNSIGNED_INT, start, draws, INDIRECT_BYTES)
            return
        api.glBindBuffer(gl.PARAMETER_BUFFER, counts[0])
        api.glMultiDrawElementsIndirectCountARB(mode, gl.UNSIGNED_INT, start, counts[1], draws, INDIRECT_BYTES)

    def dispatch(self, x: int, y: int, z: int) -> None:
        """Run workgroups."""
        self._ready()
        self._api.glDispatchCompute(x, y, z)
