"""What benchmarks written by hand share: a queue, and command buffers that are submitted in turn.

It has a command buffer and a fence for each frame in flight. Structs are made once.
"""

from __future__ import annotations

from collections.abc import Callable

from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT
from renderwright.render.backend.vulkan.api import NULL, CData, ffi, lib
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.backend.vulkan.dispatch import Dispatch

WAIT = 60 * 10**9
"""Nanoseconds after which the device hangs."""


class SubmitLoop:
    """The graphics queue of a backend, and command buffers by ``turn``."""

    def __init__(self, backend: VulkanBackend) -> None:
        native, vk, arena = backend.native, Dispatch(), Arena()
        device = ffi.cast("VkDevice", native.device)
        vk.use_instance(ffi.cast("VkInstance", native.instance))
        vk.use_device(device)
        self.vk, self.device, self.turn = vk, device, 0
        self._backend, self._arena = backend, arena
        queue, pool = arena.out("VkQueue"), arena.out("VkCommandPool")
        vk.vkGetDeviceQueue(device, native.queue_family, native.queue_index, queue)
        flags = lib.VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT
        info = arena.new("VkCommandPoolCreateInfo", flags=flags, queueFamilyIndex=native.queue_family)
        vk.vkCreateCommandPool(device, info, NULL, pool)
        self._queue, self._pool = queue[0], pool[0]
        buffers = arena.out("VkCommandBuffer", FRAMES_IN_FLIGHT)
        count = arena.new("VkCommandBufferAllocateInfo", commandPool=self._pool, commandBufferCount=FRAMES_IN_FLIGHT)
        vk.vkAllocateCommandBuffers(device, count, buffers)
        self._buffers = list(buffers)
        self._begin = arena.new("VkCommandBufferBeginInfo")
        self._submits = [self._submit_info(buffer) for buffer in self._buffers]
        self._fence_arrays = [arena.out("VkFence") for _ in self._buffers]
        for fence in self._fence_arrays:
            signalled = arena.new("VkFenceCreateInfo", flags=lib.VK_FENCE_CREATE_SIGNALED_BIT)
            vk.vkCreateFence(device, signalled, NULL, fence)
        self._fences = [fence[0] for fence in self._fence_arrays]

    def next(self) -> None:
        """Wait until the next command buffer is free."""
        self.turn = (self.turn + 1) % FRAMES_IN_FLIGHT
        fences = self._fence_arrays[self.turn]
        self.vk.vkWaitForFences(self.device, 1, fences, 1, WAIT)
        self.vk.vkResetFences(self.device, 1, fences)

    def record(self, commands: Callable[[CData], None]) -> None:
        """Replace the contents of the command buffer by what ``commands`` records into it."""
        buffer = self._buffers[self.turn]
        self.vk.vkBeginCommandBuffer(buffer, self._begin)
        commands(buffer)
        self.vk.vkEndCommandBuffer(buffer)

    def submit(self) -> None:
        """Submit what was recorded."""
        self.vk.vkQueueSubmit2(self._queue, 1, self._submits[self.turn], self._fences[self.turn])

    def finish(self) -> None:
        """Wait for the device."""
        self._backend.wait_idle()
        self.vk.vkQueueWaitIdle(self._queue)

    def close(self) -> None:
        """Wait for the device, and destroy everything."""
        self.finish()
        for fence in self._fences:
            self.vk.vkDestroyFence(self.device, fence, NULL)
        self.vk.vkDestroyCommandPool(self.device, self._pool, NULL)

    def _submit_info(self, buffer: CData) -> CData:
        info = self._arena.new("VkCommandBufferSubmitInfo", commandBuffer=buffer)
        return self._arena.new("VkSubmitInfo2", commandBufferInfoCount=1, pCommandBufferInfos=info)
