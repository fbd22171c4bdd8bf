"""Buffers: how a BufferInfo becomes a VkBuffer."""

from __future__ import annotations

from renderwright.render.backend.resource_limits import require_buffer
from renderwright.render.backend.vulkan.api import NULL, CData, lib
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.device import Device
from renderwright.render.backend.vulkan.errors import check
from renderwright.render.types.physical import BufferInfo
from renderwright.render.types.usages import Usage

_STORAGE = lib.VK_BUFFER_USAGE_STORAGE_BUFFER_BIT
_USAGE_BITS = {
    Usage.UNIFORM: lib.VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT,
    Usage.STORAGE: _STORAGE,
    Usage.STORAGE_READ: _STORAGE,
    Usage.STORAGE_WRITE: _STORAGE,
    Usage.VERTEX: lib.VK_BUFFER_USAGE_VERTEX_BUFFER_BIT,
    Usage.INDEX: lib.VK_BUFFER_USAGE_INDEX_BUFFER_BIT,
    Usage.INDIRECT: lib.VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT,
}
EVERY_USAGE = frozenset(_USAGE_BITS)

# Every buffer can be filled and read back, whatever its declared usages.
_ALWAYS = lib.VK_BUFFER_USAGE_TRANSFER_SRC_BIT | lib.VK_BUFFER_USAGE_TRANSFER_DST_BIT


class VulkanBuffer:
    """A VkBuffer. ``memory`` is null if a heap owns the memory; ``data`` is the mapped bytes of host memory."""

    def __init__(
        self,
        device: Device,
        info: BufferInfo,
        name: str,
        handle: CData,
        *,
        memory: CData = NULL,
        data: memoryview | None = None,
    ) -> None:
        self.info = info
        self.name = name
        self.released = False
        self.handle = handle
        self.data = data
        self._device = device
        self._memory = memory
        device.name(lib.VK_OBJECT_TYPE_BUFFER, handle, name)

    def release(self) -> None:
        """Destroy the buffer, and free its memory if it owns it."""
        self.released = True
        self.data = None
        self._device.dispatch.vkDestroyBuffer(self._device.handle, self.handle, NULL)
        if self._memory != NULL:
            self._device.dispatch.vkFreeMemory(self._device.handle, self._memory, NULL)


def buffer_info(arena: Arena, device: Device, info: BufferInfo) -> CData:
    """The VkBufferCreateInfo of a buffer."""
    bits = _ALWAYS
    for usage in info.usages:
        bits |= _USAGE_BITS.get(usage, 0)
    return arena.new(
        "VkBufferCreateInfo", size=info.size, usage=bits, **device.sharing(arena, concurrent=info.concurrent)
    )


def require_possible(device: Device, info: BufferInfo) -> None:
    """Raise ``BackendError`` for a buffer that is larger than the device allows for its usages."""
    require_buffer(device.physical.name, info, device.buffer_limits, device.most_bytes)


def create_buffer_handle(device: Device, info: BufferInfo, name: str) -> CData:
    """A VkBuffer without memory."""
    arena = Arena()
    buffer = arena.out("VkBuffer")
    check(
        device.dispatch.vkCreateBuffer(device.handle, buffer_info(arena, device, info), NULL, buffer),
        f"create the buffer {name!r}",
    )
    return buffer[0]
