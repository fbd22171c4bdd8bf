"""Descriptions of physical textures and buffers: sizes and usages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from renderwright.render.types.parts import Part
from renderwright.render.types.resources import Extent
from renderwright.render.types.usages import Usage


@dataclass(frozen=True)
class TextureInfo:
    """A texture with its size in texels and all of its usages; ``cube`` if its layers are faces of cubes.

    The contents of a ``transient`` attachment never leave the render pass; some devices allocate no memory for it. A
    ``concurrent`` texture is owned by all queues (concurrent sharing), any other by the queue that used it last.
    """

    format: str
    extent: Extent
    mips: int
    layers: int
    samples: int
    usages: frozenset[Usage]
    transient: bool = False
    concurrent: bool = False
    cube: bool = False


@dataclass(frozen=True)
class BufferInfo:
    """A buffer of ``size`` bytes with all of its usages; ``concurrent`` as for textures."""

    size: int
    usages: frozenset[Usage]
    concurrent: bool = False


PhysicalInfo = TextureInfo | BufferInfo


def mip_extent(extent: Extent, part: Part) -> Extent:
    """The size of the first mip of a part of a texture of size ``extent``."""
    if part.mips is None:
        return extent
    return max(1, extent[0] >> part.mips[0]), max(1, extent[1] >> part.mips[0])


class PhysicalTexture(Protocol):
    """A texture in memory."""

    info: TextureInfo
    name: str

    @property
    def released(self) -> bool:
        """Whether its backend has released it."""


class PhysicalBuffer(Protocol):
    """A buffer in memory. ``data`` is its mapped bytes if it is host-visible, else None."""

    info: BufferInfo
    name: str
    data: memoryview | None

    @property
    def released(self) -> bool:
        """Whether its backend has released it."""


Physical = PhysicalTexture | PhysicalBuffer
