"""Command buffers with their pool."""

from __future__ import annotations

from renderwright.render.backend.vulkan.api import NULL, CData, lib
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.defects import skips_first_barrier
from renderwright.render.backend.vulkan.device import Device
from renderwright.render.backend.vulkan.errors import check
from renderwright.render.backend.vulkan.queues import Queue


class CommandPool:
    """A pool of command buffers of one queue, which are recorded one by one."""

    def __init__(self, device: Device, queue: Queue, name: str) -> None:
        self.device = device
        arena = Arena()
        info = arena.new(
            "VkCommandPoolCreateInfo",
            flags=lib.VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
            queueFamilyIndex=queue.family,
        )
        pool = arena.out("VkCommandPool")
        check(
            device.dispatch.vkCreateCommandPool(device.handle, info, NULL, pool), f"create the command pool of {name}"
        )
        device.name(lib.VK_OBJECT_TYPE_COMMAND_POOL, pool[0], f"{name} pool")
        self.handle = pool[0]

    def release(self) -> None:
        """Destroy the pool with its buffers."""
        self.device.dispatch.vkDestroyCommandPool(self.device.handle, self.handle, NULL)
        self.handle = NULL


class VulkanCommandBuffer:
    """A primary command buffer. ``queue`` is the class that frames submit it to.

    With ``once`` each record is submitted at most once.
    """

    def __init__(self, pool: CommandPool, queue: str, name: str, *, once: bool = False) -> None:
        self.queue = queue
        self._pool = pool
        self._enclosed = skips_first_barrier(pool.device.physical.driver)
        arena = Arena()
        self._handles = arena.out("VkCommandBuffer")
        flags = lib.VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT if once else 0
        self._info = arena.new("VkCommandBufferBeginInfo", flags=flags)
        self._recording = False
        device = pool.device
        count = arena.new(
            "VkCommandBufferAllocateInfo",
            commandPool=pool.handle,
            level=lib.VK_COMMAND_BUFFER_LEVEL_PRIMARY,
            commandBufferCount=1,
        )
        check(
            device.dispatch.vkAllocateCommandBuffers(device.handle, count, self._handles),
            f"create the command buffer of {name}",
        )
        self._arena = arena
        self.handle = self._handles[0]
        device.name(lib.VK_OBJECT_TYPE_COMMAND_BUFFER, self.handle, name)

    def begin(self) -> CData:
        """Drop the contents, which the device must have finished with, and begin to record others."""
        vk = self._pool.device.dispatch
        if self._recording:  # a call of the last recording failed
            check(vk.vkResetCommandBuffer(self.handle, 0), "reset a command buffer")
        self._recording = True
        check(vk.vkBeginCommandBuffer(self.handle, self._info), "begin a command buffer")
        self._enclose()
        return self.handle

    def end(self) -> None:
        """End the recording."""
        self._enclose()
        check(self._pool.device.dispatch.vkEndCommandBuffer(self.handle), "end a command buffer")
        self._recording = False

    def _enclose(self) -> None:
        """Where the driver needs it, record a command without effect, so that no barrier comes first or last."""
        if self._enclosed:
            self._pool.device.dispatch.vkCmdSetLineWidth(self.handle, 1.0)

    def release(self) -> None:
        """Free it, unless its pool is gone."""
        if self._pool.handle == NULL:
            return
        device = self._pool.device
        device.dispatch.vkFreeCommandBuffers(device.handle, self._pool.handle, 1, self._handles)
