"""A buffer that the host writes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT, Backend
from renderwright.render.types.physical import BufferInfo, PhysicalBuffer
from renderwright.render.types.usages import Usage


class GrowingBuffer:
    """A host-written buffer per frame slot, replaced by a larger one if the data does not fit."""

    def __init__(self, backend: Backend, name: str, *usages: Usage) -> None:
        self._backend = backend
        self._name = name
        self._usages = frozenset(usages)
        self._buffers: list[PhysicalBuffer | None] = [None] * FRAMES_IN_FLIGHT
        self._written: list[NDArray[Any] | None] = [None] * FRAMES_IN_FLIGHT

    def buffer(self, slot: int) -> PhysicalBuffer:
        """The slot's buffer, which ``mapped`` or ``write`` has made."""
        buffer = self._buffers[slot]
        assert buffer is not None
        return buffer

    def mapped(self, slot: int, dtype: np.dtype[Any], count: int) -> tuple[NDArray[Any], bool]:
        """The memory of the slot's buffer as an array of ``count`` elements, and whether it is a new buffer."""
        size = max(1, count * dtype.itemsize)
        buffer, new = self._buffers[slot], False
        if buffer is None or buffer.info.size < size:
            if buffer is not None:
                self._backend.destroy(buffer)
                self._buffers[slot] = None
            info = BufferInfo(max(4096, 1 << (size - 1).bit_length()), self._usages)
            buffer = self._buffers[slot] = self._backend.create_buffer(info, f"{self._name} {slot}", host=True)
            new = True
        assert buffer.data is not None
        return np.frombuffer(buffer.data, dtype, count), new

    def write(self, slot: int, data: NDArray[Any]) -> PhysicalBuffer:
        """Write the array's bytes to the slot's buffer and return it."""
        raw = np.ascontiguousarray(data).view(np.uint8).reshape(-1)
        self.mapped(slot, raw.dtype, len(raw))[0][:] = raw
        return self.buffer(slot)

    def write_once(self, slot: int, data: NDArray[Any]) -> PhysicalBuffer:
        """Like ``write``, for an array that does not change: it is written when the slot had another one."""
        if self._written[slot] is not data:
            self.write(slot, data)
            self._written[slot] = data
        return self.buffer(slot)

    def close(self) -> None:
        """Release the buffers."""
        for buffer in self._buffers:
            if buffer is not None:
                self._backend.destroy(buffer)
