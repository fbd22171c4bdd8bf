"""Command buffers for work beside the frames, reused when the device has finished with them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from renderwright.render.backend.vulkan.api import CData
from renderwright.render.backend.vulkan.commands import CommandPool, VulkanCommandBuffer
from renderwright.render.backend.vulkan.device import Device
from renderwright.render.backend.vulkan.queues import Buffers, Queue
from renderwright.render.backend.vulkan.timeline import Timeline


@dataclass
class _Alone:
    """A command buffer with a pool of its own, ``submitted`` as a tuple; ``end`` is the value of its last end."""

    pool: CommandPool
    buffer: VulkanCommandBuffer
    submitted: Buffers
    end: int = 0


class CommandPools:
    """Command buffers of a queue with a pool each. ``timeline`` is signalled by their submissions."""

    def __init__(self, device: Device, queue: Queue, timeline: Timeline, name: str) -> None:
        self._device = device
        self._queue = queue
        self._timeline = timeline
        self._name = name
        self._all: list[_Alone] = []

    def run(self, record: Callable[[CData], None], submit: Callable[[Buffers], int]) -> int:
        """Record a buffer and submit it alone; returns the timeline value at which it has finished."""
        alone = self._free()
        record(alone.buffer.begin())
        alone.buffer.end()
        alone.end = submit(alone.submitted)
        return alone.end

    def reserve(self) -> None:
        """Make a buffer now, so that no memory is needed for it later."""
        self._add()

    def _free(self) -> _Alone:
        completed = self._timeline.completed()
        return next((alone for alone in self._all if alone.end <= completed), None) or self._add()

    def _add(self) -> _Alone:
        name = f"{self._name} {len(self._all)}"
        pool = CommandPool(self._device, self._queue, name)
        try:
            buffer = VulkanCommandBuffer(pool, self._queue.name, name, once=True)
        except BaseException:
            pool.release()
            raise
        self._all.append(_Alone(pool, buffer, (buffer,)))
        return self._all[-1]

    def release(self) -> None:
        """Destroy the pools with their buffers."""
        for alone in self._all:
            alone.pool.release()
