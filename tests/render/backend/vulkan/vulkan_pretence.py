"""A dispatch wrapper that lets a driver appear to have other memory than it has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from renderwright.render.backend.vulkan.api import NULL, ffi, lib
from renderwright.render.backend.vulkan.constants import MEMORY_BUDGET

LOCAL = lib.VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT
HOST = lib.VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | lib.VK_MEMORY_PROPERTY_HOST_COHERENT_BIT
CACHED = lib.VK_MEMORY_PROPERTY_HOST_CACHED_BIT
LAZY = lib.VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT
PROTECTED = lib.VK_MEMORY_PROPERTY_PROTECTED_BIT

MIB = 2**20
HEAP = 64 * MIB


@dataclass
class Pretence:
    """Memory types by their flags, each with a heap of its own of 64 MiB; all of them are really the driver's only one.

    ``image_bits`` and ``buffer_bits`` give the allowed types from the VkImageCreateInfo or VkBufferCreateInfo.
    ``largest`` is the largest allocation (0: the driver's), ``budgets`` are (budget, usage) of the heaps. ``full``
    types have no memory left. ``allocations`` are noted as (type, size, dedicated).
    """

    types: tuple[int, ...] = (LOCAL | HOST,)
    image_bits: Callable[[Any], int] = lambda info: 0xFF
    buffer_bits: Callable[[Any], int] = lambda info: 0xFF
    dedicated: bool = False
    largest: int = 0
    budgets: tuple[tuple[int, int], ...] = ()
    full: set[int] = field(default_factory=set)
    allocations: list[tuple[int, int, bool]] = field(default_factory=list)

    def wrap(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """What is called in place of the function."""
        own = getattr(self, name, None)
        return function if own is None else lambda *arguments: own(function, *arguments)

    def vkGetPhysicalDeviceMemoryProperties(self, real: Any, physical: Any, answer: Any) -> None:  # noqa: N802
        real(physical, answer)
        if answer.memoryTypeCount > 1:
            pytest.skip("only memory that is all alike, such as lavapipe's, can appear to be any other")
        answer.memoryTypeCount = answer.memoryHeapCount = len(self.types)
        for index, flags in enumerate(self.types):
            answer.memoryTypes[index].propertyFlags = flags
            answer.memoryTypes[index].heapIndex = index
            answer.memoryHeaps[index].size = HEAP

    def vkEnumerateDeviceExtensionProperties(  # noqa: N802
        self, real: Any, physical: Any, layer: Any, count: Any, items: Any
    ) -> int:
        result: int = real(physical, layer, count, items)
        if self.budgets and items == NULL:
            count[0] += 1
        elif self.budgets:
            ffi.memmove(items[count[0]].extensionName, MEMORY_BUDGET.encode() + b"\0", len(MEMORY_BUDGET) + 1)
            count[0] += 1
            return int(lib.VK_SUCCESS)
        return result

    def vkGetPhysicalDeviceMemoryProperties2(self, real: Any, physical: Any, answer: Any) -> None:  # noqa: N802
        budget = ffi.cast("VkPhysicalDeviceMemoryBudgetPropertiesEXT*", answer.pNext)
        for heap, (total, used) in enumerate(self.budgets):
            budget.heapBudget[heap], budget.heapUsage[heap] = total, used

    def vkGetPhysicalDeviceProperties2(self, real: Any, physical: Any, answer: Any) -> None:  # noqa: N802
        real(physical, answer)
        if self.largest and answer.pNext != NULL:
            limits = ffi.cast("VkPhysicalDeviceMaintenance3Properties*", answer.pNext)
            if limits.sType == lib.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES:
                limits.maxMemoryAllocationSize = self.largest

    def vkGetDeviceImageMemoryRequirements(self, real: Any, device: Any, question: Any, answer: Any) -> None:  # noqa: N802
        real(device, question, answer)
        self._require(answer, self.image_bits(question.pCreateInfo))

    def vkGetDeviceBufferMemoryRequirements(self, real: Any, device: Any, question: Any, answer: Any) -> None:  # noqa: N802
        real(device, question, answer)
        self._require(answer, self.buffer_bits(question.pCreateInfo))

    def vkGetImageMemoryRequirements2(self, real: Any, device: Any, question: Any, answer: Any) -> None:  # noqa: N802
        real(device, question, answer)
        self._require(answer, (1 << len(self.types)) - 1)

    vkGetBufferMemoryRequirements2 = vkGetImageMemoryRequirements2  # noqa: N815

    def vkAllocateMemory(self, real: Any, device: Any, info: Any, hooks: Any, memory: Any) -> int:  # noqa: N802
        kind = info.memoryTypeIndex
        self.allocations.append((kind, info.allocationSize, info.pNext != NULL))
        if kind in self.full:
            return int(lib.VK_ERROR_OUT_OF_DEVICE_MEMORY)
        info.memoryTypeIndex = 0
        return int(real(device, info, hooks, memory))

    def _require(self, answer: Any, bits: int) -> None:
        answer.memoryRequirements.memoryTypeBits = bits & ((1 << len(self.types)) - 1)
        alone = ffi.cast("VkMemoryDedicatedRequirements*", answer.pNext)
        alone.requiresDedicatedAllocation = alone.prefersDedicatedAllocation = int(self.dedicated)
