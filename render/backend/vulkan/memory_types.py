"""The memory of a device: its types, their choice by purpose, and the driver's budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from renderwright.render.backend.vulkan.api import ffi, lib
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.constants import MEMORY_BUDGET
from renderwright.render.backend.vulkan.dispatch import Dispatch
from renderwright.render.backend.vulkan.physical import PhysicalDevice

_DEVICE_LOCAL = lib.VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT
_HOST = lib.VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | lib.VK_MEMORY_PROPERTY_HOST_COHERENT_BIT
_CACHED = lib.VK_MEMORY_PROPERTY_HOST_CACHED_BIT
_LAZY = lib.VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT
# Protected memory, and AMD's types that need an enabled feature (device coherent, device uncached).
_NEVER = lib.VK_MEMORY_PROPERTY_PROTECTED_BIT | 0x40 | 0x80


class MemoryKind(StrEnum):
    """The purpose of memory. Images and buffers are kept apart, so that bufferImageGranularity never matters.

    That costs less than 1 % of memory on measured graphs, so it also applies to a granularity of 1.
    """

    TEXTURES = "textures"
    LAZY_TEXTURES = "lazy_textures"
    BUFFERS = "buffers"
    HOST_BUFFERS = "host_buffers"


@dataclass(frozen=True)
class MemoryType:
    """A memory type with its VkMemoryPropertyFlags, the index of its heap and the heap's size in bytes."""

    index: int
    flags: int
    heap: int
    heap_size: int


class DeviceMemory:
    """The memory types of a device, and the largest allocation that it guarantees, in bytes."""

    def __init__(self, dispatch: Dispatch, physical: PhysicalDevice) -> None:
        self._dispatch = dispatch
        self._physical = physical.handle
        self._has_budget = MEMORY_BUDGET in physical.extensions
        properties = ffi.new("VkPhysicalDeviceMemoryProperties*")
        dispatch.vkGetPhysicalDeviceMemoryProperties(physical.handle, properties)
        self.types = tuple(
            MemoryType(index, kind.propertyFlags, kind.heapIndex, properties.memoryHeaps[kind.heapIndex].size)
            for index in range(properties.memoryTypeCount)
            for kind in (properties.memoryTypes[index],)
        )
        self.lazy = any(kind.flags & _LAZY for kind in self.types)
        arena = Arena()
        limits = arena.new("VkPhysicalDeviceMaintenance3Properties")
        dispatch.vkGetPhysicalDeviceProperties2(physical.handle, arena.new("VkPhysicalDeviceProperties2", pNext=limits))
        self.largest_allocation: int = limits.maxMemoryAllocationSize

    def suited(self, kind: MemoryKind, type_bits: int) -> Sequence[MemoryType]:
        """The types in ``type_bits`` that are suitable for the kind, the best one first."""
        allowed = [each for each in self.types if type_bits >> each.index & 1 and not each.flags & _NEVER]
        if kind is MemoryKind.LAZY_TEXTURES:
            return sorted(allowed, key=lambda each: (not each.flags & _LAZY, not each.flags & _DEVICE_LOCAL))
        allowed = [each for each in allowed if not each.flags & _LAZY]
        if kind is MemoryKind.HOST_BUFFERS:
            allowed = [each for each in allowed if each.flags & _HOST == _HOST]
        wanted = _CACHED if kind is MemoryKind.HOST_BUFFERS else _DEVICE_LOCAL
        # The stable sort keeps the driver's order of preference among equal types.
        return sorted(allowed, key=lambda each: not each.flags & wanted)

    @property
    def knows_room(self) -> bool:
        """Whether the driver tells how much memory is left (VK_EXT_memory_budget)."""
        return self._has_budget

    def room(self, kind: MemoryType) -> int:
        """Bytes left in the process's budget for the type's heap (VK_EXT_memory_budget).

        Without the extension, the size of the heap.
        """
        if not self._has_budget:
            return kind.heap_size
        arena = Arena()
        budget = arena.new("VkPhysicalDeviceMemoryBudgetPropertiesEXT")
        answer = arena.new("VkPhysicalDeviceMemoryProperties2", pNext=budget)
        self._dispatch.vkGetPhysicalDeviceMemoryProperties2(self._physical, answer)
        return max(0, int(budget.heapBudget[kind.heap]) - int(budget.heapUsage[kind.heap]))
