"""The rows of placed things on the GPU."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from renderwright.engine.renderer.growing_buffer import GrowingBuffer
from renderwright.render.backend.protocol import Backend
from renderwright.render.types.physical import PhysicalBuffer
from renderwright.render.types.usages import Usage


class PlacedBuffers:
    """A buffer of rows for each kind of things and frame slot."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._buffers: dict[str, GrowingBuffer] = {}

    def write(self, name: str, slot: int, data: NDArray[Any]) -> PhysicalBuffer:
        """The slot's buffer of a kind with this data, which does not change any more."""
        if name not in self._buffers:
            self._buffers[name] = GrowingBuffer(self._backend, name, Usage.STORAGE_READ)
        return self._buffers[name].write_once(slot, data)

    def close(self) -> None:
        """Release the buffers."""
        for buffer in self._buffers.values():
            buffer.close()
