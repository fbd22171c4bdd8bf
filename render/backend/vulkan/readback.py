"""Copies of textures and buffers back to the host."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from renderwright.render.backend.texels import texel_layout
from renderwright.render.backend.vulkan.api import CData
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.barriers import dependency, image_barrier, memory_barrier
from renderwright.render.backend.vulkan.buffers import VulkanBuffer
from renderwright.render.backend.vulkan.device import Device
from renderwright.render.backend.vulkan.textures import Presents, VulkanTexture, view_aspect
from renderwright.render.backend.vulkan.transfers import Transfers
from renderwright.render.errors import BackendError
from renderwright.render.sync.flags import Access, Layout, Stage

_EVERYTHING = (Stage.ALL_COMMANDS, Access.MEMORY_READ | Access.MEMORY_WRITE)
_WRITTEN = (Stage.ALL_COMMANDS, Access.MEMORY_WRITE)
_COPY_READ = (Stage.COPY, Access.TRANSFER_READ)
_COPY_WRITE = (Stage.COPY, Access.TRANSFER_WRITE)
_HOST_READ = (Stage.HOST, Access.HOST_READ)


def read_texture(device: Device, transfers: Transfers, texture: VulkanTexture, layout: Layout) -> NDArray[np.generic]:
    """Mip 0 of a texture that is in ``layout``, and is left in it; (height, width, channels)."""
    if texture.presents is Presents.SWAPCHAIN:
        raise BackendError("a window's image cannot be read back", hint="render to an offscreen target instead")
    if texture.info.samples > 1:
        raise BackendError(f"{texture.name!r} is multisampled and cannot be read back", hint="resolve it first")
    if texture.info.transient and device.memory.lazy:
        raise BackendError(f"{texture.name!r} lives within a render pass and cannot be read back", hint="sample it")
    if layout is Layout.UNDEFINED:
        raise BackendError(f"{texture.name!r} cannot be read back: nothing has been written to it")
    kept = Layout.TRANSFER_SRC if layout is Layout.PRESENT_SRC else layout
    texels = texel_layout(texture.info.format)

    def record(target: CData, staging: CData) -> None:
        arena = Arena()
        vk = device.dispatch
        before = image_barrier(
            arena, texture.image, texture.info, (*_WRITTEN, kept), (*_COPY_READ, Layout.TRANSFER_SRC)
        )
        vk.vkCmdPipelineBarrier2(target, dependency(arena, [before]))
        region = arena.new(
            "VkBufferImageCopy",
            imageSubresource={"aspectMask": view_aspect(texture.info), "layerCount": texture.info.layers},
            imageExtent={"width": texture.info.extent[0], "height": texture.info.extent[1], "depth": 1},
        )
        vk.vkCmdCopyImageToBuffer(target, texture.image, int(Layout.TRANSFER_SRC), staging, 1, region)
        after = image_barrier(
            arena, texture.image, texture.info, (*_COPY_READ, Layout.TRANSFER_SRC), (*_EVERYTHING, kept)
        )
        vk.vkCmdPipelineBarrier2(
            target, dependency(arena, [after], memory=[memory_barrier(arena, _COPY_WRITE, _HOST_READ)])
        )

    flat = np.frombuffer(_run(transfers, texels.bytes(texture.info), record), texels.dtype)
    return flat.reshape(texels.shape(texture.info))


def read_buffer(device: Device, transfers: Transfers, buffer: VulkanBuffer) -> bytes:
    """All bytes of a buffer."""

    def record(target: CData, staging: CData) -> None:
        arena = Arena()
        vk = device.dispatch
        vk.vkCmdPipelineBarrier2(target, dependency(arena, memory=[memory_barrier(arena, _WRITTEN, _COPY_READ)]))
        region = arena.new("VkBufferCopy", size=buffer.info.size)
        vk.vkCmdCopyBuffer(target, buffer.handle, staging, 1, region)
        # Later work may overwrite the buffer, so it has to come after the copy.
        after = [memory_barrier(arena, _COPY_READ, _EVERYTHING), memory_barrier(arena, _COPY_WRITE, _HOST_READ)]
        vk.vkCmdPipelineBarrier2(target, dependency(arena, memory=after))

    return _run(transfers, buffer.info.size, record)


def _run(transfers: Transfers, size: int, record: Callable[[CData, CData], None]) -> bytes:
    with transfers.staging(size, "read-back") as staging:
        transfers.run(lambda target: record(target, staging.handle))
        assert staging.data is not None
        return bytes(staging.data)
