"""Command buffers for work beside the frames, reused when the device has finished with them."""

from __future__ import annotations

from collections.abc import Callable

from renderwright.render.backend.vulkan.api import CData
from renderwright.render.backend.vulkan.commands import CommandPool
from renderwright.render.backend.vulkan.device import Device
from renderwright.render.backend.vulkan.queues import Queue
from renderwright.render.backend.vulkan.timeline import Timeline


class CommandPools:
    """Command pools of one buffer each for a queue. ``timeline`` is signalled by their submissions."""

    def __init__(self, device: Device, queue: Queue, timeline: Timeline, name: str) -> None:
        self._device = device
        self._queue = queue
        self._timeline = timeline
        self._name = name
        self._pools: list[tuple[int, CommandPool]] = []

    def run(self, record: Callable[[CData], None], submit: Callable[[CData], int]) -> int:
        """Record a buffer and submit it; returns the timeline value at which it has finished."""
        number, pool = self._free()
        pool.reset()
        record(pool.buffer())
        value = submit(pool.finish())
        self._pools[number] = value, pool
        return value

    def reserve(self) -> None:
        """Make a pool now, so that no memory is needed for it later."""
        self._add()

    def _free(self) -> tuple[int, CommandPool]:
        completed = self._timeline.completed()
        for number, (value, pool) in enumerate(self._pools):
            if value <= completed:
                return number, pool
        return len(self._pools), self._add()

    def _add(self) -> CommandPool:
        pool = CommandPool(self._device, self._queue, f"{self._name} {len(self._pools)}")
        try:
            pool.buffer()
        except BaseException:
            pool.release()
            raise
        self._pools.append((0, pool))
        return pool

    def release(self) -> None:
        """Destroy the pools."""
        for _, pool in self._pools:
            pool.release()
