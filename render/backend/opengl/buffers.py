"""Buffers: a buffer of OpenGL, or a range of a heap's."""

from __future__ import annotations

from typing import Any

from renderwright.render.backend.opengl import enums as gl
from renderwright.render.backend.opengl.api import NULL, ffi
from renderwright.render.backend.opengl.device import Device
from renderwright.render.backend.opengl.errors import check
from renderwright.render.backend.resource_limits import require_buffer
from renderwright.render.errors import BackendError
from renderwright.render.memory.needs import BUFFER_ALIGNMENT
from renderwright.render.types.physical import BufferInfo

_MAPPED = gl.MAP_READ | gl.MAP_WRITE | gl.MAP_PERSISTENT | gl.MAP_COHERENT


class BufferStorage:
    """The immutable storage of ``size`` bytes, mapped for good if it is for the ``host``.

    It is a little larger: a block in a shader may be larger than its members. Raises ``OutOfMemoryError``.
    """

    def __init__(self, device: Device, size: int, name: str, *, host: bool) -> None:
        self._device = device
        api = device.api
        check(api, "go on")
        self.handle = api.create("Buffers")
        self.mapped: memoryview | None = None
        padded = -(-size // BUFFER_ALIGNMENT) * BUFFER_ALIGNMENT
        api.glNamedBufferStorage(self.handle, padded, NULL, gl.DYNAMIC_STORAGE | (_MAPPED if host else 0))
        try:
            check(api, f"create the buffer {name!r} of {size} bytes")
            if host:
                address = api.glMapNamedBufferRange(self.handle, 0, padded, _MAPPED)
                check(api, f"map the buffer {name!r}")
                self.mapped = memoryview(ffi.buffer(address, size))
        except BackendError:
            api.delete("Buffers", self.handle)
            raise
        device.label(gl.BUFFER_OBJECT, self.handle, name)

    def release(self) -> None:
        """Delete it."""
        self.mapped = None
        self._device.api.delete("Buffers", self.handle)


class GLBuffer:
    """Bytes from ``start`` on of a storage, which belongs to a heap unless it is ``own``; ``data`` is mapped memory."""

    def __init__(self, info: BufferInfo, name: str, storage: BufferStorage, start: int = 0, *, own: bool) -> None:
        self.info = info
        self.name = name
        self.released = False
        self.storage = storage
        self.handle = storage.handle
        self.start = start
        self._own = own
        mapped = storage.mapped
        self.data: memoryview | None = mapped[start : start + info.size] if mapped is not None else None

    def release(self) -> None:
        """Delete the storage if the buffer owns it."""
        self.released = True
        self.data = None
        if self._own:
            self.storage.release()


def own_buffer(device: Device, info: BufferInfo, name: str, *, host: bool) -> GLBuffer:
    """A buffer with memory of its own, mapped if ``host``; contents are undefined."""
    require_buffer(device.name, info, device.buffer_limits)
    return GLBuffer(info, name, BufferStorage(device, info.size, name, host=host), own=True)


def write_buffer(device: Device, buffer: GLBuffer, data: Any, start: int = 0) -> None:
    """Copy bytes into a buffer, behind all commands so far."""
    device.api.glNamedBufferSubData(buffer.handle, buffer.start + start, len(data), ffi.from_buffer(data))
