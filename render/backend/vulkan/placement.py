"""Creates textures and buffers in a heap or with memory of their own."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass

from renderwright.render.backend.vulkan.api import NULL, CData
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.buffers import VulkanBuffer, create_buffer_handle
from renderwright.render.backend.vulkan.device import Device
from renderwright.render.backend.vulkan.errors import check
from renderwright.render.backend.vulkan.heaps import Allocation, Owner, VulkanHeap, allocate
from renderwright.render.backend.vulkan.memory_types import MemoryKind
from renderwright.render.backend.vulkan.textures import Presents, VulkanTexture, create_image
from renderwright.render.errors import BackendError
from renderwright.render.types.physical import BufferInfo, TextureInfo


def place_texture(device: Device, heap: VulkanHeap, offset: int, info: TextureInfo, name: str) -> VulkanTexture:
    """A texture at a byte offset of the heap."""
    if heap.dedicated:
        return own_texture(device, info, name)
    vk = device.dispatch
    image = create_image(device, info, name)
    with ExitStack() as undo:
        undo.callback(vk.vkDestroyImage, device.handle, image, NULL)
        check(vk.vkBindImageMemory(device.handle, image, heap.memory, offset), f"place the texture {name!r}")
        undo.pop_all()
    return VulkanTexture(device, info, name, image)


def place_buffer(device: Device, heap: VulkanHeap, offset: int, info: BufferInfo, name: str) -> VulkanBuffer:
    """A buffer at a byte offset of the heap."""
    if heap.dedicated:
        return own_buffer(device, info, name, host=heap.host)
    vk = device.dispatch
    handle = create_buffer_handle(device, info, name)
    with ExitStack() as undo:
        undo.callback(vk.vkDestroyBuffer, device.handle, handle, NULL)
        check(vk.vkBindBufferMemory(device.handle, handle, heap.memory, offset), f"place the buffer {name!r}")
        undo.pop_all()
    data = heap.mapped[offset : offset + info.size] if heap.mapped is not None else None
    return VulkanBuffer(device, info, name, handle, data=data)


def cover_heap(device: Device, heap: VulkanHeap, name: str) -> VulkanBuffer:
    """A buffer over the bytes of the heap; the driver's alignment may make it end before the heap."""
    kind, bits = heap.memory_class.split(":")
    vk = device.dispatch
    size = heap.size
    while True:
        info = BufferInfo(size, frozenset())
        handle = create_buffer_handle(device, info, name)
        with ExitStack() as undo:
            undo.callback(vk.vkDestroyBuffer, device.handle, handle, NULL)
            arena = Arena()
            answer = _room_for_answer(arena)
            question = arena.new("VkBufferMemoryRequirementsInfo2", buffer=handle)
            vk.vkGetBufferMemoryRequirements2(device.handle, question, answer.needs)
            needs = answer.needs.memoryRequirements
            if heap.dedicated or int(bits, 16) & ~needs.memoryTypeBits:
                raise BackendError(
                    f"{device.physical.name} cannot place a buffer in memory for {kind}",
                    hint="leave out --poison, which fills memory through a buffer",
                )
            if needs.size <= heap.size:
                check(vk.vkBindBufferMemory(device.handle, handle, heap.memory, 0), f"cover a heap with {name!r}")
                undo.pop_all()
                return VulkanBuffer(device, info, name, handle)
        # The driver rounds sizes up to the alignment, and the heap may end between two multiples.
        size -= size % needs.alignment or needs.alignment


def own_texture(device: Device, info: TextureInfo, name: str, presents: Presents = Presents.NOTHING) -> VulkanTexture:
    """A texture with memory of its own; contents are undefined."""
    vk = device.dispatch
    image = create_image(device, info, name)
    with ExitStack() as undo:
        undo.callback(vk.vkDestroyImage, device.handle, image, NULL)
        arena = Arena()
        question = arena.new("VkImageMemoryRequirementsInfo2", image=image)
        lazy = info.transient and device.memory.lazy
        kind = MemoryKind.LAZY_TEXTURES if lazy else MemoryKind.TEXTURES
        answer = _room_for_answer(arena)
        vk.vkGetImageMemoryRequirements2(device.handle, question, answer.needs)
        memory = _allocate(device, kind, answer, name, Owner(image=image)).memory
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
        arena = Arena()
        question = arena.new("VkBufferMemoryRequirementsInfo2", buffer=handle)
        answer = _room_for_answer(arena)
        vk.vkGetBufferMemoryRequirements2(device.handle, question, answer.needs)
        kind = MemoryKind.HOST_BUFFERS if host else MemoryKind.BUFFERS
        allocation = _allocate(device, kind, answer, name, Owner(buffer=handle))
        undo.callback(vk.vkFreeMemory, device.handle, allocation.memory, NULL)
        check(vk.vkBindBufferMemory(device.handle, handle, allocation.memory, 0), f"create the buffer {name!r}")
        undo.pop_all()
    data = allocation.mapped[: info.size] if allocation.mapped is not None else None
    return VulkanBuffer(device, info, name, handle, memory=allocation.memory, data=data)


@dataclass(frozen=True)
class _Answer:
    """Output structs for the driver's memory requirements."""

    needs: CData
    dedicated: CData


def _room_for_answer(arena: Arena) -> _Answer:
    dedicated = arena.new("VkMemoryDedicatedRequirements")
    return _Answer(arena.new("VkMemoryRequirements2", pNext=dedicated), dedicated)


def _allocate(device: Device, kind: MemoryKind, answer: _Answer, name: str, owner: Owner) -> Allocation:
    """Memory for a single resource, as a dedicated allocation if the driver prefers or requires it."""
    needs = answer.needs.memoryRequirements
    dedicated = answer.dedicated.prefersDedicatedAllocation or answer.dedicated.requiresDedicatedAllocation
    return allocate(device, kind, needs.memoryTypeBits, needs.size, name, owner if dedicated else None)
