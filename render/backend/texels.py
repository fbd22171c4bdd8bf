"""The layout of a format's texels in numpy arrays."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.render.errors import BackendError
from renderwright.render.formats import Aspect, format_named
from renderwright.render.types.physical import TextureInfo

_PLAIN = re.compile(r"(r|rg|rgba|bgra)(8|16|32)_(unorm|snorm|uint|sint|sfloat|srgb)")
_LETTERS = {"unorm": "u", "uint": "u", "srgb": "u", "snorm": "i", "sint": "i", "sfloat": "f"}
_DEPTH = {"d16_unorm": "u2", "d32_sfloat": "f4", "d24_unorm_s8_uint": "u4", "d32_sfloat_s8_uint": "f4"}


@dataclass(frozen=True)
class TexelLayout:
    """The type of a channel and the channels per texel."""

    dtype: np.dtype[Any]
    channels: int

    def shape(self, info: TextureInfo) -> tuple[int, ...]:
        """The shape of mip 0: (height, width, channels), with a leading axis for several layers."""
        width, height = info.extent
        texels = (height, width, self.channels)
        return (info.layers, *texels) if info.layers > 1 else texels

    def bytes(self, info: TextureInfo) -> int:
        """The bytes of mip 0 in a buffer."""
        return math.prod(self.shape(info)) * self.dtype.itemsize


def texel_layout(format_name: str) -> TexelLayout:
    """The layout of a format's texels in a buffer, channels in memory order.

    Normalised formats have their integer type, packed formats one unsigned integer per texel. For a format with stencil
    it is the layout of the depth. Raises ``GraphError`` for an unknown format.
    """
    found = format_named(format_name)
    if found.aspect is not Aspect.COLOR:
        return TexelLayout(np.dtype(_DEPTH[found.name]), 1)
    plain = _PLAIN.fullmatch(found.name)
    if plain is None:
        return TexelLayout(np.dtype(f"u{found.texel_bytes}"), 1)
    channels, bits, kind = plain.groups()
    return TexelLayout(np.dtype(f"{_LETTERS[kind]}{int(bits) // 8}"), len(channels))


def texel_bytes(info: TextureInfo, name: str, pixels: NDArray[Any]) -> memoryview:
    """The pixels as the bytes of mip 0, not copied if they lie in a row; ``BackendError`` when their type or shape does
    not fit the texture."""
    layout = texel_layout(info.format)
    shape = layout.shape(info)
    if pixels.dtype != layout.dtype or (pixels.shape != shape and (*pixels.shape, 1) != shape):
        raise BackendError(
            f"the pixels of {name!r} are {pixels.dtype} of shape {pixels.shape}; "
            f'"{info.format}" of {info.extent[0]} x {info.extent[1]} takes {layout.dtype} of shape {shape}',
            hint="convert the array, or choose a format that fits it",
        )
    return np.ascontiguousarray(pixels).data.cast("B")
