"""Device memory: what a resource needs by the driver's word, and heaps to place resources in.

A memory class is ``KIND:BITS``: the kind keeps images (of optimal tiling) and buffers apart, so that
bufferImageGranularity never matters, and BITS are the memoryTypeBits that the driver allows.
"""

from __future__ import annotations

from dataclasses import dataclass

from render.backend.vulkan.api import NULL, CData, ffi, lib
from render.backend.vulkan.arena import Arena
from render.backend.vulkan.buffers import buffer_info
from render.backend.vulkan.constants import WHOLE_SIZE
from render.backend.vulkan.device import Device, MemoryType
from render.backend.vulkan.errors import check, failure
from render.backend.vulkan.textures import image_info
from render.errors import OutOfMemoryError
from render.memory.needs import MemoryNeeds
from render.memory.physical import BufferInfo, TextureInfo
from render.sync.usages import Usage

TEXTURES = "textures"
BUFFERS = "buffers"
HOST_BUFFERS = "host_buffers"

_DEVICE_LOCAL = lib.VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT
_HOST = lib.VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | lib.VK_MEMORY_PROPERTY_HOST_COHERENT_BIT
_CACHED = lib.VK_MEMORY_PROPERTY_HOST_CACHED_BIT


@dataclass(frozen=True)
class Allocation:
    """A VkDeviceMemory; ``mapped`` is all of it where the host can reach it."""

    memory: CData
    mapped: memoryview | None


class VulkanHeap:
    """A block of device memory that resources are placed in."""

    def __init__(self, device: Device, memory_class: str, size: int, name: str) -> None:
        self.memory_class = memory_class
        self.size = size
        self.name = name
        self._device = device
        kind, bits = memory_class.split(":")
        allocation = allocate(device, int(bits, 16), size, name, host=kind == HOST_BUFFERS)
        self.memory = allocation.memory
        self.mapped = allocation.mapped

    def release(self) -> None:
        """Free the memory."""
        self.mapped = None
        self._device.dispatch.vkFreeMemory(self._device.handle, self.memory, NULL)


class DriverMemoryModel:
    """Answers what a placed resource needs by asking the driver, once for each description."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._known: dict[TextureInfo | BufferInfo, MemoryNeeds] = {}

    def texture_needs(self, info: TextureInfo) -> MemoryNeeds:
        """Memory of a placed texture."""
        if info not in self._known:
            arena = Arena()
            created = image_info(arena, self._device, info, placed=True)
            question = arena.new("VkDeviceImageMemoryRequirements", pCreateInfo=created)
            answer = arena.new("VkMemoryRequirements2")
            self._device.dispatch.vkGetDeviceImageMemoryRequirements(self._device.handle, question, answer)
            self._known[info] = _needs(answer.memoryRequirements, TEXTURES)
        return self._known[info]

    def buffer_needs(self, info: BufferInfo) -> MemoryNeeds:
        """Memory of a placed buffer; one that the host reads comes from memory that it can reach."""
        if info not in self._known:
            arena = Arena()
            question = arena.new("VkDeviceBufferMemoryRequirements", pCreateInfo=buffer_info(arena, info))
            answer = arena.new("VkMemoryRequirements2")
            self._device.dispatch.vkGetDeviceBufferMemoryRequirements(self._device.handle, question, answer)
            kind = HOST_BUFFERS if Usage.HOST_READ in info.usages else BUFFERS
            self._known[info] = _needs(answer.memoryRequirements, kind)
        return self._known[info]


def allocate(device: Device, type_bits: int, size: int, name: str, *, host: bool) -> Allocation:
    """Memory of the best allowed type that has room: device-local, or mapped and coherent when ``host``.

    Raises ``OutOfMemoryError`` naming what the memory was for.
    """
    allowed = [kind for kind in device.memory_types if type_bits >> kind.index & 1]
    if host:
        allowed = [kind for kind in allowed if kind.flags & _HOST == _HOST]
    wanted = _CACHED if host else _DEVICE_LOCAL
    # A stable sort: among equals the driver's own order of preference stays.
    for kind in sorted(allowed, key=lambda kind: not kind.flags & wanted):
        memory = _try_allocate(device, kind, size, name)
        if memory is not None:
            return Allocation(memory, _map(device, memory, size, name) if host else None)
    raise OutOfMemoryError(
        f"{device.physical.name} has no memory left for {name!r} ({size / 2**20:.1f} MiB)",
        hint="use smaller or fewer textures, or close other programs on this device",
    )


def _try_allocate(device: Device, kind: MemoryType, size: int, name: str) -> CData | None:
    if size > kind.heap_size:
        return None
    arena = Arena()
    info = arena.new("VkMemoryAllocateInfo", allocationSize=size, memoryTypeIndex=kind.index)
    memory = arena.out("VkDeviceMemory")
    result = device.dispatch.vkAllocateMemory(device.handle, info, NULL, memory)
    if result in (lib.VK_ERROR_OUT_OF_DEVICE_MEMORY, lib.VK_ERROR_OUT_OF_HOST_MEMORY):
        return None
    check(result, f"allocate {size} bytes for {name!r}")
    device.name(lib.VK_OBJECT_TYPE_DEVICE_MEMORY, memory[0], name)
    return memory[0]


def _map(device: Device, memory: CData, size: int, name: str) -> memoryview:
    address = ffi.new("void**")
    result = device.dispatch.vkMapMemory(device.handle, memory, 0, WHOLE_SIZE, 0, address)
    if result != lib.VK_SUCCESS:
        device.dispatch.vkFreeMemory(device.handle, memory, NULL)
        raise failure(result, f"map {name!r}")
    return memoryview(ffi.buffer(address[0], size))


def _needs(requirements: CData, kind: str) -> MemoryNeeds:
    return MemoryNeeds(requirements.size, requirements.alignment, f"{kind}:{requirements.memoryTypeBits:#x}")
