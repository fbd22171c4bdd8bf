"""A command buffer with its pool, and its submission to the queue."""

from __future__ import annotations

from collections.abc import Callable

from render.backend.vulkan.api import NULL, CData, lib
from render.backend.vulkan.arena import Arena
from render.backend.vulkan.device import Device
from render.backend.vulkan.errors import check
from render.backend.vulkan.timeline import Timeline
from render.sync.flags import Stage


class CommandBuffer:
    """One primary command buffer, recorded anew for every submission. All structs are made once and patched."""

    def __init__(self, device: Device, timeline: Timeline, name: str) -> None:
        self._device = device
        self._timeline = timeline
        self._arena = arena = Arena()
        self._pool = self._create_pool(name)
        try:
            self.handle = self._allocate(name)
        except BaseException:
            self.release()
            raise
        self._begin = arena.new("VkCommandBufferBeginInfo", flags=lib.VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT)
        self._wait = arena.new("VkSemaphoreSubmitInfo", stageMask=int(Stage.COLOR_ATTACHMENT_OUTPUT))
        self._signals = arena.array(
            "VkSemaphoreSubmitInfo",
            [
                {"semaphore": timeline.semaphore, "stageMask": int(Stage.ALL_COMMANDS)},
                {"stageMask": int(Stage.ALL_COMMANDS)},
            ],
        )
        self._submit = arena.new(
            "VkSubmitInfo2",
            pWaitSemaphoreInfos=self._wait,
            commandBufferInfoCount=1,
            pCommandBufferInfos=arena.new("VkCommandBufferSubmitInfo", commandBuffer=self.handle),
            pSignalSemaphoreInfos=self._signals,
        )

    def begin(self) -> None:
        """Throw away what was recorded, which must have left the device, and start again."""
        dispatch = self._device.dispatch
        check(dispatch.vkResetCommandPool(self._device.handle, self._pool, 0), "reset a command pool")
        check(dispatch.vkBeginCommandBuffer(self.handle, self._begin), "begin a command buffer")

    def submit(self, wait: CData = NULL, signal: CData = NULL) -> int:
        """End and submit; the timeline will reach the returned value when the device is done.

        Colour output waits for the binary semaphore ``wait``; ``signal`` is signalled at the end (either may be null).
        """
        dispatch = self._device.dispatch
        check(dispatch.vkEndCommandBuffer(self.handle), "end a command buffer")
        value = self._timeline.submitted + 1
        self._signals[0].value = value
        self._wait.semaphore = wait
        self._signals[1].semaphore = signal
        self._submit.waitSemaphoreInfoCount = int(wait != NULL)
        self._submit.signalSemaphoreInfoCount = 1 + int(signal != NULL)
        check(dispatch.vkQueueSubmit2(self._device.queue, 1, self._submit, NULL), "submit a frame")
        self._timeline.submitted = value
        return value

    def run(self, record: Callable[[CData], None]) -> None:
        """Record, submit and wait until the device is done: for uploads and read-back."""
        self.begin()
        record(self.handle)
        self._timeline.wait(self.submit())

    def release(self) -> None:
        """Destroy the pool with its buffer."""
        self._device.dispatch.vkDestroyCommandPool(self._device.handle, self._pool, NULL)

    def _create_pool(self, name: str) -> CData:
        info = self._arena.new(
            "VkCommandPoolCreateInfo",
            flags=lib.VK_COMMAND_POOL_CREATE_TRANSIENT_BIT,
            queueFamilyIndex=self._device.family,
        )
        pool = self._arena.out("VkCommandPool")
        check(
            self._device.dispatch.vkCreateCommandPool(self._device.handle, info, NULL, pool),
            f"create the command pool of {name}",
        )
        self._device.name(lib.VK_OBJECT_TYPE_COMMAND_POOL, pool[0], f"{name} pool")
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
