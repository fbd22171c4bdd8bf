"""Command buffers with their pool."""

from __future__ import annotations

from renderwright.render.backend.vulkan.api import NULL, CData, lib
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.device import Device
from renderwright.render.backend.vulkan.errors import check
from renderwright.render.backend.vulkan.queues import Queue


class CommandPool:
    """Primary command buffers of one queue, by number, which are reset together."""

    def __init__(self, device: Device, queue: Queue, name: str) -> None:
        self._device = device
        self._name = name
        self._arena = arena = Arena()
        self._pool = self._create_pool(queue.family)
        self._buffers: dict[int, CData] = {}
        self._begin = arena.new("VkCommandBufferBeginInfo", flags=lib.VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT)
        self._begun: set[int] = set()

    def buffer(self, number: int = 0) -> CData:
        """The command buffer of that number, allocated at the first use."""
        if number not in self._buffers:
            self._buffers[number] = self._allocate(f"{self._name}, {number}" if number else self._name)
        return self._buffers[number]

    def reset(self) -> None:
        """Reset the pool, whose work the device must have finished, and begin all existing buffers."""
        dispatch = self._device.dispatch
        self._begun.clear()
        check(dispatch.vkResetCommandPool(self._device.handle, self._pool, 0), "reset a command pool")
        for number in self._buffers:
            self.begin(number)

    def begin(self, number: int = 0) -> None:
        """Begin a buffer, unless it was begun since the last reset."""
        if number not in self._begun:
            buffer = self.buffer(number)
            check(self._device.dispatch.vkBeginCommandBuffer(buffer, self._begin), "begin a command buffer")
            self._begun.add(number)

    def finish(self, number: int = 0) -> CData:
        """End a buffer that was begun."""
        buffer = self._buffers[number]
        check(self._device.dispatch.vkEndCommandBuffer(buffer), "end a command buffer")
        return buffer

    def release(self) -> None:
        """Destroy the pool with its buffers."""
        self._device.dispatch.vkDestroyCommandPool(self._device.handle, self._pool, NULL)

    def _create_pool(self, family: int) -> CData:
        info = self._arena.new(
            "VkCommandPoolCreateInfo", flags=lib.VK_COMMAND_POOL_CREATE_TRANSIENT_BIT, queueFamilyIndex=family
        )
        pool = self._arena.out("VkCommandPool")
        check(
            self._device.dispatch.vkCreateCommandPool(self._device.handle, info, NULL, pool),
            f"create the command pool of {self._name}",
        )
        self._device.name(lib.VK_OBJECT_TYPE_COMMAND_POOL, pool[0], f"{self._name} pool")
        return pool[0]

    def _allocate(self, name: str) -> CData:
        info = self._arena.new(
            "VkCommandBufferAllocateInfo",
            commandPool=self._pool,
            level=lib.VK_COMMAND_BUFFER_LEVEL_PRIMARY,
            commandBufferCount=1,
        )
        buffer = self._arena.out("VkCommandBuffer")
        check(
            self._device.dispatch.vkAllocateCommandBuffers(self._device.handle, info, buffer),
            f"create the command buffer of {name}",
        )
        self._device.name(lib.VK_OBJECT_TYPE_COMMAND_BUFFER, buffer[0], name)
        return buffer[0]
