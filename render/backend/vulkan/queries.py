"""The timestamp queries of a frame slot."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from renderwright.render.backend.vulkan.api import NULL, ffi, lib
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.defects import waits_for_queries
from renderwright.render.backend.vulkan.device import Device
from renderwright.render.backend.vulkan.errors import check
from renderwright.render.errors import BackendError

MAX_TIMESTAMPS = 8192
"""The most timestamps of one frame."""

_QUERY_BYTES = 16  # 64 bits of time and 64 bits of availability


class SlotQueries:
    """The ``count`` queries of a frame, by number. ``times`` are from the last collected frame; ``uncollected`` is set
    by a submission. If they ``wait``, the driver waits, without a limit, for all that was submitted.

    The host resets them, because a copy queue cannot.
    """

    def __init__(self, device: Device, slot: int) -> None:
        self._device = device
        self.times: list[int] = []
        self.uncollected = False
        arena = Arena()
        info = arena.new("VkQueryPoolCreateInfo", queryType=lib.VK_QUERY_TYPE_TIMESTAMP, queryCount=MAX_TIMESTAMPS)
        pool = arena.out("VkQueryPool")
        check(device.dispatch.vkCreateQueryPool(device.handle, info, NULL, pool), "create timestamp queries")
        self.pool = pool[0]
        device.name(lib.VK_OBJECT_TYPE_QUERY_POOL, self.pool, f"timestamps of frame slot {slot}")
        device.dispatch.vkResetQueryPool(device.handle, self.pool, 0, MAX_TIMESTAMPS)
        self.count = 0
        self.wait = waits_for_queries(device.physical.driver)
        self._used = 0
        self._masks = np.zeros(MAX_TIMESTAMPS, np.uint64)
        self._results = ffi.new("char[]", MAX_TIMESTAMPS * _QUERY_BYTES)

    def use(self, number: int, bits: int) -> None:
        """Use query ``number`` from the next frame on; its timestamps have ``bits`` valid bits."""
        if not 0 <= number < MAX_TIMESTAMPS:
            raise BackendError(f"timestamp {number} is out of range", hint=f"a frame has {MAX_TIMESTAMPS} of them")
        self._used = max(self._used, number + 1)
        self._masks[number] = (1 << bits) - 1

    def reset(self) -> None:
        """Reset the used queries, after the device has finished their last frame and before the next submission."""
        self.count = self._used
        self.uncollected, self.times = False, []
        if self.count:
            self._device.dispatch.vkResetQueryPool(self._device.handle, self.pool, 0, self.count)

    def available(self) -> Sequence[bool]:
        """For each query of the frame, whether its time is there."""
        return [] if not self.count else (self._pairs()[:, 1] != 0).tolist()

    def collect(self) -> None:
        """Read the times of a frame that the device has finished."""
        if not self.uncollected:
            return
        self.uncollected = False
        if not self.count:
            return
        pairs = self._pairs()
        ticks = np.where(pairs[:, 1] != 0, pairs[:, 0] & self._masks[: self.count], np.uint64(0))
        period = self._device.timestamp_period
        self.times = [round(time * period) for time in ticks.tolist()]
        written = [time for time in self.times if time]
        if written:
            self._device.progress.measured(max(written) - min(written))

    def _pairs(self) -> NDArray[np.uint64]:
        """For each query of the frame its time, and whether that is there."""
        count = self.count
        flags = lib.VK_QUERY_RESULT_64_BIT | lib.VK_QUERY_RESULT_WITH_AVAILABILITY_BIT
        size = count * _QUERY_BYTES
        result = self._device.dispatch.vkGetQueryPoolResults(
            self._device.handle, self.pool, 0, count, size, self._results, _QUERY_BYTES, flags
        )
        if result != lib.VK_NOT_READY:  # a query was not written in this frame
            check(result, "read timestamps")
        return np.frombuffer(ffi.buffer(self._results, size), np.uint64).reshape(count, 2)

    def release(self) -> None:
        """Destroy the pool."""
        self._device.dispatch.vkDestroyQueryPool(self._device.handle, self.pool, NULL)
