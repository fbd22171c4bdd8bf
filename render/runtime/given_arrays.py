"""Textures of the arrays that providers of external resources return."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from renderwright.render.backend.protocol import Backend
from renderwright.render.types.physical import PhysicalTexture, TextureInfo
from renderwright.render.types.resources import Resolution, Texture
from renderwright.render.types.usages import Usage

Array = NDArray[Any]


@dataclass(frozen=True)
class _Kept:
    desc: Texture
    texels: Array
    texture: PhysicalTexture


class GivenArrays:
    """Uploads arrays, and keeps their textures as long as each frame is given the same arrays.

    An array is (height, width, channels), or (layers, height, width, channels), of the format's type, and mip 0; the
    other mips are made from it. Arrays are compared by identity, so a new array is uploaded whatever it holds.
    """

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._kept: dict[str, _Kept] = {}

    def texture(self, name: str, desc: Texture, texels: Array) -> PhysicalTexture:
        """The texture of the array that a resource is given. Raises ``BackendError`` if the array does not fit it."""
        kept = self._kept.get(name)
        if kept is not None and kept.texels is texels and kept.desc == desc:
            return kept.texture
        texture = self._backend.create_texture(_info(desc), name, texels)
        self._release(name)
        self._kept[name] = _Kept(desc, texels, texture)
        return texture

    def keep_only(self, names: Collection[str]) -> None:
        """Release the textures of all other resources."""
        for name in [name for name in self._kept if name not in names]:
            self._release(name)

    def _release(self, name: str) -> None:
        kept = self._kept.pop(name, None)
        if kept is not None:
            self._backend.destroy(kept.texture)


def takes_array(desc: Texture) -> bool:
    """Whether an array can fill a texture: one of a fixed size with one sample."""
    return not isinstance(desc.size, Resolution) and desc.samples == 1


def _info(desc: Texture) -> TextureInfo:
    assert not isinstance(desc.size, Resolution)
    mips = min(desc.mips, max(desc.size).bit_length())
    return TextureInfo(desc.format, desc.size, mips, desc.layers, 1, frozenset({Usage.SAMPLED}), cube=desc.cube)
