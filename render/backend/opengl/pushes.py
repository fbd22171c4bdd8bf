"""The bytes of push constants of an op list: one buffer, written once."""

from __future__ import annotations

import weakref
from collections.abc import Callable

from renderwright.render.backend.opengl.api import ffi
from renderwright.render.backend.opengl.device import Device

_ALIGNMENT = 256
"""The least common alignment of the offsets of blocks: no device needs more."""

_BLOCK_ALIGNMENT = 16


class PushData:
    """Push constants of one list, each block at an offset of its own; ``store`` creates the buffer, whose name is
    ``handle``. It is deleted through ``discard`` when no list needs it any more."""

    def __init__(self, device: Device, discard: Callable[[int], None]) -> None:
        self._device = device
        self._discard = discard
        self._bytes = bytearray()
        self.handle = 0

    def __bool__(self) -> bool:
        return bool(self._bytes)

    def add(self, data: bytes, size: int) -> int:
        """The offset of a block of ``size`` bytes that begins with ``data``."""
        offset = len(self._bytes)
        block = -(-max(size, len(data)) // _ALIGNMENT) * _ALIGNMENT
        self._bytes += data.ljust(block, b"\0")
        return offset

    def bytes_of(self, size: int) -> int:
        """The bytes that a block of ``size`` bytes takes in a shader."""
        return -(-size // _BLOCK_ALIGNMENT) * _BLOCK_ALIGNMENT

    def store(self) -> None:
        """Create the buffer with all blocks added so far."""
        api = self._device.api
        self.handle = api.create("Buffers")
        api.glNamedBufferStorage(self.handle, len(self._bytes), ffi.from_buffer(bytes(self._bytes)), 0)
        self._bytes.clear()
        weakref.finalize(self, self._discard, self.handle).atexit = False
