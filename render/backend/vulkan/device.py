"""The logical device with its queues, limits and format features."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from renderwright.render.backend.interop import NativeDevice
from renderwright.render.backend.progress import SOFTWARE_WAIT_NANOSECONDS, Progress
from renderwright.render.backend.vulkan import robustness, unified_layouts
from renderwright.render.backend.vulkan.api import NULL, CData, ffi, lib
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.constants import SURFACE, SWAPCHAIN
from renderwright.render.backend.vulkan.defects import filters_anisotropy_wrong
from renderwright.render.backend.vulkan.errors import check
from renderwright.render.backend.vulkan.features import DESCRIPTOR_INDEXING, feature_chain
from renderwright.render.backend.vulkan.instance import Instance
from renderwright.render.backend.vulkan.memory_types import DeviceMemory
from renderwright.render.backend.vulkan.physical import (
    ChosenQueue,
    DeviceType,
    PhysicalDevice,
    choose_queues,
    choose_spare_queues,
)
from renderwright.render.backend.vulkan.robustness import robust_features
from renderwright.render.backend.vulkan.shader_limits import shader_limits
from renderwright.render.backend.vulkan.tools import active_tools
from renderwright.render.formats import format_named
from renderwright.render.sync.queues import ALL_QUEUES, GRAPHICS
from renderwright.render.types.usages import Usage

OTHER_BINDINGS = 128
"""Descriptors that are left for the other bindings of a pipeline with an array of textures without length."""
FEWEST_TEXTURES, MOST_TEXTURES = 1 << 11, 1 << 16
"""Bounds of the length that such an array may have: a device with less has none."""


class Device:
    """A VkDevice, its queues, limits and format features.

    ``queues`` and ``families`` (indices) are by the class of queues; ``queue`` and ``family`` are the graphics queue's.
    ``spare`` are queues for work that spans frames; a device without enough queues shares the frames' queues. ``views``
    is the most views of a multiview pass. With ``unified_layouts`` textures are as fast in the general layout as in any
    other. ``further`` extensions are enabled as well. ``progress`` tells how far the device is. If ``robust``, accesses
    out of bounds touch nothing else, as far as the device can promise that. ``waiting`` is entered around calls that
    wait for the device or the display. ``labels`` is whether commands get labels: only while something reads them.
    ``indirect_draws`` is the most commands of an indirect draw, and with ``indirect_counts`` their number may be in a
    buffer. ``indexed_textures`` is the most textures of an array without length (0: there are no such arrays).
    ``most_bytes`` is the size of the largest buffer, ``buffer_limits`` that by usage.
    """

    def __init__(
        self,
        instance: Instance,
        physical: PhysicalDevice,
        wanted: Set[str] = frozenset(ALL_QUEUES),
        further: Sequence[str] = (),
        *,
        robust: bool = False,
    ) -> None:
        self.instance = instance
        self.dispatch = instance.dispatch
        self.physical = physical
        self.features = physical.features
        self.debug = instance.debug
        seen = instance.validates or instance.dispatch.wrapped or active_tools(instance.dispatch, physical.handle) > 0
        self.labels = instance.debug and seen
        self.chosen = {each.name: each for each in choose_queues(physical, wanted)}
        self.spare = {each.name: each for each in choose_spare_queues(physical, tuple(self.chosen.values()))}
        self.families = {name: each.family.index for name, each in self.chosen.items()}
        self.family = self.families[GRAPHICS]
        self.memory = DeviceMemory(self.dispatch, physical)
        self._format_features: dict[str, int] = {}
        arena = Arena()
        memory = arena.new("VkPhysicalDeviceMaintenance4Properties")
        multiview = arena.new("VkPhysicalDeviceMultiviewProperties", pNext=memory)
        properties = arena.new("VkPhysicalDeviceProperties2", pNext=multiview)
        self.dispatch.vkGetPhysicalDeviceProperties2(physical.handle, properties)
        self.views: int = int(multiview.maxMultiviewViewCount) if "multiview" in self.features else 1
        extension = robustness.EXTENSION in physical.extensions
        self._robust = robust_features(self.dispatch, physical.handle, extension=extension) if robust else frozenset()
        self.unified_layouts = unified_layouts.FEATURE in self.features
        self.progress = Progress()
        if physical.type is DeviceType.CPU:
            self.progress.limit = SOFTWARE_WAIT_NANOSECONDS
        self.waiting: Callable[[], AbstractContextManager[None]] = nullcontext
        limits = properties.properties.limits
        self.timestamp_period: float = limits.timestampPeriod
        filters = "samplerAnisotropy" in self.features and not filters_anisotropy_wrong(physical.driver)
        self.most_anisotropy: float = limits.maxSamplerAnisotropy if filters else 1.0
        attachments = int(limits.framebufferColorSampleCounts & limits.framebufferDepthSampleCounts)
        self.most_samples = 1 << (attachments.bit_length() - 1)
        self.most_colors = int(limits.maxColorAttachments)
        self.shader_limits = shader_limits(limits, physical.name)
        self.indirect_draws: int = int(limits.maxDrawIndirectCount) if "multiDrawIndirect" in self.features else 1
        self.indirect_counts = "drawIndirectCount" in self.features
        self.indexed_textures = _indexed_textures(limits) if self.features.issuperset(DESCRIPTOR_INDEXING) else 0
        storage = (Usage.STORAGE, Usage.STORAGE_READ, Usage.STORAGE_WRITE)
        self.most_bytes = int(memory.maxBufferSize)
        self.buffer_limits: Mapping[Usage, int] = {
            Usage.UNIFORM: int(limits.maxUniformBufferRange),
            **dict.fromkeys(storage, int(limits.maxStorageBufferRange)),
        }
        # Nothing after this may fail, because the device would not be destroyed.
        self.handle = self._create(further)
        self.dispatch.use_device(self.handle)
        self.queues = {name: self._queue(each) for name, each in self.chosen.items()}
        self.queue = self.queues[GRAPHICS]
        for name, queue in self.queues.items():
            self.name(lib.VK_OBJECT_TYPE_QUEUE, queue, f"{name} queue")
        places = {(each.family.index, each.number) for each in self.chosen.values()}
        for name, each in self.spare.items():
            self.queues[name] = self._queue(each)
            if (each.family.index, each.number) not in places:
                self.name(lib.VK_OBJECT_TYPE_QUEUE, self.queues[name], f"{name} queue")

    def name(self, kind: int, handle: CData, text: str) -> None:
        """Name an object (of a VkObjectType) for capture tools and the validation layer."""
        if not self.debug:
            return
        arena = Arena()
        number = int(ffi.cast("uintptr_t", handle))
        info = arena.new("VkDebugUtilsObjectNameInfoEXT", objectType=kind, objectHandle=number, pObjectName=text)
        self.dispatch.vkSetDebugUtilsObjectNameEXT(self.handle, info)  # names are optional: ignore the result

    def format_features(self, format_name: str) -> int:
        """The VkFormatFeatureFlags of images of that format with optimal tiling."""
        if format_name not in self._format_features:
            properties = ffi.new("VkFormatProperties*")
            number = format_named(format_name).vk
            self.dispatch.vkGetPhysicalDeviceFormatProperties(self.physical.handle, number, properties)
            self._format_features[format_name] = properties.optimalTilingFeatures
        return self._format_features[format_name]

    def timestamp_bits(self, queue: str) -> int:
        """The valid bits of a timestamp on that queue; 0 if it has no timestamps."""
        return (self.chosen.get(queue) or self.spare[queue]).family.timestamp_bits

    def copy_rows(self, queue: str) -> int:
        """The granularity of image copies on that queue, in rows; 0 if a copy needs all rows."""
        return self.chosen[queue].family.copy_rows

    def sharing(self, arena: Arena, *, concurrent: bool) -> dict[str, Any]:
        """The sharing-mode fields of a VkImageCreateInfo or VkBufferCreateInfo."""
        families = sorted({*self.families.values()})
        if not concurrent or len(families) == 1:
            return {"sharingMode": lib.VK_SHARING_MODE_EXCLUSIVE}
        return {
            "sharingMode": lib.VK_SHARING_MODE_CONCURRENT,
            "queueFamilyIndexCount": len(families),
            "pQueueFamilyIndices": arena.array("uint32_t", families),
        }

    def native(self) -> NativeDevice:
        """The handles as numbers, for other APIs."""
        handles = (self.instance.handle, self.physical.handle, self.handle)
        instance, physical, device = (int(ffi.cast("uintptr_t", handle)) for handle in handles)
        return NativeDevice(instance, physical, device, self.family, self.chosen[GRAPHICS].number)

    def close(self) -> None:
        """Destroy the device, whose objects must all be destroyed."""
        self.dispatch.vkDestroyDevice(self.handle, NULL)

    def _queue(self, chosen: ChosenQueue) -> CData:
        queue = ffi.new("VkQueue*")
        self.dispatch.vkGetDeviceQueue(self.handle, chosen.family.index, chosen.number, queue)
        return queue[0]

    def _create(self, further: Sequence[str]) -> CData:
        arena = Arena()
        priorities: dict[int, dict[int, float]] = {}
        for priority, chosen in ((1.0, self.chosen), (0.0, self.spare)):
            for each in chosen.values():
                priorities.setdefault(each.family.index, {}).setdefault(each.number, priority)
        queues = [
            arena.new(
                "VkDeviceQueueCreateInfo",
                queueFamilyIndex=family,
                queueCount=len(numbers),
                pQueuePriorities=arena.array("float", [numbers[number] for number in sorted(numbers)]),
            )
            for family, numbers in priorities.items()
        ]
        presents = SURFACE in self.instance.extensions and SWAPCHAIN in self.physical.extensions
        extensions = list(
            dict.fromkeys([*([SWAPCHAIN] if presents else []), *further, *robustness.extensions(self._robust)])
        )
        features = feature_chain(arena, self.features)
        if self._robust:
            features = robustness.enable(arena, features, self._robust)
        if self.unified_layouts:
            extensions.append(unified_layouts.EXTENSION)
            features = unified_layouts.features_struct(features, enabled=True)
        info = arena.new(
            "VkDeviceCreateInfo",
            pNext=features,
            queueCreateInfoCount=len(queues),
            pQueueCreateInfos=arena.array("VkDeviceQueueCreateInfo", queues),
            enabledExtensionCount=len(extensions),
            ppEnabledExtensionNames=arena.strings(extensions),
        )
        device = arena.out("VkDevice")
        check(
            self.dispatch.vkCreateDevice(self.physical.handle, info, NULL, device), f"open device {self.physical.name}"
        )
        return device[0]


def _indexed_textures(limits: CData) -> int:
    """The most textures of an array without length beside a pipeline's other bindings; 0 where that is few."""
    names = ("PerStageDescriptorSamplers", "PerStageDescriptorSampledImages", "PerStageResources")
    sets = ("DescriptorSetSamplers", "DescriptorSetSampledImages")
    most = min(int(getattr(limits, f"max{name}")) for name in (*names, *sets)) - OTHER_BINDINGS
    return min(most, MOST_TEXTURES) if most >= FEWEST_TEXTURES else 0
