"""The cells of a texture's part that are looked at one after another: each is one mip of one layer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from renderwright.render.backend.texels import texel_layout
from renderwright.render.types.parts import Part, clipped
from renderwright.render.types.physical import TextureInfo, mip_extent
from renderwright.render.types.resources import Extent


@dataclass(frozen=True)
class Cell:
    """One mip of one layer. ``first`` is the number of its first texel among those of all cells of the part."""

    mip: int
    layer: int
    extent: Extent
    first: int
    bytes: int

    @property
    def texels(self) -> int:
        """The number of its texels."""
        return self.extent[0] * self.extent[1]


def cells_of(part: Part, info: TextureInfo) -> Iterator[Cell]:
    """The cells of a part, mip by mip."""
    layout, first = texel_layout(info.format), 0
    mip, mips = clipped(part.mips, info.mips) or (0, info.mips)
    layer, layers = part.layers or (0, info.layers)
    for number in range(mip, mip + mips):
        extent = mip_extent(info.extent, Part((number, 1)))
        texels = extent[0] * extent[1]
        for each in range(layer, layer + layers):
            yield Cell(number, each, extent, first, texels * layout.channels * layout.dtype.itemsize)
            first += texels


def texel_in_words(part: Part, info: TextureInfo, number: int) -> str:
    """A texel by its ``number`` among those of the part's cells: its column and row, and its mip and layer if the
    texture has several."""
    cell = next(cell for cell in cells_of(part, info) if number < cell.first + cell.texels)
    row, column = divmod(number - cell.first, cell.extent[0])
    words = f"texel ({column}, {row})"
    words += f" of mip {cell.mip}" if info.mips > 1 else ""
    return words + (f" of layer {cell.layer}" if info.layers > 1 else "")
