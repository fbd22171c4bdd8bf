"""A device that is slow on purpose."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.backend.vulkan.errors import check
from renderwright.render.backend.vulkan.timeline import Timeline
from renderwright.render.sync.queues import GRAPHICS

LIMIT = 10_000_000
"""Nanoseconds without progress after which the slow device is taken to hang."""


class Gate:
    """Submissions that wait in front of later ones; each ``open`` lets the device come to the next."""

    def __init__(self, backend: VulkanBackend) -> None:
        self._backend = backend
        self._timeline = Timeline(backend._device, "gate")
        self._shut: list[int] = []
        self._opened = 0

    @property
    def is_open(self) -> bool:
        """Whether the device is held up nowhere."""
        return self._opened == len(self._shut)

    def shut(self) -> None:
        """The graphics queue does not get past this point before the gate is opened once more."""
        passed = self._backend._queues[GRAPHICS].submit((), [(self._timeline, len(self._shut) + 1)])
        self._shut.append(passed)

    def open(self) -> None:
        """The device goes on to the next point where the gate is shut."""
        self._opened += 1
        device = self._backend._device
        opened = Arena().new("VkSemaphoreSignalInfo", semaphore=self._timeline.semaphore, value=self._opened)
        check(device.dispatch.vkSignalSemaphore(device.handle, opened), "go on")

    def let_pass(self) -> None:
        """Open it once, and wait until the device has come to the next point."""
        passed = self._shut[self._opened]
        self.open()
        while self._backend._queues[GRAPHICS].timeline.completed() < passed:
            time.sleep(0.0002)

    def remove(self) -> None:
        """Open it for good."""
        while not self.is_open:
            self.open()
        self._backend.wait_idle()
        self._timeline.release()


@contextmanager
def slow(backend: VulkanBackend) -> Iterator[None]:
    """Inside, the graphics queue does not get past a submission, so that each wait for later ones gives up."""
    progress = backend._device.progress
    patience = progress.limit
    gate = Gate(backend)
    gate.shut()
    progress.limit = LIMIT
    try:
        yield
    finally:
        progress.limit = patience
        gate.remove()
