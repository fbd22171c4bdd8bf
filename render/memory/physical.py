"""Physical descriptions: textures and buffers with their sizes and every usage that they must allow."""

from __future__ import annotations

from dataclasses import dataclass

from render.graph.resources import Extent
from render.sync.usages import Usage


@dataclass(frozen=True)
class TextureInfo:
    """A texture with its size in texels and every usage that it must allow."""

    format: str
    extent: Extent
    mips: int
    layers: int
    samples: int
    usages: frozenset[Usage]


@dataclass(frozen=True)
class BufferInfo:
    """A buffer of ``size`` bytes with every usage that it must allow."""

    size: int
    usages: frozenset[Usage]


PhysicalInfo = TextureInfo | BufferInfo
