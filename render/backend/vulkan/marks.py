"""Which timestamps of a frame the device has passed, told while the frame is on it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from renderwright.render.backend.vulkan.api import CData
from renderwright.render.backend.vulkan.arena import Arena
from renderwright.render.backend.vulkan.barriers import dependency
from renderwright.render.backend.vulkan.buffers import VulkanBuffer
from renderwright.render.backend.vulkan.constants import QUEUE_FAMILY_IGNORED, WHOLE_SIZE
from renderwright.render.backend.vulkan.device import Device
from renderwright.render.backend.vulkan.placement import own_buffer
from renderwright.render.backend.vulkan.queries import MAX_TIMESTAMPS, SlotQueries
from renderwright.render.errors import OutOfMemoryError
from renderwright.render.sync.flags import Access, Stage
from renderwright.render.types.physical import BufferInfo

_WORD = 4


class SlotMarks:
    """The passed timestamps of a frame slot, by query number.

    Queries tell without a wait whether they are there. On drivers that wait nevertheless, marks are ``written``: a word
    in host memory behind each timestamp, or behind the render pass that it is in.
    """

    def __init__(self, device: Device, queries: SlotQueries, slot: int) -> None:
        self._device = device
        self._queries = queries
        self._slot = slot
        self.written = queries.wait
        self._memory: VulkanBuffer | None = None
        self._words: NDArray[np.uint32] | None = None
        self._in_pass = False
        self._late: list[int] = []
        self._arena = Arena()
        self._after_last_frame: CData | None = None
        self._follows = False

    def reset(self) -> None:
        """A frame is submitted; the slot's last one has left the device."""
        if self._words is not None:
            self._words[: self._queries.count] = 0

    # while lists are recorded; the first argument is the command buffer

    def begin_buffer(self, target: CData) -> None:
        """A command buffer begins."""
        self._in_pass = self._follows = False
        self._late.clear()

    def begin_pass(self, target: CData) -> None:
        """No word can be written until the pass ends."""
        self._in_pass = True

    def end_pass(self, target: CData) -> None:
        """Write the words of the pass, whose timestamps have consecutive queries."""
        self._in_pass = False
        if self._late:
            self._write(target, self._late[0], self._late[-1])
            self._late.clear()

    def timestamp(self, target: CData, number: int) -> None:
        """A timestamp was written."""
        if self._in_pass:
            self._late.append(number)
        else:
            self._write(target, number, number)

    def _write(self, target: CData, first: int, last: int) -> None:
        if self._memory is None and self.written:
            info = BufferInfo(MAX_TIMESTAMPS * _WORD, frozenset(), concurrent=True)
            try:
                self._memory = own_buffer(self._device, info, f"marks of frame slot {self._slot}", host=True)
            except OutOfMemoryError:
                self.written = False  # a hang will be told without its node
                return
            assert self._memory.data is not None
            self._words = np.frombuffer(self._memory.data, np.uint32)
            self._words[:] = 0
            self._after_last_frame = self._dependency(self._memory)
        if self._memory is not None:
            if not self._follows:
                self._follows = True
                self._device.dispatch.vkCmdPipelineBarrier2(target, self._after_last_frame)
            offset, size = first * _WORD, (last + 1 - first) * _WORD
            self._device.dispatch.vkCmdFillBuffer(target, self._memory.handle, offset, size, 1)

    def _dependency(self, memory: VulkanBuffer) -> CData:
        """From the words of the slot's last frame to those of this one."""
        written = {"StageMask": int(Stage.CLEAR), "AccessMask": int(Access.TRANSFER_WRITE)}
        barrier = self._arena.new(
            "VkBufferMemoryBarrier2",
            **{f"src{field}": bits for field, bits in written.items()},
            **{f"dst{field}": bits for field, bits in written.items()},
            srcQueueFamilyIndex=QUEUE_FAMILY_IGNORED,
            dstQueueFamilyIndex=QUEUE_FAMILY_IGNORED,
            buffer=memory.handle,
            size=WHOLE_SIZE,
        )
        return dependency(self._arena, buffers=[barrier])

    # while the frame is on the device

    def passed(self) -> Sequence[bool]:
        """For each timestamp of the frame, whether the device has passed it."""
        if self._words is not None:
            passed: list[bool] = (self._words[: self._queries.count] != 0).tolist()
            return passed
        return [] if self.written else self._queries.available()

    def count(self) -> int:
        """How many it has passed."""
        return sum(self.passed())

    def release(self) -> None:
        """Free the memory."""
        if self._memory is not None:
            self._memory.release()
