"""Descriptions of resources: textures, buffers and CPU values (blobs)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Extent = tuple[int, int]
"""Width and height in texels."""

ClearValue = tuple[float, float, float, float]


@dataclass(frozen=True)
class Resolution:
    """A named auto-resolution times a factor: the size follows the name's value."""

    name: str
    scale: float = 1.0

    def scaled(self, factor: float) -> Resolution:
        """The same resolution, ``factor`` times as large."""
        return Resolution(self.name, self.scale * factor)


@dataclass(frozen=True)
class Texture:
    """A texture: format name, size (an auto-resolution or texels), mip levels, array layers, samples a texel.

    The layers of a ``cube`` are the faces of cubes, six each in the order +X, -X, +Y, -Y, +Z, -Z. Shaders can sample
    it by direction (``samplerCube``; ``samplerCubeArray`` for several cubes) or by layer (``sampler2DArray``).
    """

    format: str
    size: Resolution | Extent
    mips: int = 1
    layers: int = 1
    samples: int = 1
    cube: bool = False

    kind = "texture"


@dataclass(frozen=True)
class Buffer:
    """A buffer of ``size`` bytes, or of so many for each texel of an auto-resolution.

    It follows the resolution's full size, regardless of its dynamic size.
    """

    size: int
    each: Resolution | None = None

    kind = "buffer"


@dataclass(frozen=True)
class Blob:
    """A CPU value of a named type; ``type`` is None where only the name is known (a graph read from a file).

    A type may have ``requested_by``, the call that requests it with all that its shaders need, for hints.
    """

    type_name: str
    type: type[Any] | None = None

    kind = "blob"


ResourceDesc = Texture | Buffer | Blob
