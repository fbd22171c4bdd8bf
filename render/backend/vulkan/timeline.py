"""The timeline semaphores that say how far the queues have come."""

from __future__ import annotations

from renderwright.render.backend.timeline import DeviceTimeline
from renderwright.render.backend.vulkan.api import NULL, ffi, lib
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.device import Device
from renderwright.render.backend.vulkan.errors import check


class Timeline(DeviceTimeline):
    """A queue's timeline semaphore."""

    def __init__(self, device: Device, queue: str) -> None:
        super().__init__(device.progress, device.physical.name)
        self._device = device
        self._arena = Arena()
        kind = self._arena.new("VkSemaphoreTypeCreateInfo", semaphoreType=lib.VK_SEMAPHORE_TYPE_TIMELINE)
        info = self._arena.new("VkSemaphoreCreateInfo", pNext=kind)
        semaphore = self._arena.out("VkSemaphore")
        check(device.dispatch.vkCreateSemaphore(device.handle, info, NULL, semaphore), "create the timeline")
        self.semaphore = semaphore[0]
        self._value = self._arena.out("uint64_t")
        self._wait = self._arena.new(
            "VkSemaphoreWaitInfo", semaphoreCount=1, pSemaphores=semaphore, pValues=self._value
        )
        self._counter = ffi.new("uint64_t*")
        device.name(lib.VK_OBJECT_TYPE_SEMAPHORE, self.semaphore, f"{queue} timeline")
        device.progress.watch(self.completed)

    def completed(self) -> int:
        """The value that the device has reached."""
        check(
            self._device.dispatch.vkGetSemaphoreCounterValue(self._device.handle, self.semaphore, self._counter),
            "ask how far the device is",
        )
        return int(self._counter[0])

    def _reaches(self, value: int, nanoseconds: int) -> bool:
        self._value[0] = value
        with self._device.waiting():
            result = self._device.dispatch.vkWaitSemaphores(self._device.handle, self._wait, nanoseconds)
        if result == lib.VK_TIMEOUT:
            return False
        check(result, "wait for the device")
        return True

    def release(self) -> None:
        """Destroy the semaphore."""
        self._device.progress.ignore(self.completed)
        self._device.dispatch.vkDestroySemaphore(self._device.handle, self.semaphore, NULL)
