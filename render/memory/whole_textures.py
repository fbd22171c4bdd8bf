"""Memory where resources share whole textures instead of bytes: a memory class for each kind of texture."""

from __future__ import annotations

from dataclasses import dataclass

from renderwright.render.formats import format_named
from renderwright.render.memory.needs import MemoryNeeds, RowMajorModel
from renderwright.render.types.physical import BufferInfo, TextureInfo
from renderwright.render.types.resources import Extent
from renderwright.render.types.usages import Usage

BUFFERS, HOST_BUFFERS, INDEX_BUFFERS = "buffers", "host_buffers", "index_buffers"


@dataclass(frozen=True)
class TextureKind:
    """All that the memory of a texture depends on: textures of equal kind can be one in turn."""

    format: str
    extent: Extent
    mips: int
    layers: int
    samples: int

    def __str__(self) -> str:
        counts = ((self.mips, "mips"), (self.layers, "layers"), (self.samples, "samples"))
        further = "".join(f", {count} {unit}" for count, unit in counts if count > 1)
        return f"{self.format} {self.extent[0]}x{self.extent[1]}{further}"

    @property
    def memory_class(self) -> str:
        """The class of memory of these textures."""
        return f"texture {self}"

    @property
    def size(self) -> int:
        """The bytes of one such texture."""
        info = TextureInfo(self.format, self.extent, self.mips, self.layers, self.samples, frozenset())
        return RowMajorModel().texture_needs(info).size


def texture_kind(info: TextureInfo) -> TextureKind:
    """The kind of a texture."""
    return TextureKind(format_named(info.format).name, info.extent, info.mips, info.layers, info.samples)


@dataclass(frozen=True)
class WholeTextureModel:
    """The documented model of such a device: row-major texels. Drivers may take more.

    An index buffer has memory of its own, because indirect draws read indices from the start of a buffer.
    """

    def texture_needs(self, info: TextureInfo) -> MemoryNeeds:
        """Requirements of a placed texture: the bytes of its texels, in the class of its kind."""
        needs = RowMajorModel().texture_needs(info)
        return MemoryNeeds(needs.size, needs.alignment, texture_kind(info).memory_class)

    def buffer_needs(self, info: BufferInfo) -> MemoryNeeds:
        """Requirements of a placed buffer."""
        needs = RowMajorModel().buffer_needs(info)
        if Usage.INDEX in info.usages:
            return MemoryNeeds(needs.size, needs.alignment, INDEX_BUFFERS, dedicated=True)
        memory_class = HOST_BUFFERS if Usage.HOST_READ in info.usages else BUFFERS
        return MemoryNeeds(needs.size, needs.alignment, memory_class)
