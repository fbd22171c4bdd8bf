"""The rows of placed things on the GPU, and what nodes make of the things from frame to frame."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from renderwright.engine.renderer.growing_buffer import GrowingBuffer
from renderwright.render.backend.protocol import Backend
from renderwright.render.types.physical import BufferInfo, PhysicalBuffer
from renderwright.render.types.usages import Usage

_LEAST_STATE = 64
_STATE = frozenset({Usage.STORAGE, Usage.STORAGE_READ, Usage.STORAGE_WRITE, Usage.COPY_SRC})


class PlacedBuffers:
    """For each kind of things a buffer of rows by frame slot, and one of their state."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._buffers: dict[str, GrowingBuffer] = {}
        self._states: dict[str, PhysicalBuffer] = {}

    def write(self, name: str, slot: int, data: NDArray[Any]) -> PhysicalBuffer:
        """The slot's buffer of a kind with this data, which does not change any more."""
        if name not in self._buffers:
            self._buffers[name] = GrowingBuffer(self._backend, name, Usage.STORAGE_READ)
        return self._buffers[name].write_once(slot, data)

    def state(self, name: str, size: int) -> PhysicalBuffer:
        """The buffer of a state of so many bytes or more; zeros at first, and when it had to grow."""
        buffer = self._states.get(name)
        if buffer is None or buffer.info.size < size:
            if buffer is not None:
                self._backend.destroy(self._states.pop(name))
            info = BufferInfo(max(_LEAST_STATE, size), _STATE)
            buffer = self._states[name] = self._backend.create_buffer(info, name, bytes(info.size))
        return buffer

    def close(self) -> None:
        """Release the buffers."""
        for buffer in self._buffers.values():
            buffer.close()
        for state in self._states.values():
            self._backend.destroy(state)
