"""How much memory a resource needs.

``place`` asks a backend; a model answers where there is none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from render.formats import format_named
from render.memory.physical import BufferInfo, TextureInfo

TEXTURE_ALIGNMENT = 65536
BUFFER_ALIGNMENT = 256


@dataclass(frozen=True)
class MemoryNeeds:
    """Bytes, alignment in bytes, and the class of memory: only resources of one class may share a heap."""

    size: int
    alignment: int
    memory_class: str


class MemoryModel(Protocol):
    """Answers how much memory a resource takes; must give equal answers to equal questions."""

    def texture_needs(self, info: TextureInfo) -> MemoryNeeds:
        """Memory of a placed texture."""

    def buffer_needs(self, info: BufferInfo) -> MemoryNeeds:
        """Memory of a placed buffer."""


class RowMajorModel:
    """The documented model for plans without a GPU: row-major texels of every mip level, layer and sample."""

    def texture_needs(self, info: TextureInfo) -> MemoryNeeds:
        """Sum over mip levels of width x height x bytes a texel, times layers and samples."""
        texels = 0
        width, height = info.extent
        for _ in range(info.mips):
            texels += width * height
            width, height = max(1, width // 2), max(1, height // 2)
        size = texels * format_named(info.format).texel_bytes * info.layers * info.samples
        return MemoryNeeds(_round_up(size, TEXTURE_ALIGNMENT), TEXTURE_ALIGNMENT, "textures")

    def buffer_needs(self, info: BufferInfo) -> MemoryNeeds:
        """The bytes asked for, rounded up to the alignment."""
        return MemoryNeeds(_round_up(info.size, BUFFER_ALIGNMENT), BUFFER_ALIGNMENT, "buffers")


def _round_up(value: int, alignment: int) -> int:
    return -(-value // alignment) * alignment
