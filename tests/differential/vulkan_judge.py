"""A Vulkan device under the validation layer, which judges what is asked of it; one for a process."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

from renderwright.render.backend.vulkan.api import NULL, CData, ffi, lib
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.constants import VALIDATION_LAYER, version_text
from renderwright.render.backend.vulkan.device import Device
from renderwright.render.backend.vulkan.dispatch import Dispatch
from renderwright.render.backend.vulkan.errors import check
from renderwright.render.backend.vulkan.instance import Instance
from renderwright.render.backend.vulkan.physical import choose_device, list_devices
from renderwright.render.errors import BackendError
from renderwright.render.sync.queues import GRAPHICS

# Variables that layers of different ages read: every repeated message counts, shaders are looked into, and submissions
# are judged together.
SETTINGS = {
    "VK_KHRONOS_VALIDATION_ENABLE_MESSAGE_LIMIT": "false",
    "VK_LAYER_DUPLICATE_MESSAGE_LIMIT": "4000000000",
    "VK_VALIDATION_SYNCVAL_SHADER_ACCESSES_HEURISTIC": "1",
    "VK_VALIDATION_SYNCVAL_LOAD_OP_AFTER_STORE_OP_VALIDATION": "1",
}
OLD_SETTINGS = {"VK_LAYER_ENABLES": "VALIDATION_CHECK_ENABLE_SYNCHRONIZATION_VALIDATION_QUEUE_SUBMIT"}
SUBMISSIONS_ALWAYS = (1 << 22) | (3 << 12) | 290
"""Layers from this version on look at several submissions without being asked to."""

_HOST = 0x2 | 0x4  # host visible and coherent


@dataclass(frozen=True)
class Layer:
    """The layer that was found: its version as packed by Vulkan."""

    version: int

    @property
    def newest(self) -> bool:
        """Whether it is of the generation that knows dynamic rendering and events."""
        return self.version >= SUBMISSIONS_ALWAYS

    def __str__(self) -> str:
        return version_text(self.version)


class VulkanJudge:
    """Instance, device and the log of what the layer says.

    Raises ``BackendError`` where there is no device, no layer, or no memory that the host can fill.
    """

    def __init__(self) -> None:
        dispatch = Dispatch()
        self.layer = Layer(_layer_version(dispatch))
        with _environment(SETTINGS if self.layer.newest else SETTINGS | OLD_SETTINGS):
            self.instance = Instance(dispatch, validate=True)
        self.log = self.instance.log
        self.device = Device(self.instance, choose_device(list_devices(self.instance)), frozenset({GRAPHICS}))
        self.vk = dispatch
        self.handle = self.device.handle

    def memory_type(self, bits: int) -> int:
        """A type out of ``bits`` that the host can fill."""
        for each in self.device.memory.types:
            if bits >> each.index & 1 and each.flags & _HOST == _HOST:
                return int(each.index)
        raise BackendError("this device has no memory for images that the host can fill")

    def zeroed_memory(self, size: int, bits: int) -> CData:
        """Memory whose bytes are all 0."""
        arena = Arena()
        memory = arena.out("VkDeviceMemory")
        info = arena.new("VkMemoryAllocateInfo", allocationSize=size, memoryTypeIndex=self.memory_type(bits))
        check(self.vk.vkAllocateMemory(self.handle, info, NULL, memory), "allocate memory")
        data = arena.out("void*")
        check(self.vk.vkMapMemory(self.handle, memory[0], 0, size, 0, data), "map memory")
        ffi.memmove(data[0], bytes(size), size)
        self.vk.vkUnmapMemory(self.handle, memory[0])
        return memory[0]

    def close(self) -> None:
        self.device.close()
        self.instance.close()


@contextmanager
def _environment(settings: Mapping[str, str]) -> Iterator[None]:
    """The layer reads its settings when an instance is made; other instances of the process are not to have them."""
    before = dict(os.environ)
    for name, value in settings.items():
        os.environ.setdefault(name, value)
    try:
        yield
    finally:
        for name in settings:
            if name not in before:
                del os.environ[name]


@contextmanager
def quiet_log() -> Iterator[None]:
    """Messages are counted, and not logged."""
    logger = logging.getLogger("renderwright.vulkan")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)


def _layer_version(dispatch: Dispatch) -> int:
    count = ffi.new("uint32_t*")
    check(dispatch.vkEnumerateInstanceLayerProperties(count, NULL), "list the layers")
    items = ffi.new("VkLayerProperties[]", count[0])
    check(dispatch.vkEnumerateInstanceLayerProperties(count, items), "list the layers")
    found = [
        items[n].specVersion for n in range(count[0]) if ffi.string(items[n].layerName).decode() == VALIDATION_LAYER
    ]
    if not found:
        raise BackendError(f"the layer {VALIDATION_LAYER} is not installed")
    return int(found[0])


@cache
def vulkan_judge() -> VulkanJudge | str:
    """The judge of this process, or why there is none."""
    try:
        return VulkanJudge()
    except BackendError as error:
        return str(error)


__all__ = ["Layer", "VulkanJudge", "lib", "quiet_log", "vulkan_judge"]
