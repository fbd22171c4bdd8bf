"""Device memory: the driver's requirements of resources, and heaps to place resources in.

A memory class is ``KIND:BITS``: a ``MemoryKind`` and the memory types that serve all resources of the class.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from renderwright.render.backend.vulkan.api import NULL, CData, ffi, lib
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.buffers import EVERY_USAGE, buffer_info, require_possible
from renderwright.render.backend.vulkan.constants import WHOLE_SIZE
from renderwright.render.backend.vulkan.device import Device
from renderwright.render.backend.vulkan.errors import check, failure
from renderwright.render.backend.vulkan.memory_types import MemoryKind, MemoryType
from renderwright.render.backend.vulkan.textures import image_info
from renderwright.render.errors import OutOfMemoryError
from renderwright.render.formats import FORMATS, Aspect
from renderwright.render.memory.needs import MemoryNeeds
from renderwright.render.types.physical import BufferInfo, PhysicalInfo, TextureInfo
from renderwright.render.types.usages import Usage

DEDICATED = "dedicated_"
"""Prefix of the class of a resource that requires a dedicated allocation."""

_MIB = 2**20
_logger = logging.getLogger("renderwright.vulkan")
_REMEMBERED = 4096  # descriptions; dynamic resolution creates ever new ones


@dataclass(frozen=True)
class Allocation:
    """A VkDeviceMemory; ``mapped`` is its bytes if it is mapped for the host."""

    memory: CData
    mapped: memoryview | None


@dataclass(frozen=True)
class Owner:
    """The image or buffer of a dedicated allocation; the other one is null."""

    image: CData = NULL
    buffer: CData = NULL


class VulkanHeap:
    """A block of device memory that resources are placed in.

    A ``dedicated`` heap has no memory: the resource placed in it has memory of its own.
    """

    def __init__(self, device: Device, memory_class: str, size: int, name: str) -> None:
        self.memory_class = memory_class
        self.size = size
        self.name = name
        self._device = device
        kind, bits = memory_class.split(":")
        self.dedicated = kind.startswith(DEDICATED)
        self.host = kind.endswith(MemoryKind.HOST_BUFFERS)
        allocation = Allocation(NULL, None)
        if not self.dedicated:
            allocation = allocate(device, MemoryKind(kind), int(bits, 16), size, name)
        self.memory = allocation.memory
        self.mapped = allocation.mapped

    def release(self) -> None:
        """Free the memory."""
        self.mapped = None
        if self.memory != NULL:
            self._device.dispatch.vkFreeMemory(self._device.handle, self.memory, NULL)


class DriverMemoryModel:
    """The driver's memory requirements of placed resources, queried once for each description.

    Resources with the same best memory type share a class, even if the driver allows them different further types: the
    class then has the types that the driver allows for all resources of the kind. That keeps the number of heaps low,
    and the other types are used if the best one is full.
    """

    def __init__(self, device: Device) -> None:
        self._device = device
        self._known: dict[PhysicalInfo, MemoryNeeds] = {}
        self._common: dict[MemoryKind, int] = {}

    def texture_needs(self, info: TextureInfo) -> MemoryNeeds:
        """Memory requirements of a placed texture."""
        return self._needs(info)

    def buffer_needs(self, info: BufferInfo) -> MemoryNeeds:
        """Memory requirements of a placed buffer; a buffer that the host reads is in host-visible memory."""
        return self._needs(info)

    def _needs(self, info: PhysicalInfo) -> MemoryNeeds:
        needs = self._known.get(info)
        if needs is None:
            size, alignment, bits, dedicated = self._query(info)
            kind = self._kind(info)
            memory_class = f"{DEDICATED * dedicated}{kind}:{self._class_bits(kind, bits):#x}"
            limit = self._device.memory.largest_allocation
            needs = MemoryNeeds(size, alignment, memory_class, limit, dedicated)
            if len(self._known) >= _REMEMBERED:
                del self._known[next(iter(self._known))]
            self._known[info] = needs
        return needs

    def _query(self, info: PhysicalInfo) -> tuple[int, int, int, bool]:
        """Size, alignment, allowed types, and whether the driver requires a dedicated allocation."""
        arena = Arena()
        vk, handle = self._device.dispatch, self._device.handle
        dedicated = arena.new("VkMemoryDedicatedRequirements")
        answer = arena.new("VkMemoryRequirements2", pNext=dedicated)
        if isinstance(info, TextureInfo):
            created = image_info(arena, self._device, info)
            question = arena.new("VkDeviceImageMemoryRequirements", pCreateInfo=created)
            vk.vkGetDeviceImageMemoryRequirements(handle, question, answer)
        else:
            require_possible(self._device, info)
            question = arena.new("VkDeviceBufferMemoryRequirements", pCreateInfo=buffer_info(arena, self._device, info))
            vk.vkGetDeviceBufferMemoryRequirements(handle, question, answer)
        needs = answer.memoryRequirements
        return needs.size, needs.alignment, needs.memoryTypeBits, bool(dedicated.requiresDedicatedAllocation)

    def _kind(self, info: PhysicalInfo) -> MemoryKind:
        if isinstance(info, TextureInfo):
            lazy = info.transient and self._device.memory.lazy
            return MemoryKind.LAZY_TEXTURES if lazy else MemoryKind.TEXTURES
        return MemoryKind.HOST_BUFFERS if Usage.HOST_READ in info.usages else MemoryKind.BUFFERS

    def _class_bits(self, kind: MemoryKind, bits: int) -> int:
        own = self._device.memory.suited(kind, bits)
        common = self._device.memory.suited(kind, bits & self._common_bits(kind))
        chosen = common if common[:1] == own[:1] else own
        return sum(1 << each.index for each in chosen)

    def _common_bits(self, kind: MemoryKind) -> int:
        """The types that all resources of the kind may use.

        Vulkan guarantees (Resource Memory Association) that all colour images have the same types, as do all depth
        images of a format, and that further usages of a buffer never add types.
        """
        if kind not in self._common:
            bits = 0xFFFFFFFF
            for info in self._probes(kind):
                bits &= self._query(info)[2]
            self._common[kind] = bits
        return self._common[kind]

    def _probes(self, kind: MemoryKind) -> list[PhysicalInfo]:
        if kind in (MemoryKind.BUFFERS, MemoryKind.HOST_BUFFERS):
            return [BufferInfo(1, EVERY_USAGE)]
        color = TextureInfo("rgba8_unorm", (1, 1), 1, 1, 1, frozenset({Usage.COLOR}), kind is MemoryKind.LAZY_TEXTURES)
        depth_bit = lib.VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT
        return [
            color,
            *(
                replace(color, format=name, usages=frozenset({Usage.DEPTH}))
                for name, format_ in FORMATS.items()
                if format_.aspect is not Aspect.COLOR and self._device.format_features(name) & depth_bit
            ),
        ]


def allocate(
    device: Device, kind: MemoryKind, type_bits: int, size: int, name: str, owner: Owner | None = None
) -> Allocation:
    """Memory of the best suitable type with room, mapped if it is for the host.

    Raises ``OutOfMemoryError`` with the purpose, the size and the memory that is left.
    """
    types = device.memory.suited(kind, type_bits)
    for each in types:
        memory = _try_allocate(device, each, size, name, owner)
        if memory is not None:
            if each is not types[0]:
                _logger.warning("%r (%.1f MiB) is in slower memory, because the best type is full", name, size / _MIB)
            host = kind is MemoryKind.HOST_BUFFERS
            return Allocation(memory, _map(device, memory, size, name) if host else None)
    left = _left_in_words(device, types, size)
    raise OutOfMemoryError(
        f"{device.physical.name} has no room for {name!r}: {size / _MIB:.1f} MiB are needed; {left}",
        hint="use smaller or fewer textures, or close other programs on this device",
    )


def _left_in_words(device: Device, types: Sequence[MemoryType], size: int) -> str:
    """How much memory of these types is left, as far as the driver tells, after it had none of ``size`` bytes."""
    if not types:
        return "it has no memory of a suitable type"
    sizes = {each.heap: f"{each.heap_size / _MIB:.1f} MiB" for each in types}
    if not device.memory.knows_room:
        return f"it has {' and '.join(sizes.values())} in all, and does not tell how much of that is free"
    rooms = {each.heap: device.memory.room(each) for each in types}
    free = " and ".join(f"{rooms[heap] / _MIB:.1f} of {sizes[heap]}" for heap in rooms)
    refused = ", and yet the driver refuses them" if max(rooms.values()) >= size else ""
    return f"{free} are free for this program{refused}"


def _try_allocate(device: Device, kind: MemoryType, size: int, name: str, owner: Owner | None) -> CData | None:
    if size > device.memory.room(kind):
        return None
    arena = Arena()
    dedicated = (
        NULL if owner is None else arena.new("VkMemoryDedicatedAllocateInfo", image=owner.image, buffer=owner.buffer)
    )
    info = arena.new("VkMemoryAllocateInfo", pNext=dedicated, allocationSize=size, memoryTypeIndex=kind.index)
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
