"""Turns commands into prepared calls for one queue and frame slot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from renderwright.render.backend.command_buffers import OpList
from renderwright.render.backend.own_objects import own
from renderwright.render.backend.protocol import (
    COPIED,
    INDIRECT_BYTES,
    AttachedTexture,
    BindingSet,
    BoundBarrier,
    Pipeline,
)
from renderwright.render.backend.push_constants import require_fitting
from renderwright.render.backend.shader_limits import require_groups
from renderwright.render.backend.vulkan.api import NULL, CData, ffi, lib
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.barriers import dependency, memory_barrier, planned_dependency
from renderwright.render.backend.vulkan.buffers import VulkanBuffer
from renderwright.render.backend.vulkan.constants import WHOLE_SIZE
from renderwright.render.backend.vulkan.descriptors import VulkanBindingSet
from renderwright.render.backend.vulkan.device import Device
from renderwright.render.backend.vulkan.frames import FrameSlot
from renderwright.render.backend.vulkan.pipelines import VulkanPipeline
from renderwright.render.backend.vulkan.rendering import clear_color, rendering_info
from renderwright.render.backend.vulkan.textures import VulkanTexture, view_aspect, whole_aspect
from renderwright.render.formats import Aspect, format_named
from renderwright.render.sync.barriers import MemoryBarrier
from renderwright.render.sync.flags import Access, Layout, Stage
from renderwright.render.types.parts import WHOLE, Part, clipped
from renderwright.render.types.physical import PhysicalBuffer, PhysicalTexture, TextureInfo, mip_extent
from renderwright.render.types.resources import ClearValue, Extent


class VulkanRecorder:
    """Prepares calls, whose first argument is the command buffer. All structs are built here, none when lists are
    recorded."""

    def __init__(self, device: Device, slot: FrameSlot, queue: str, *, timed: bool = True) -> None:
        self._device = device
        self._vk = device.dispatch
        self._labels = device.labels
        self._queue = queue
        self._timestamp_bits = device.timestamp_bits(queue) if timed else 0
        self._slot = slot
        self._arena = Arena()
        self._ops: list[tuple[Any, tuple[Any, ...]]] = []
        self._once = False

    def take(self) -> OpList:
        """The calls recorded since the last take."""
        taken = OpList(self._ops, [self._arena] if self._arena.used else [], self._once)
        self._arena = Arena() if self._arena.used else self._arena
        self._ops, self._once = [], False
        return taken

    def barriers(self, barriers: Sequence[BoundBarrier | MemoryBarrier]) -> None:
        """Issue the barriers as one batch."""
        info = self._dependency(barriers)
        if info.memoryBarrierCount or info.bufferMemoryBarrierCount or info.imageMemoryBarrierCount:
            self._add(self._vk.vkCmdPipelineBarrier2, info)

    def set_event(self, number: int, barriers: Sequence[BoundBarrier | MemoryBarrier]) -> None:
        """Set the slot's event: the first half of the barriers."""
        self._once |= self._slot.events.renews
        self._add(*self._slot.events.set_call(number, self._dependency(barriers)))

    def wait_event(self, number: int, barriers: Sequence[BoundBarrier | MemoryBarrier]) -> None:
        """Wait for the slot's event: the second half of the same barriers."""
        self._once |= self._slot.events.renews
        self._add(*self._slot.events.wait_call(number, self._dependency(barriers), self._arena))

    def full_barrier(self) -> None:
        """Make everything earlier visible to everything later."""
        scope = (Stage.ALL_COMMANDS, Access.MEMORY_READ | Access.MEMORY_WRITE)
        everything = memory_barrier(self._arena, (Stage.ALL_COMMANDS, Access.MEMORY_WRITE), scope)
        self._add(self._vk.vkCmdPipelineBarrier2, dependency(self._arena, memory=[everything]))

    def begin_pass(self, attachments: Sequence[AttachedTexture], extent: Extent, views: int = 1) -> None:
        """Begin rendering of ``views`` views by multiview; viewport and scissor cover ``extent``."""
        self._add(self._vk.vkCmdBeginRendering, rendering_info(self._arena, attachments, extent, views))
        self._note(self._slot.marks.begin_pass)
        self.viewport(0.0, 0.0, float(extent[0]), float(extent[1]))
        self.scissor(0, 0, extent[0], extent[1])

    def end_pass(self) -> None:
        """End rendering."""
        self._add(self._vk.vkCmdEndRendering)
        self._note(self._slot.marks.end_pass)

    def begin_label(self, name: str) -> None:
        """Open a named region for capture tools."""
        if self._labels:
            self._add(self._vk.vkCmdBeginDebugUtilsLabelEXT, self._arena.new("VkDebugUtilsLabelEXT", pLabelName=name))

    def end_label(self) -> None:
        """Close the region."""
        if self._labels:
            self._add(self._vk.vkCmdEndDebugUtilsLabelEXT)

    def timestamp(self, number: int, views: int = 1) -> None:
        """Write the time at which all earlier commands have finished to query ``number``.

        A pass of several ``views`` uses that many consecutive queries. On a queue without timestamps it does nothing.
        """
        if self._timestamp_bits:
            for query in range(number, number + views):
                self._slot.queries.use(query, self._timestamp_bits)
            self._add(self._vk.vkCmdWriteTimestamp2, int(Stage.ALL_COMMANDS), self._slot.queries.pool, number)
            self._note(self._slot.marks.timestamp, number)

    def viewport(self, x: float, y: float, width: float, height: float) -> None:
        """Set the viewport, in texels from the top left corner; clip-space Y points up in it."""
        flipped = {"x": x, "y": y + height, "width": width, "height": -height, "maxDepth": 1.0}
        self._add(self._vk.vkCmdSetViewport, 0, 1, self._arena.new("VkViewport", **flipped))

    def scissor(self, x: int, y: int, width: int, height: int) -> None:
        """Set the scissor rectangle, in texels from the top left corner."""
        rectangle = self._arena.new("VkRect2D", offset={"x": x, "y": y}, extent={"width": width, "height": height})
        self._add(self._vk.vkCmdSetScissor, 0, 1, rectangle)

    def bind_pipeline(self, pipeline: Pipeline) -> None:
        """Use the pipeline."""
        ours = own(pipeline, VulkanPipeline, "pipeline")
        self._ops.append((self._vk.vkCmdBindPipeline, (ours.bind_point, ours.handle)))

    def bind_set(self, pipeline: Pipeline, number: int, bindings: BindingSet) -> None:
        """Use the bindings as descriptor set ``number``."""
        ours = own(pipeline, VulkanPipeline, "pipeline")
        given = own(bindings, VulkanBindingSet, "binding set")
        given.require_fitting(ours, number)
        arguments = ours.bind_point, ours.layout.handle, number, 1, given.array, 0, NULL
        self._ops.append((self._vk.vkCmdBindDescriptorSets, arguments))

    def push(self, pipeline: Pipeline, data: bytes) -> None:
        """Set the push constants, from offset 0."""
        layout = own(pipeline, VulkanPipeline, "pipeline").layout
        require_fitting(pipeline.desc.name, data, layout.push_size)
        arguments = layout.handle, layout.push_stages, 0, len(data), ffi.from_buffer(bytes(data))
        self._ops.append((self._vk.vkCmdPushConstants, arguments))

    def bind_vertices(self, buffer: PhysicalBuffer, offset: int = 0) -> None:
        """Use the buffer as vertex buffer 0."""
        buffers = self._arena.array("VkBuffer", [_handle(buffer)])
        self._add(self._vk.vkCmdBindVertexBuffers, 0, 1, buffers, self._arena.array("VkDeviceSize", [offset]))

    def bind_indices(self, buffer: PhysicalBuffer, offset: int = 0) -> None:
        """Use the buffer as 32-bit indices."""
        self._add(self._vk.vkCmdBindIndexBuffer, _handle(buffer), offset, lib.VK_INDEX_TYPE_UINT32)

    def draw(self, vertices: int, instances: int = 1, first_vertex: int = 0, first_instance: int = 0) -> None:
        """Draw without indices."""
        self._ops.append((self._vk.vkCmdDraw, (vertices, instances, first_vertex, first_instance)))

    def draw_indexed(
        self, indices: int, instances: int = 1, first_index: int = 0, vertex_offset: int = 0, first_instance: int = 0
    ) -> None:
        """Draw with indices."""
        self._add(self._vk.vkCmdDrawIndexed, indices, instances, first_index, vertex_offset, first_instance)

    def draw_indexed_indirect(
        self,
        commands: PhysicalBuffer,
        draws: int,
        offset: int = 0,
        counts: PhysicalBuffer | None = None,
        place: int = 0,
    ) -> None:
        """Draw with indices by commands in a buffer, in as few calls as the device can."""
        most, buffer = self._device.indirect_draws, _handle(commands)
        if counts is not None and self._device.indirect_counts and draws <= most:
            call = self._vk.vkCmdDrawIndexedIndirectCount
            self._add(call, buffer, offset, _handle(counts), place, draws, INDIRECT_BYTES)
            return
        for first in range(0, draws, most):
            start, count = offset + first * INDIRECT_BYTES, min(most, draws - first)
            self._add(self._vk.vkCmdDrawIndexedIndirect, buffer, start, count, INDIRECT_BYTES)

    def dispatch(self, x: int, y: int = 1, z: int = 1) -> None:
        """Run ``x`` x ``y`` x ``z`` workgroups."""
        require_groups(self._device.shader_limits, (x, y, z))
        self._add(self._vk.vkCmdDispatch, x, y, z)

    def clear_texture(self, texture: PhysicalTexture, layout: Layout, value: ClearValue, part: Part = WHOLE) -> None:
        """Fill every texel of a part of the texture, which is in ``layout`` (GENERAL or TRANSFER_DST)."""
        image = own(texture, VulkanTexture, "texture").image
        info, arena = texture.info, self._arena
        mip, mips = part.mips or (0, info.mips)
        layer, layers = part.layers or (0, info.layers)
        texels = arena.new(
            "VkImageSubresourceRange",
            aspectMask=whole_aspect(info),
            baseMipLevel=mip,
            levelCount=mips,
            baseArrayLayer=layer,
            layerCount=layers,
        )
        if format_named(info.format).aspect is Aspect.COLOR:
            color = arena.new("VkClearColorValue", **clear_color(info.format, value))
            self._add(self._vk.vkCmdClearColorImage, image, int(layout), color, 1, texels)
        else:
            depth = arena.new("VkClearDepthStencilValue", depth=value[0])
            self._add(self._vk.vkCmdClearDepthStencilImage, image, int(layout), depth, 1, texels)

    def copy_texture(
        self,
        source: PhysicalTexture,
        target: PhysicalTexture,
        parts: Sequence[Part] = (WHOLE,),
        layouts: tuple[Layout, Layout] = COPIED,
    ) -> None:
        """Copy the texels of some parts between equal textures, which are in these ``layouts``."""
        one, other = own(source, VulkanTexture, "source"), own(target, VulkanTexture, "target")
        regions = [region for part in parts for region in _copied(part, source.info)]
        if not regions:
            return
        self._add(
            self._vk.vkCmdCopyImage,
            one.image,
            int(layouts[0]),
            other.image,
            int(layouts[1]),
            len(regions),
            self._arena.array("VkImageCopy", regions),
        )

    def copy_texels(
        self, source: PhysicalTexture, layout: Layout, mip: int, layer: int, target: PhysicalBuffer
    ) -> None:
        """Copy one mip of one layer of a texture, which is in ``layout``, to the start of a buffer."""
        image = own(source, VulkanTexture, "source").image
        width, height = mip_extent(source.info.extent, Part((mip, 1)))
        region = self._arena.new(
            "VkBufferImageCopy",
            imageSubresource={
                "aspectMask": view_aspect(source.info),
                "mipLevel": mip,
                "baseArrayLayer": layer,
                "layerCount": 1,
            },
            imageExtent={"width": width, "height": height, "depth": 1},
        )
        self._add(self._vk.vkCmdCopyImageToBuffer, image, int(layout), _handle(target), 1, region)

    def fill_buffer(self, buffer: PhysicalBuffer, word: int = 0, start: int = 0, size: int = 0) -> None:
        """Fill ``size`` bytes (0: to the end) from ``start`` on with a 32-bit word; both in multiples of 4."""
        self._add(self._vk.vkCmdFillBuffer, _handle(buffer), start, size or WHOLE_SIZE, word)

    def copy_buffer(self, source: PhysicalBuffer, target: PhysicalBuffer, size: int = 0) -> None:
        """Copy ``size`` bytes from the start (0: as many as both buffers have)."""
        region = self._arena.new("VkBufferCopy", size=size or min(source.info.size, target.info.size))
        self._add(self._vk.vkCmdCopyBuffer, _handle(source), _handle(target), 1, region)

    def _dependency(self, barriers: Sequence[BoundBarrier | MemoryBarrier]) -> CData:
        return planned_dependency(self._arena, barriers, self._queue, self._device)

    def _note(self, function: Any, *arguments: Any) -> None:
        if self._slot.marks.written and self._timestamp_bits:
            self._add(function, *arguments)

    def _add(self, function: Any, *arguments: Any) -> None:
        self._ops.append((function, arguments))


def _handle(buffer: PhysicalBuffer) -> CData:
    return own(buffer, VulkanBuffer, "buffer").handle


def _copied(part: Part, info: TextureInfo) -> Iterator[dict[str, Any]]:
    """A VkImageCopy for each mip of a part that the texture has."""
    first, count = clipped(part.mips, info.mips) or (0, info.mips)
    layer, layers = part.layers or (0, info.layers)
    for mip in range(first, first + count):
        texels = {"aspectMask": view_aspect(info), "mipLevel": mip, "baseArrayLayer": layer, "layerCount": layers}
        extent = {"width": max(1, info.extent[0] >> mip), "height": max(1, info.extent[1] >> mip), "depth": 1}
        yield {"srcSubresource": texels, "dstSubresource": texels, "extent": extent}
