"""The memory requirements of a resource: from the backend, or from a model without one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from renderwright.render.formats import format_named
from renderwright.render.types.physical import BufferInfo, TextureInfo

TEXTURE_ALIGNMENT = 65536
BUFFER_ALIGNMENT = 256
NO_LIMIT = 2**63


@dataclass(frozen=True)
class MemoryNeeds:
    """Size and alignment in bytes, and the memory class: only resources of the same class may share a heap.

    ``heap_limit`` is the largest size of a heap of the class, in bytes. A ``dedicated`` resource has a heap of its own.
    """

    size: int
    alignment: int
    memory_class: str
    heap_limit: int = NO_LIMIT
    dedicated: bool = False


class MemoryModel(Protocol):
    """The memory requirements of resources; equal arguments must give equal results."""

    def texture_needs(self, info: TextureInfo) -> MemoryNeeds:
        """Requirements of a placed texture."""

    def buffer_needs(self, info: BufferInfo) -> MemoryNeeds:
        """Requirements of a placed buffer."""


@dataclass(frozen=True)
class RowMajorModel:
    """The documented model for plans without a GPU: row-major texels of every mip level, layer and sample.

    ``lazy`` models a device with a memory class for transient attachments.
    """

    heap_limit: int = NO_LIMIT
    lazy: bool = False

    def texture_needs(self, info: TextureInfo) -> MemoryNeeds:
        """Sum over mip levels of width x height x bytes a texel, times layers and samples."""
        texels = 0
        width, height = info.extent
        for _ in range(info.mips):
            texels += width * height
            width, height = max(1, width // 2), max(1, height // 2)
        size = texels * format_named(info.format).texel_bytes * info.layers * info.samples
        memory_class = "lazy_textures" if info.transient and self.lazy else "textures"
        return MemoryNeeds(_round_up(size, TEXTURE_ALIGNMENT), TEXTURE_ALIGNMENT, memory_class, self.heap_limit)

    def buffer_needs(self, info: BufferInfo) -> MemoryNeeds:
        """The buffer's bytes, rounded up to the alignment."""
        return MemoryNeeds(_round_up(info.size, BUFFER_ALIGNMENT), BUFFER_ALIGNMENT, "buffers", self.heap_limit)


def _round_up(value: int, alignment: int) -> int:
    return -(-value // alignment) * alignment
