"""A device that is slow on purpose."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from renderwright.render.backend.vulkan.api import NULL
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.backend.vulkan.errors import check
from renderwright.render.backend.vulkan.timeline import Timeline
from renderwright.render.sync.queues import GRAPHICS

LIMIT = 10_000_000
"""Nanoseconds that a wait for the slow device may take."""


@contextmanager
def slow(backend: VulkanBackend) -> Iterator[None]:
    """Inside, the graphics queue does not get past a submission, so that each wait for later ones gives up."""
    device = backend._device
    gate = Timeline(device, "gate")
    patience = device.wait_nanoseconds
    backend._queues[GRAPHICS].submit(NULL, [(gate, 1)])
    device.wait_nanoseconds = LIMIT
    try:
        yield
    finally:
        device.wait_nanoseconds = patience
        opened = Arena().new("VkSemaphoreSignalInfo", semaphore=gate.semaphore, value=1)
        check(device.dispatch.vkSignalSemaphore(device.handle, opened), "go on")
        backend.wait_idle()
        gate.release()
