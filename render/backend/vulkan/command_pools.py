"""Command buffers for work beside the frames, reused when the device has finished with them."""

from __future__ import annotations

from collections.abc import Callable

from renderwright.render.backend.vulkan.api import CData
from renderwright.render.backend.vulkan.commands import CommandPool, VulkanCommandBuffer
from renderwright.render.backend.vulkan.device import Device
from renderwright.render.backend.vulkan.queues import Buffers, Queue
from renderwright.render.backend.vulkan.timeline import Timeline


class CommandPools:
    """Command buffers of a queue with a pool each. ``timeline`` is signalled by their submissions."""

    def __init__(self, device: Device, queue: Queue, timeline: Timeline, name: str) -> None:
        self._device = device
        self._queue = queue
        self._timeline = timeline
        self._name = name
        self._pools: list[CommandPool] = []
        self._buffers: list[VulkanCommandBuffer] = []
        self._alone: list[Buffers] = []
        self._ends: list[int] = []

    def run(self, record: Callable[[CData], None], submit: Callable[[Buffers], int]) -> int:
        """Record a buffer and submit it alone; returns the timeline value at which it has finished."""
        number = self._free()
        buffer = self._buffers[number]
        record(buffer.begin())
        buffer.end()
        self._ends[number] = submit(self._alone[number])
        return self._ends[number]

    def reserve(self) -> None:
        """Make a buffer now, so that no memory is needed for it later."""
        self._add()

    def _free(self) -> int:
        completed = self._timeline.completed()
        for number, value in enumerate(self._ends):
            if value <= completed:
                return number
        self._add()
        return len(self._ends) - 1

    def _add(self) -> None:
        name = f"{self._name} {len(self._pools)}"
        pool = CommandPool(self._device, self._queue, name)
        try:
            buffer = VulkanCommandBuffer(pool, self._queue.name, name, once=True)
        except BaseException:
            pool.release()
            raise
        self._pools.append(pool)
        self._buffers.append(buffer)
        self._alone.append((buffer,))
        self._ends.append(0)

    def release(self) -> None:
        """Destroy the pools with their buffers."""
        for pool in self._pools:
            pool.release()
