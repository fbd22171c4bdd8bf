"""The logical device with its one queue, and what the rest of the backend asks about it."""

from __future__ import annotations

from dataclasses import dataclass

from render.backend.vulkan.api import NULL, CData, ffi, lib
from render.backend.vulkan.arena import Arena
from render.backend.vulkan.constants import SURFACE, SWAPCHAIN
from render.backend.vulkan.errors import check
from render.backend.vulkan.features import feature_chain
from render.backend.vulkan.instance import Instance
from render.backend.vulkan.physical import PhysicalDevice
from render.formats import format_named


@dataclass(frozen=True)
class MemoryType:
    """A memory type: its VkMemoryPropertyFlags and the bytes of its heap."""

    index: int
    flags: int
    heap_size: int


class Device:
    """A VkDevice, its graphics queue, limits and format features."""

    def __init__(self, instance: Instance, physical: PhysicalDevice) -> None:
        self.instance = instance
        self.dispatch = instance.dispatch
        self.physical = physical
        self.features = physical.features
        self.debug = instance.debug
        self.family = physical.graphics_family.index
        self.handle = self._create()
        self.dispatch.use_device(self.handle)
        queue = ffi.new("VkQueue*")
        self.dispatch.vkGetDeviceQueue(self.handle, self.family, 0, queue)
        self.queue = queue[0]
        self.memory_types = self._memory_types()
        self._format_features: dict[str, int] = {}
        properties = Arena().new("VkPhysicalDeviceProperties2")
        self.dispatch.vkGetPhysicalDeviceProperties2(physical.handle, properties)
        self.timestamp_period: float = properties.properties.limits.timestampPeriod
        self.timestamp_bits = physical.graphics_family.timestamp_bits
        self.name(lib.VK_OBJECT_TYPE_QUEUE, self.queue, "graphics queue")

    def name(self, kind: int, handle: CData, text: str) -> None:
        """Give an object (of a VkObjectType) a name that capture tools and the validation layer show."""
        if not self.debug:
            return
        arena = Arena()
        number = int(ffi.cast("uintptr_t", handle))
        info = arena.new("VkDebugUtilsObjectNameInfoEXT", objectType=kind, objectHandle=number, pObjectName=text)
        self.dispatch.vkSetDebugUtilsObjectNameEXT(self.handle, info)  # an object without its name does as well

    def format_features(self, format_name: str) -> int:
        """The VkFormatFeatureFlags of images of that format with optimal tiling."""
        if format_name not in self._format_features:
            properties = ffi.new("VkFormatProperties*")
            number = format_named(format_name).vk
            self.dispatch.vkGetPhysicalDeviceFormatProperties(self.physical.handle, number, properties)
            self._format_features[format_name] = properties.optimalTilingFeatures
        return self._format_features[format_name]

    def close(self) -> None:
        """Destroy the device; everything made from it must be gone."""
        self.dispatch.vkDestroyDevice(self.handle, NULL)

    def _create(self) -> CData:
        arena = Arena()
        queue = arena.new(
            "VkDeviceQueueCreateInfo",
            queueFamilyIndex=self.family,
            queueCount=1,
            pQueuePriorities=arena.array("float", [1.0]),
        )
        presents = SURFACE in self.instance.extensions and SWAPCHAIN in self.physical.extensions
        extensions = [SWAPCHAIN] if presents else []
        info = arena.new(
            "VkDeviceCreateInfo",
            pNext=feature_chain(arena, self.features),
            queueCreateInfoCount=1,
            pQueueCreateInfos=queue,
            enabledExtensionCount=len(extensions),
            ppEnabledExtensionNames=arena.strings(extensions),
        )
        device = arena.out("VkDevice")
        check(
            self.dispatch.vkCreateDevice(self.physical.handle, info, NULL, device), f"open device {self.physical.name}"
        )
        return device[0]

    def _memory_types(self) -> tuple[MemoryType, ...]:
        properties = ffi.new("VkPhysicalDeviceMemoryProperties*")
        self.dispatch.vkGetPhysicalDeviceMemoryProperties(self.physical.handle, properties)
        return tuple(
            MemoryType(index, kind.propertyFlags, properties.memoryHeaps[kind.heapIndex].size)
            for index in range(properties.memoryTypeCount)
            for kind in (properties.memoryTypes[index],)
        )
