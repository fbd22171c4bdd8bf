"""Frame slots: each has a command buffer and timestamp queries of its own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from render.backend.protocol import OpList
from render.backend.vulkan.api import NULL, CData, ffi, lib
from render.backend.vulkan.arena import Arena
from render.backend.vulkan.commands import CommandBuffer
from render.backend.vulkan.device import Device
from render.backend.vulkan.errors import check
from render.backend.vulkan.timeline import Timeline
from render.errors import BackendError

MAX_TIMESTAMPS = 8192
"""Timestamps that one frame can write."""

_QUERY_BYTES = 16  # a 64-bit time and a 64-bit "is there" flag


class FrameSlot:
    """One of the frames that may be in flight."""

    def __init__(self, device: Device, timeline: Timeline, number: int) -> None:
        self._device = device
        self._timeline = timeline
        self.commands = CommandBuffer(device, timeline, f"frame slot {number}")
        self._submitted = 0
        self._uncollected = False
        try:
            self.queries = self._create_queries(number)
        except BaseException:
            self.commands.release()
            raise
        self._used_queries = 0
        self._reset_queries = 0
        self._results = ffi.new("char[]", MAX_TIMESTAMPS * _QUERY_BYTES)
        self._times: list[int] = []

    def use_query(self, number: int) -> None:
        """Have query ``number`` reset at the start of every frame from now on."""
        if not 0 <= number < MAX_TIMESTAMPS:
            raise BackendError(f"timestamp {number} is out of range", hint=f"a frame has {MAX_TIMESTAMPS} of them")
        self._used_queries = max(self._used_queries, number + 1)

    def begin(self) -> None:
        """Wait until the slot's last frame has left the device, and start a new one."""
        self._timeline.wait(self._submitted)
        self._collect()
        self.commands.begin()

    def end(self, lists: Sequence[OpList], wait: CData = NULL, signal: CData = NULL) -> None:
        """Play the lists and submit."""
        self._reset_queries = self._used_queries
        if self._reset_queries:
            self._device.dispatch.vkCmdResetQueryPool(self.commands.handle, self.queries, 0, self._reset_queries)
        for oplist in lists:
            for function, arguments in oplist.ops:
                function(*arguments)
        self._submitted = self.commands.submit(wait, signal)
        self._uncollected = True

    def timestamps(self) -> list[int]:
        """Nanoseconds by query number, of the last finished frame; 0 where the frame wrote none."""
        if self._uncollected and self._timeline.completed() >= self._submitted:
            self._collect()
        return self._times

    def release(self) -> None:
        """Destroy the slot's objects."""
        self._device.dispatch.vkDestroyQueryPool(self._device.handle, self.queries, NULL)
        self.commands.release()

    def _collect(self) -> None:
        if not self._uncollected:
            return
        self._uncollected = False
        count = self._reset_queries
        if not count:
            return
        flags = lib.VK_QUERY_RESULT_64_BIT | lib.VK_QUERY_RESULT_WITH_AVAILABILITY_BIT
        size = count * _QUERY_BYTES
        result = self._device.dispatch.vkGetQueryPoolResults(
            self._device.handle, self.queries, 0, count, size, self._results, _QUERY_BYTES, flags
        )
        if result != lib.VK_NOT_READY:  # some query was not written in this frame
            check(result, "read timestamps")
        pairs = np.frombuffer(ffi.buffer(self._results, size), np.uint64).reshape(count, 2)
        mask = np.uint64((1 << self._device.timestamp_bits) - 1)
        ticks = np.where(pairs[:, 1] != 0, pairs[:, 0] & mask, np.uint64(0))
        period = self._device.timestamp_period
        self._times = [round(time * period) for time in ticks.tolist()]

    def _create_queries(self, number: int) -> CData:
        arena = Arena()
        info = arena.new("VkQueryPoolCreateInfo", queryType=lib.VK_QUERY_TYPE_TIMESTAMP, queryCount=MAX_TIMESTAMPS)
        pool = arena.out("VkQueryPool")
        check(
            self._device.dispatch.vkCreateQueryPool(self._device.handle, info, NULL, pool), "create timestamp queries"
        )
        self._device.name(lib.VK_OBJECT_TYPE_QUERY_POOL, pool[0], f"timestamps of frame slot {number}")
        return pool[0]
