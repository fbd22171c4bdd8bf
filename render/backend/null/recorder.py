"""Prepares the calls of a command buffer and checks the arguments that do not depend on state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from renderwright.render.backend.command_buffers import OpList
from renderwright.render.backend.null.commands import BarrierPairs, NullCommands
from renderwright.render.backend.null.resources import (
    NullBindingSet,
    NullBuffer,
    NullObject,
    NullPipeline,
    NullTexture,
    null_object,
)
from renderwright.render.backend.protocol import (
    COPIED,
    INDIRECT_BYTES,
    AttachedTexture,
    BindingSet,
    BoundBarrier,
    Pipeline,
)
from renderwright.render.errors import BackendError
from renderwright.render.formats import format_named
from renderwright.render.sync.barriers import MemoryBarrier
from renderwright.render.sync.flags import Layout
from renderwright.render.sync.scopes import scope_of
from renderwright.render.types.parts import WHOLE, Part, wrong_part
from renderwright.render.types.physical import PhysicalBuffer, PhysicalTexture, mip_extent
from renderwright.render.types.resources import ClearValue, Extent
from renderwright.render.types.usages import ShaderStage


def _with_objects(barriers: Sequence[BoundBarrier | MemoryBarrier]) -> BarrierPairs:
    return tuple(
        (bound, None)
        if isinstance(bound, MemoryBarrier)
        else (bound.barrier, null_object(bound.physical, NullObject, "wait at a barrier"))
        for bound in barriers
    )


class NullRecorder:
    """The recorder of a queue in a frame slot; the prepared calls are methods of its ``NullCommands``."""

    def __init__(self, commands: NullCommands) -> None:
        self._commands = commands
        self._list = OpList()

    def take(self) -> OpList:
        """The calls recorded since the last take."""
        taken, self._list = self._list, OpList()
        return taken

    def _add(self, function: Callable[..., None], *arguments: Any) -> None:
        self._list.ops.append((function, arguments))

    def barriers(self, barriers: Sequence[BoundBarrier | MemoryBarrier]) -> None:
        """Issue the barriers as one batch."""
        if barriers:
            self._add(self._commands.barriers, _with_objects(barriers))

    def set_event(self, number: int, barriers: Sequence[BoundBarrier | MemoryBarrier]) -> None:
        """Set the event: the first half of the barriers."""
        self._add(self._commands.set_event, number, _with_objects(barriers))

    def wait_event(self, number: int, barriers: Sequence[BoundBarrier | MemoryBarrier]) -> None:
        """Wait for the event: the second half of the same barriers."""
        self._add(self._commands.wait_event, number, _with_objects(barriers))

    def full_barrier(self) -> None:
        """Make everything earlier visible to everything later."""
        self._add(self._commands.full_barrier)

    def begin_pass(self, attachments: Sequence[AttachedTexture], extent: Extent, views: int = 1) -> None:
        """Begin rendering."""
        if min(extent) < 1:
            raise BackendError(f"a pass over {extent[0]}x{extent[1]} texels covers nothing")
        for attachment, texture, layout in attachments:
            own = scope_of(attachment.usage, (ShaderStage.FRAGMENT,)).layout
            if layout not in (own, Layout.GENERAL):
                raise BackendError(
                    f'"{texture.name}" cannot be rendered to as {attachment.usage} in {layout.name}',
                    hint=f"use {own.name} or GENERAL",
                )
        targets = tuple((a, null_object(texture, NullTexture, "render to it")) for a, texture, _ in attachments)
        self._add(self._commands.begin_pass, targets, extent, views)

    def end_pass(self) -> None:
        """End rendering."""
        self._add(self._commands.end_pass)

    def begin_label(self, name: str) -> None:
        """Open a named region."""
        self._add(self._commands.begin_label, name)

    def end_label(self) -> None:
        """Close the region."""
        self._add(self._commands.end_label)

    def timestamp(self, number: int, views: int = 1) -> None:
        """Write the time to query ``number``, and one query more for each further view."""
        self._add(self._commands.timestamp, number, views)

    def viewport(self, x: float, y: float, width: float, height: float) -> None:
        """Set the viewport."""
        self._add(self._commands.viewport, x, y, width, height)

    def scissor(self, x: int, y: int, width: int, height: int) -> None:
        """Set the scissor rectangle."""
        if x < 0 or y < 0:
            raise BackendError(f"the scissor rectangle starts at {x}, {y}", hint="it cannot start below 0")
        self._add(self._commands.scissor, x, y, width, height)

    def bind_pipeline(self, pipeline: Pipeline) -> None:
        """Use the pipeline."""
        self._add(self._commands.bind_pipeline, null_object(pipeline, NullPipeline, "bind it"))

    def bind_set(self, pipeline: Pipeline, number: int, bindings: BindingSet) -> None:
        """Use the bindings as descriptor set ``number``."""
        own: NullPipeline = null_object(pipeline, NullPipeline, "bind a set")
        given: NullBindingSet = null_object(bindings, NullBindingSet, "bind it")
        if given.number != number or given.pipeline.bindings_of(number) != own.bindings_of(number):
            raise BackendError(
                f"{given} does not fit set {number} of {own}",
                hint=f"it was made for set {given.number} of {given.pipeline}",
            )
        self._add(self._commands.bind_set, own, number, given)

    def push(self, pipeline: Pipeline, data: bytes) -> None:
        """Set the push constants."""
        own: NullPipeline = null_object(pipeline, NullPipeline, "push constants")
        if len(data) > own.push_size:
            raise BackendError(f"{len(data)} bytes of push constants, and {own} takes {own.push_size}")
        self._add(self._commands.push, own, len(data))

    def bind_vertices(self, buffer: PhysicalBuffer, offset: int = 0) -> None:
        """Use the buffer as vertex buffer 0."""
        self._add(self._commands.bind_vertices, _within(buffer, offset, "read vertices"), offset)

    def bind_indices(self, buffer: PhysicalBuffer, offset: int = 0) -> None:
        """Use the buffer as 32-bit indices."""
        self._add(self._commands.bind_indices, _within(buffer, offset, "read indices"), offset)

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
        read = _within(commands, offset + draws * INDIRECT_BYTES - 1, "read draw commands")
        counted = None if counts is None else (_within(counts, place + 3, "read the number of draws"), place)
        self._add(self._commands.draw_indexed_indirect, read, draws, offset, counted)

    def dispatch(self, x: int, y: int = 1, z: int = 1) -> None:
        """Run workgroups."""
        self._add(self._commands.dispatch, x, y, z)

    def clear_texture(self, texture: PhysicalTexture, layout: Layout, value: ClearValue, part: Part = WHOLE) -> None:
        """Fill every texel of a part of the texture."""
        lacks = wrong_part(part, texture.info.mips, texture.info.layers)
        if lacks:
            raise BackendError(f'"{texture.name}" cannot be cleared in that part: it has {lacks}')
        if layout not in (Layout.TRANSFER_DST, Layout.GENERAL):
            raise BackendError(f"a texture cannot be cleared in {layout.name}", hint="use TRANSFER_DST or GENERAL")
        self._add(self._commands.clear_texture, null_object(texture, NullTexture, "clear it"), layout, value, part)

    def copy_texture(
        self,
        source: PhysicalTexture,
        target: PhysicalTexture,
        parts: Sequence[Part] = (WHOLE,),
        layouts: tuple[Layout, Layout] = COPIED,
    ) -> None:
        """Copy the texels of some parts between equal textures."""
        for layout, own in zip(layouts, COPIED, strict=True):
            if layout not in (own, Layout.GENERAL):
                raise BackendError(f"a texture cannot be copied in {layout.name}", hint=f"use {own.name} or GENERAL")
        one: NullTexture = null_object(source, NullTexture, "copy from it")
        other: NullTexture = null_object(target, NullTexture, "copy to it")
        shapes = [(t.info.format, t.info.extent, t.info.mips, t.info.layers, t.info.samples) for t in (one, other)]
        if shapes[0] != shapes[1]:
            raise BackendError(
                f"{one} and {other} differ: {shapes[0]} and {shapes[1]}", hint="copy between equal textures"
            )
        self._add(self._commands.copy_texture, one, other, tuple(parts))

    def copy_texels(
        self, source: PhysicalTexture, layout: Layout, mip: int, layer: int, target: PhysicalBuffer
    ) -> None:
        """Copy one mip of one layer of a texture to the start of a buffer."""
        if layout not in (Layout.TRANSFER_SRC, Layout.GENERAL):
            raise BackendError(f"a texture cannot be copied in {layout.name}", hint="use TRANSFER_SRC or GENERAL")
        lacks = wrong_part(Part((mip, 1), (layer, 1)), source.info.mips, source.info.layers)
        if lacks or source.info.samples > 1:
            raise BackendError(f'"{source.name}" cannot be copied to a buffer: it has {lacks or "several samples"}')
        one: NullTexture = null_object(source, NullTexture, "copy from it")
        other: NullBuffer = null_object(target, NullBuffer, "copy to it")
        width, height = mip_extent(source.info.extent, Part((mip, 1)))
        size = width * height * format_named(source.info.format).texel_bytes
        if size > other.info.size:
            raise BackendError(f"{size} bytes of {one} do not fit in the {other.info.size} bytes of {other}")
        self._add(self._commands.copy_texels, one, mip, layer, other)

    def fill_buffer(self, buffer: PhysicalBuffer, word: int = 0, start: int = 0, size: int = 0) -> None:
        """Fill ``size`` bytes (0: to the end) from ``start`` on with a 32-bit word; both in multiples of 4."""
        one: NullBuffer = null_object(buffer, NullBuffer, "fill it")
        end = start + size if size else one.info.size
        if start % 4 or size % 4 or not 0 <= start < end <= one.info.size:
            raise BackendError(f"cannot fill bytes {start} to {end} of the {one.info.size} bytes of {one}")
        self._add(self._commands.fill_buffer, one, word, start, end)

    def copy_buffer(self, source: PhysicalBuffer, target: PhysicalBuffer, size: int = 0) -> None:
        """Copy bytes from the start."""
        one: NullBuffer = null_object(source, NullBuffer, "copy from it")
        other: NullBuffer = null_object(target, NullBuffer, "copy to it")
        count = size or one.info.size
        if count > min(one.info.size, other.info.size):
            raise BackendError(
                f"{count} bytes are copied from {one} of {one.info.size} bytes to {other} of {other.info.size}"
            )
        self._add(self._commands.copy_buffer, one, other, count)


def _within(buffer: PhysicalBuffer, offset: int, doing: str) -> NullBuffer:
    own: NullBuffer = null_object(buffer, NullBuffer, doing)
    if not 0 <= offset < own.info.size:
        raise BackendError(f"cannot {doing}: byte {offset} lies beyond the {own.info.size} bytes of {own}")
    return own
