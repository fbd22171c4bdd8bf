"""Copies between the host and the device that the caller waits for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from renderwright.render.backend.timeline import Retirement
from renderwright.render.backend.vulkan.api import CData
from renderwright.render.backend.vulkan.buffers import VulkanBuffer
from renderwright.render.backend.vulkan.command_pools import CommandPools
from renderwright.render.backend.vulkan.device import Device
from renderwright.render.backend.vulkan.placement import own_buffer
from renderwright.render.backend.vulkan.queues import Queues
from renderwright.render.sync.queues import GRAPHICS
from renderwright.render.types.physical import BufferInfo


class Transfers:
    """Uploads and read-back: on the graphics queue, behind all that was submitted to any queue.

    A wait may give up on a slow device, which then still executes the copy. So the command buffer is not recorded
    again, and staging memory is not released, before the device has finished with them.
    """

    def __init__(self, device: Device, queues: Queues, retirement: Retirement) -> None:
        self._device = device
        self._queue = queues[GRAPHICS]
        self._others = [queue.timeline for queue in queues.values() if queue is not self._queue]
        self._retirement = retirement
        self._pools = CommandPools(device, self._queue, self._queue.timeline, "transfers")
        self._pools.reserve()

    @contextmanager
    def staging(self, size: int, name: str) -> Iterator[VulkanBuffer]:
        """Host memory for the copies of one ``run``."""
        buffer = own_buffer(self._device, BufferInfo(size, frozenset()), name, host=True)
        try:
            yield buffer
        except BaseException:
            self._retirement.add(buffer)
            raise
        buffer.release()

    def run(self, record: Callable[[CData], None]) -> None:
        """Record, submit and wait (bounded) until the device is done."""
        waits = [(timeline, timeline.submitted) for timeline in self._others if timeline.submitted]
        value = self._pools.run(record, lambda buffers: self._queue.submit(buffers, waits))
        self._queue.timeline.wait(value)

    def release(self) -> None:
        """Destroy the command buffers."""
        self._pools.release()
