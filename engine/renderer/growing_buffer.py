"""A buffer that the host rewrites in every frame."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.render.backend.protocol import FRAMES_IN_FLIGHT, Backend
from renderwright.render.types.physical import BufferInfo, PhysicalBuffer
from renderwright.render.types.usages import Usage


class GrowingBuffer:
    """A host-written buffer per frame slot, replaced by a larger one if the data does not fit."""

    def __init__(self, backend: Backend, name: str, usage: Usage) -> None:
        self._backend = backend
        self._name = name
        self._usage = usage
        self._buffers: list[PhysicalBuffer | None] = [None] * FRAMES_IN_FLIGHT

    def write(self, slot: int, data: NDArray[Any]) -> PhysicalBuffer:
        """Write the array's bytes to the slot's buffer and return it."""
        raw = np.ascontiguousarray(data).view(np.uint8).reshape(-1)
        buffer = self._buffers[slot]
        if buffer is None or buffer.info.size < max(1, raw.nbytes):
            if buffer is not None:
                self._backend.destroy(buffer)
            size = max(4096, 1 << (max(1, raw.nbytes) - 1).bit_length())
            info = BufferInfo(size, frozenset({self._usage}))
            buffer = self._buffers[slot] = self._backend.create_buffer(info, f"{self._name} {slot}", host=True)
        assert buffer.data is not None
        buffer.data[: raw.nbytes] = raw.data
        return buffer

    def close(self) -> None:
        """Release the buffers."""
        for buffer in self._buffers:
            if buffer is not None:
                self._backend.destroy(buffer)
