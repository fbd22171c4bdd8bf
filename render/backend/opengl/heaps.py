"""Heaps, and the requirements of what is placed in them.

OpenGL has no memory that textures can share by bytes. So a heap of textures is a row of whole textures of one kind, and
the classes of memory are these kinds: what the packer places at one offset is one texture in turn. A heap of buffers is
one buffer, of which placed buffers are ranges.
"""

from __future__ import annotations

from collections.abc import Sequence

from renderwright.render.backend.opengl.buffers import BufferStorage, GLBuffer, own_buffer
from renderwright.render.backend.opengl.device import Device
from renderwright.render.backend.opengl.textures import (
    GLTexture,
    Storage,
    own_texture,
    require_possible,
)
from renderwright.render.backend.resource_limits import require_buffer
from renderwright.render.errors import BackendError
from renderwright.render.memory.needs import MemoryNeeds
from renderwright.render.memory.whole_textures import (
    BUFFERS,
    HOST_BUFFERS,
    INDEX_BUFFERS,
    TextureKind,
    WholeTextureModel,
    texture_kind,
)
from renderwright.render.types.physical import BufferInfo, TextureInfo


class WholeTextures:
    """The requirements of resources that the device can have."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._model = WholeTextureModel()
        self._kinds: dict[str, TextureKind] = {}

    def texture_needs(self, info: TextureInfo) -> MemoryNeeds:
        """Requirements of a placed texture. Raises ``BackendError`` if there is none."""
        require_possible(self._device, info)
        needs = self._model.texture_needs(info)
        self._kinds[needs.memory_class] = texture_kind(info)
        return needs

    def buffer_needs(self, info: BufferInfo) -> MemoryNeeds:
        """Requirements of a placed buffer. Raises ``BackendError`` if there is none."""
        require_buffer(self._device.name, info, self._device.buffer_limits)
        return self._model.buffer_needs(info)

    def kind_of(self, memory_class: str) -> TextureKind:
        """The kind of the textures of a class of memory."""
        return self._kinds[memory_class]


class GLHeap:
    """A row of textures of one kind, or one buffer. A ``dedicated`` heap has no memory."""

    def __init__(self, device: Device, model: WholeTextures, memory_class: str, size: int, name: str) -> None:
        self.memory_class = memory_class
        self.size = size
        self.name = name
        self.dedicated = memory_class == INDEX_BUFFERS
        self.textures: list[Storage] = []
        self.buffer: BufferStorage | None = None
        self.each = size
        self.kind: TextureKind | None = None
        if memory_class in (BUFFERS, HOST_BUFFERS):
            self.buffer = BufferStorage(device, size, name, host=memory_class == HOST_BUFFERS)
        elif not self.dedicated:
            self.kind = model.kind_of(memory_class)
            self.each = self.kind.size
            self._fill(device, self.kind)

    def _fill(self, device: Device, kind: TextureKind) -> None:
        try:
            for number in range(self.size // self.each):
                self.textures.append(Storage(device, kind, f"{self.name} ({number})"))
        except BackendError:
            self.release()
            raise

    def release(self) -> None:
        """Delete what it has."""
        for storage in self.textures:
            storage.release()
        self.textures.clear()
        if self.buffer is not None:
            self.buffer.release()
            self.buffer = None


class TextureRow:
    """The bytes of a heap of textures, as a buffer that can only be filled: a fill clears the textures within it."""

    def __init__(self, heap: GLHeap, name: str) -> None:
        self.data: memoryview | None = None
        self.info = BufferInfo(heap.size, frozenset())
        self.name = name
        self.released = False
        self._heap = heap

    def within(self, start: int, end: int) -> Sequence[Storage]:
        """The textures that have all their bytes between ``start`` and ``end``."""
        each = self._heap.each
        return self._heap.textures[-(-start // each) : end // each]

    def release(self) -> None:
        """Do nothing: the textures are the heap's."""
        self.released = True


def cover_heap(heap: GLHeap, name: str) -> TextureRow | GLBuffer:
    """A buffer over the bytes of a heap. Raises ``BackendError`` for a dedicated heap."""
    if heap.dedicated:
        raise BackendError(f'"{heap.name}" is dedicated and cannot be covered')
    if heap.buffer is None:
        return TextureRow(heap, name)
    return GLBuffer(BufferInfo(heap.size, frozenset()), name, heap.buffer, own=False)


def place_texture(device: Device, heap: GLHeap, offset: int, info: TextureInfo, name: str) -> GLTexture:
    """The texture at a byte offset of the heap; one of another kind, or between two, has storage of its own."""
    number, beside = divmod(offset, heap.each)
    if texture_kind(info) != heap.kind or beside or number >= len(heap.textures):
        return own_texture(device, info, name)
    return GLTexture(device, info, name, heap.textures[number], own=False)


def place_buffer(device: Device, heap: GLHeap, offset: int, info: BufferInfo, name: str) -> GLBuffer:
    """A buffer at a byte offset of the heap."""
    if heap.buffer is None:
        return own_buffer(device, info, name, host=False)
    return GLBuffer(info, name, heap.buffer, offset, own=False)
