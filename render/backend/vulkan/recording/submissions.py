"""Submissions, waits, and swapchain images."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from renderwright.render.backend.vulkan.api import NULL, CData, lib
from renderwright.render.backend.vulkan.recording.objects import Objects, Resource, number_of
from renderwright.render.sync.oracle.names import ALL_COMMANDS
from renderwright.render.sync.oracle.stream import (
    Acquire,
    Destroy,
    HostReset,
    HostResetEvent,
    HostSignal,
    HostWait,
    Present,
    Submit,
    Wait,
)


class SubmissionWatch:
    """Observes queues, semaphores and swapchains; ``watched`` are the observers by function name."""

    def __init__(self, objects: Objects, queue: Callable[[CData], str]) -> None:
        self._objects = objects
        self._queue = queue
        self._images: dict[int, list[int]] = {}
        self._reached: dict[str, int] = {}
        self.watched: dict[str, Callable[..., None]] = {
            "vkQueueSubmit2": self._submit,
            "vkQueuePresentKHR": self._present,
            "vkQueueWaitIdle": lambda queue: self._wait_for_all(),
            "vkDeviceWaitIdle": lambda device: self._wait_for_all(),
            "vkWaitSemaphores": self._wait,
            "vkGetSemaphoreCounterValue": self._counter,
            "vkSignalSemaphore": self._signal,
            "vkWaitForFences": self._wait_fences,
            "vkResetFences": self._reset_fences,
            "vkResetEvent": lambda device, event: objects.emit(HostResetEvent(0, objects.event(event))),
            "vkAcquireNextImageKHR": self._acquire,
            "vkGetSwapchainImagesKHR": self._list_images,
            "vkDestroySwapchainKHR": self._destroy_swapchain,
        }

    def _submit(self, queue: CData, count: int, submits: CData, fence: CData) -> None:
        for number in range(count):
            submit = submits[number]
            buffers = tuple(
                self._objects.command_buffer(submit.pCommandBufferInfos[n].commandBuffer)
                for n in range(submit.commandBufferInfoCount)
            )
            waits = tuple(self._waits(submit.pWaitSemaphoreInfos, submit.waitSemaphoreInfoCount))
            signals = tuple(self._waits(submit.pSignalSemaphoreInfos, submit.signalSemaphoreInfoCount))
            if number == count - 1 and fence != NULL:
                signals += (Wait(self._objects.semaphore(fence), 0, ALL_COMMANDS),)
            self._objects.emit(Submit(0, self._queue(queue), buffers, waits, signals))

    def _waits(self, infos: CData, count: int) -> Iterator[Wait]:
        for number in range(count):
            info = infos[number]
            yield Wait(self._objects.semaphore(info.semaphore), int(info.value), int(info.stageMask))

    def _present(self, queue: CData, info: CData) -> None:
        waits = tuple(self._objects.semaphore(info.pWaitSemaphores[n]) for n in range(info.waitSemaphoreCount))
        for number in range(info.swapchainCount):
            image = self._images[number_of(info.pSwapchains[number])][info.pImageIndices[number]]
            self._objects.emit(Present(0, self._queue(queue), self._objects.resource(image), waits))

    # the host -------------------------------------------------------------------------------------------------------

    def stopped(self) -> None:
        """Record a device loss, after which no submitted work runs."""
        self._wait_for_all()

    def _wait_for_all(self) -> None:
        self._objects.emit(HostWait(0, ""))

    def _wait(self, device: CData, info: CData, timeout: int) -> None:
        any_of = info.flags & lib.VK_SEMAPHORE_WAIT_ANY_BIT and info.semaphoreCount > 1
        for number in range(0 if any_of else info.semaphoreCount):
            self._reach(info.pSemaphores[number], int(info.pValues[number]))

    def _counter(self, device: CData, semaphore: CData, value: CData) -> None:
        name = self._objects.semaphore(semaphore)
        if value[0] > self._reached.get(name, 0):
            self._objects.emit(HostWait(0, name, int(value[0]), polled=True))

    def _reach(self, semaphore: CData, value: int) -> None:
        """Record that the host has waited for a value, unless an earlier wait covers it."""
        name = self._objects.semaphore(semaphore)
        if value > self._reached.get(name, 0):
            self._reached[name] = value
            self._objects.emit(HostWait(0, name, value))

    def _signal(self, device: CData, info: CData) -> None:
        self._objects.emit(HostSignal(0, self._objects.semaphore(info.semaphore), int(info.value)))

    def _wait_fences(self, device: CData, count: int, fences: CData, all_of: int, timeout: int) -> None:
        for number in range(count if all_of or count == 1 else 0):
            self._objects.emit(HostWait(0, self._objects.semaphore(fences[number])))

    def _reset_fences(self, device: CData, count: int, fences: CData) -> None:
        for number in range(count):
            self._objects.emit(HostReset(0, self._objects.semaphore(fences[number])))

    # swapchains -----------------------------------------------------------------------------------------------------

    def _list_images(self, device: CData, swapchain: CData, count: CData, images: CData) -> None:
        if images == NULL:
            return
        handles = [number_of(images[number]) for number in range(count[0])]
        self._images[number_of(swapchain)] = handles
        for handle in handles:
            self._objects.resources[handle] = Resource(mips=1, layers=1, display=True)

    def _acquire(
        self, device: CData, swapchain: CData, timeout: int, semaphore: CData, fence: CData, index: CData
    ) -> None:
        image = self._images[number_of(swapchain)][index[0]]
        signalled = semaphore if semaphore != NULL else fence
        self._objects.emit(Acquire(0, self._objects.resource(image), self._objects.semaphore(signalled)))

    def _destroy_swapchain(self, device: CData, swapchain: CData, allocator: CData) -> None:
        for image in self._images.pop(number_of(swapchain), ()):
            resource = self._objects.resources.pop(image, None)
            if resource is not None and resource.id:
                self._objects.emit(Destroy(0, resource.id))
