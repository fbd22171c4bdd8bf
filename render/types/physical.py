"""Physical descriptions: textures and buffers with their sizes and every usage that they must allow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from renderwright.render.types.parts import Part
from renderwright.render.types.resources import Extent
from renderwright.render.types.usages import Usage


@dataclass(frozen=True)
class TextureInfo:
    """A texture with its size in texels and every usage that it must allow; ``cube`` if layers are faces of cubes.

    A ``transient`` one is an attachment whose contents need never leave the render pass; some devices give these no
    memory. A ``shared`` one belongs to all queues at once, others to the queue that used them last.
    """

    format: str
    extent: Extent
    mips: int
    layers: int
    samples: int
    usages: frozenset[Usage]
    transient: bool = False
    shared: bool = False
    cube: bool = False


@dataclass(frozen=True)
class BufferInfo:
    """A buffer of ``size`` bytes with every usage that it must allow; ``shared`` as for textures."""

    size: int
    usages: frozenset[Usage]
    shared: bool = False


PhysicalInfo = TextureInfo | BufferInfo


def mip_extent(extent: Extent, part: Part) -> Extent:
    """The size of the first mip of a part of a texture of that size."""
    if part.mips is None:
        return extent
    return max(1, extent[0] >> part.mips[0]), max(1, extent[1] >> part.mips[0])


class PhysicalTexture(Protocol):
    """A texture in memory."""

    info: TextureInfo
    name: str


class PhysicalBuffer(Protocol):
    """A buffer in memory. ``data`` is its bytes where the host can write them, else None."""

    info: BufferInfo
    name: str
    data: memoryview | None


Physical = PhysicalTexture | PhysicalBuffer
