"""Makes textures and buffers, either inside a heap or with memory of their own."""

from __future__ import annotations

from contextlib import ExitStack

from render.backend.vulkan.api import NULL, ffi
from render.backend.vulkan.buffers import VulkanBuffer, create_buffer_handle
from render.backend.vulkan.device import Device
from render.backend.vulkan.errors import check
from render.backend.vulkan.heaps import VulkanHeap, allocate
from render.backend.vulkan.textures import Presents, VulkanTexture, create_image
from render.memory.physical import BufferInfo, TextureInfo


def place_texture(device: Device, heap: VulkanHeap, offset: int, info: TextureInfo, name: str) -> VulkanTexture:
    """A texture at a byte offset of the heap."""
    vk = device.dispatch
    image = create_image(device, info, name, placed=True)
    with ExitStack() as undo:
        undo.callback(vk.vkDestroyImage, device.handle, image, NULL)
        check(vk.vkBindImageMemory(device.handle, image, heap.memory, offset), f"place the texture {name!r}")
        undo.pop_all()
    return VulkanTexture(device, info, name, image)


def place_buffer(device: Device, heap: VulkanHeap, offset: int, info: BufferInfo, name: str) -> VulkanBuffer:
    """A buffer at a byte offset of the heap."""
    vk = device.dispatch
    handle = create_buffer_handle(device, info, name)
    with ExitStack() as undo:
        undo.callback(vk.vkDestroyBuffer, device.handle, handle, NULL)
        check(vk.vkBindBufferMemory(device.handle, handle, heap.memory, offset), f"place the buffer {name!r}")
        undo.pop_all()
    data = heap.mapped[offset : offset + info.size] if heap.mapped is not None else None
    return VulkanBuffer(device, info, name, handle, data=data)


def own_texture(device: Device, info: TextureInfo, name: str, presents: Presents = Presents.NOTHING) -> VulkanTexture:
    """A texture with memory of its own; contents are undefined."""
    vk = device.dispatch
    image = create_image(device, info, name, placed=False)
    with ExitStack() as undo:
        undo.callback(vk.vkDestroyImage, device.handle, image, NULL)
        needs = ffi.new("VkMemoryRequirements*")
        vk.vkGetImageMemoryRequirements(device.handle, image, needs)
        memory = allocate(device, needs.memoryTypeBits, needs.size, name, host=False).memory
        undo.callback(vk.vkFreeMemory, device.handle, memory, NULL)
        check(vk.vkBindImageMemory(device.handle, image, memory, 0), f"create the texture {name!r}")
        undo.pop_all()
    return VulkanTexture(device, info, name, image, memory=memory, presents=presents)


def own_buffer(device: Device, info: BufferInfo, name: str, *, host: bool) -> VulkanBuffer:
    """A buffer with memory of its own, mapped when ``host``; contents are undefined."""
    vk = device.dispatch
    handle = create_buffer_handle(device, info, name)
    with ExitStack() as undo:
        undo.callback(vk.vkDestroyBuffer, device.handle, handle, NULL)
        needs = ffi.new("VkMemoryRequirements*")
        vk.vkGetBufferMemoryRequirements(device.handle, handle, needs)
        allocation = allocate(device, needs.memoryTypeBits, needs.size, name, host=host)
        undo.callback(vk.vkFreeMemory, device.handle, allocation.memory, NULL)
        check(vk.vkBindBufferMemory(device.handle, handle, allocation.memory, 0), f"create the buffer {name!r}")
        undo.pop_all()
    data = allocation.mapped[: info.size] if allocation.mapped is not None else None
    return VulkanBuffer(device, info, name, handle, memory=allocation.memory, data=data)
