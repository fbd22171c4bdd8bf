"""Turns commands into prepared calls for a frame slot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from renderwright.render.backend.command_buffers import OpList
from renderwright.render.backend.opengl import enums as gl
from renderwright.render.backend.opengl.api import ffi
from renderwright.render.backend.opengl.barriers import barrier_bits
from renderwright.render.backend.opengl.bindings import GLBindingSet
from renderwright.render.backend.opengl.buffers import GLBuffer
from renderwright.render.backend.opengl.clears import texel_of_word, texel_value
from renderwright.render.backend.opengl.commands import Commands
from renderwright.render.backend.opengl.device import Device
from renderwright.render.backend.opengl.formats import TOP_24_BITS
from renderwright.render.backend.opengl.framebuffers import Framebuffers
from renderwright.render.backend.opengl.heaps import TextureRow
from renderwright.render.backend.opengl.passes import pass_of
from renderwright.render.backend.opengl.pipelines import GLPipeline
from renderwright.render.backend.opengl.pushes import PushData
from renderwright.render.backend.opengl.queries import SlotQueries
from renderwright.render.backend.opengl.readback import texel_copy
from renderwright.render.backend.opengl.textures import GLTexture, Storage
from renderwright.render.backend.own_objects import own
from renderwright.render.backend.protocol import (
    COPIED,
    AttachedTexture,
    BindingSet,
    BoundBarrier,
    Pipeline,
)
from renderwright.render.backend.push_constants import require_fitting
from renderwright.render.backend.shader_limits import require_groups
from renderwright.render.errors import BackendError
from renderwright.render.formats import format_named
from renderwright.render.sync.barriers import MemoryBarrier
from renderwright.render.sync.flags import Layout
from renderwright.render.types.parts import WHOLE, Part, clipped
from renderwright.render.types.physical import PhysicalBuffer, PhysicalTexture, mip_extent
from renderwright.render.types.resources import ClearValue, Extent


class GLRecorder:
    """Prepares calls of the context and of its ``commands``. ``queries`` is None where times are not taken."""

    def __init__(
        self,
        device: Device,
        commands: Commands,
        framebuffers: Framebuffers,
        queries: SlotQueries | None,
        discard: Callable[[int], None],
    ) -> None:
        self._device = device
        self._api = device.api
        self._commands = commands
        self._framebuffers = framebuffers
        self._queries = queries
        self._discard = discard
        self._list = OpList()
        self._pushes = PushData(device, discard)
        self._pushed = b""
        self._first_index_byte = 0

    def take(self) -> OpList:
        """The calls recorded since the last take."""
        taken, self._list = self._list, OpList()
        if self._pushes:
            self._pushes.store()
            taken.keep.append(self._pushes)
            self._pushes = PushData(self._device, self._discard)
        return taken

    def barriers(self, barriers: Sequence[BoundBarrier | MemoryBarrier]) -> None:
        """Issue those barriers that the driver does not order itself."""
        bits = barrier_bits(barriers)
        if bits:
            self._add(self._api.glMemoryBarrier, bits)

    def set_event(self, number: int, barriers: Sequence[BoundBarrier | MemoryBarrier]) -> None:
        """Do nothing: OpenGL has no events, so the whole barrier comes with ``wait_event``."""

    def wait_event(self, number: int, barriers: Sequence[BoundBarrier | MemoryBarrier]) -> None:
        """Issue the barriers."""
        self.barriers(barriers)

    def full_barrier(self) -> None:
        """Make everything earlier visible to everything later."""
        self._add(self._api.glMemoryBarrier, gl.ALL_BARRIERS)

    def begin_pass(self, attachments: Sequence[AttachedTexture], extent: Extent, views: int = 1) -> None:
        """Begin rendering; viewport and scissor cover ``extent``."""
        if views > 1:
            raise BackendError(f"a pass of {views} views at once, and OpenGL draws 1", hint="see Capabilities.views")
        self._add(self._commands.begin_pass, pass_of(self._framebuffers, attachments, extent))

    def end_pass(self) -> None:
        """End rendering."""
        self._add(self._commands.end_pass)

    def begin_label(self, name: str) -> None:
        """Open a named region for capture tools."""
        text = name.encode()
        if self._device.labels:
            self._add(self._api.glPushDebugGroup, gl.DEBUG_SOURCE_APPLICATION, 0, len(text), text)

    def end_label(self) -> None:
        """Close the region."""
        if self._device.labels:
            self._add(self._api.glPopDebugGroup)

    def timestamp(self, number: int, views: int = 1) -> None:
        """Write the time at which all earlier commands have finished to query ``number``."""
        if self._queries is not None:
            self._add(self._queries.write, self._queries.use(number))

    def viewport(self, x: float, y: float, width: float, height: float) -> None:
        """Set the viewport, in texels from the top left corner."""
        self._add(self._api.glViewportIndexedf, 0, x, y, width, height)

    def scissor(self, x: int, y: int, width: int, height: int) -> None:
        """Set the scissor rectangle."""
        self._add(self._api.glScissor, x, y, width, height)

    def bind_pipeline(self, pipeline: Pipeline) -> None:
        """Use the pipeline."""
        ours = own(pipeline, GLPipeline, "pipeline")
        ours.link()
        self._add(self._commands.bind_pipeline, ours)

    def bind_set(self, pipeline: Pipeline, number: int, bindings: BindingSet) -> None:
        """Use the bindings as descriptor set ``number``."""
        given = own(bindings, GLBindingSet, "binding set")
        given.require_fitting(own(pipeline, GLPipeline, "pipeline"), number)
        self._add(self._commands.bind_set, number, given)

    def push(self, pipeline: Pipeline, data: bytes) -> None:
        """Set the push constants, from offset 0; further bytes keep what was pushed before."""
        ours = own(pipeline, GLPipeline, "pipeline")
        size = ours.units.push.size if ours.units.push is not None else 0
        require_fitting(pipeline.desc.name, data, size)
        self._pushed = bytes(data) + self._pushed[len(data) :]
        offset = self._pushes.add(self._pushed[:size], size)
        self._add(self._commands.push, ours, self._pushes, offset)

    def bind_vertices(self, buffer: PhysicalBuffer, offset: int = 0) -> None:
        """Use the buffer as vertex buffer 0."""
        ours = _own(buffer)
        self._add(self._commands.bind_vertices, ours.handle, ours.start + offset)

    def bind_indices(self, buffer: PhysicalBuffer, offset: int = 0) -> None:
        """Use the buffer as 32-bit indices."""
        ours = _own(buffer)
        self._first_index_byte = ours.start + offset
        self._add(self._commands.bind_indices, ours.handle, self._first_index_byte)

    def draw(self, vertices: int, instances: int = 1, first_vertex: int = 0, first_instance: int = 0) -> None:
        """Draw without indices."""
        self._add(self._commands.draw, vertices, instances, first_vertex, first_instance)

    def draw_indexed(
        self, indices: int, instances: int = 1, first_index: int = 0, vertex_offset: int = 0, first_instance: int = 0
    ) -> None:
        """Draw with indices."""
        self._add(self._commands.draw_indexed, indices, instances, first_index, vertex_offset, first_instance)

    def draw_indexed_indirect(
        self,
        commands: PhysicalBuffer,
        draws: int,
        offset: int = 0,
        counts: PhysicalBuffer | None = None,
        place: int = 0,
    ) -> None:
        """Draw with indices by commands in a buffer."""
        if self._first_index_byte:
            raise BackendError(
                "OpenGL's indirect draws read indices from the start of their buffer",
                hint="bind the index buffer at offset 0, and add the offset to the first index of each command",
            )
        ours = _own(commands)
        counted = None
        if counts is not None and self._device.counted_draws:
            counted = _own(counts).handle, _own(counts).start + place
        self._add(self._commands.draw_indirect, ours.handle, ours.start + offset, draws, counted)

    def dispatch(self, x: int, y: int = 1, z: int = 1) -> None:
        """Run ``x`` x ``y`` x ``z`` workgroups."""
        require_groups(self._device.shader_limits, (x, y, z))
        self._add(self._commands.dispatch, x, y, z)

    def clear_texture(self, texture: PhysicalTexture, layout: Layout, value: ClearValue, part: Part = WHOLE) -> None:
        """Fill every texel of a part of the texture."""
        handle, info = own(texture, GLTexture, "texture").handle, texture.info
        first, count = part.mips or (0, info.mips)
        layer, layers = part.layers or (0, info.layers)
        texel = texel_value(info.format, value)
        for mip in range(first, first + count):
            width, height = mip_extent(info.extent, Part((mip, 1)))
            where = mip, 0, 0, layer, width, height, layers
            self._add(self._api.glClearTexSubImage, handle, *where, texel.format, texel.type, texel.data)

    def copy_texture(
        self,
        source: PhysicalTexture,
        target: PhysicalTexture,
        parts: Sequence[Part] = (WHOLE,),
        layouts: tuple[Layout, Layout] = COPIED,
    ) -> None:
        """Copy the texels of some parts between equal textures."""
        one, other = own(source, GLTexture, "source"), own(target, GLTexture, "target")
        info = source.info
        for part in parts:
            first, count = clipped(part.mips, info.mips) or (0, info.mips)
            layer, layers = part.layers or (0, info.layers)
            for mip in range(first, first + count):
                start, (width, height) = (mip, 0, 0, layer), mip_extent(info.extent, Part((mip, 1)))
                ends = (
                    *(one.handle, one.storage.target, *start),
                    *(other.handle, other.storage.target, *start),
                )
                self._add(self._api.glCopyImageSubData, *ends, width, height, layers)

    def copy_texels(
        self, source: PhysicalTexture, layout: Layout, mip: int, layer: int, target: PhysicalBuffer
    ) -> None:
        """Copy one mip of one layer of a texture to the start of a buffer, row by row without gaps.

        Raises ``BackendError`` for 24 bits of depth, whose words are laid out in another way.
        """
        texture = own(source, GLTexture, "source")
        if format_named(source.info.format).name == TOP_24_BITS:
            raise BackendError(f"{source.name!r} cannot be copied to a buffer", hint="use d32_sfloat")
        copy = texel_copy(texture, mip, layer)
        ours = _own(target)
        self._add(self._api.glBindBuffer, gl.PIXEL_PACK_BUFFER, ours.handle)
        start = ffi.cast("void*", ours.start)
        self._add(self._api.glGetTextureSubImage, *copy.arguments, ours.info.size, start)
        self._add(self._api.glBindBuffer, gl.PIXEL_PACK_BUFFER, 0)

    def fill_buffer(self, buffer: PhysicalBuffer, word: int = 0, start: int = 0, size: int = 0) -> None:
        """Fill ``size`` bytes (0: to the end) from ``start`` on with a 32-bit word; both in multiples of 4."""
        if isinstance(buffer, TextureRow):
            self._fill_textures(buffer.within(start, start + size if size else buffer.info.size), word)
            return
        ours = _own(buffer)
        # A buffer's last bytes that are no word stay as they are.
        count = size or (ours.info.size - start) // 4 * 4
        kind = gl.R32UI, ours.start + start, count, gl.RED_INTEGER, gl.UNSIGNED_INT
        self._add(self._api.glClearNamedBufferSubData, ours.handle, *kind, ffi.new("GLuint*", word))

    def _fill_textures(self, textures: Sequence[Storage], word: int) -> None:
        for texture in textures:
            texel = texel_of_word(texture.kind.format, word)
            for mip in range(texture.kind.mips):
                self._add(self._api.glClearTexImage, texture.handle, mip, texel.format, texel.type, texel.data)

    def copy_buffer(self, source: PhysicalBuffer, target: PhysicalBuffer, size: int = 0) -> None:
        """Copy ``size`` bytes from the start (0: as many as both buffers have)."""
        one, other = _own(source), _own(target)
        count = size or min(one.info.size, other.info.size)
        self._add(self._api.glCopyNamedBufferSubData, one.handle, other.handle, one.start, other.start, count)

    def _add(self, function: Any, *arguments: Any) -> None:
        self._list.ops.append((function, arguments))


def _own(buffer: PhysicalBuffer) -> GLBuffer:
    return own(buffer, GLBuffer, "buffer")
