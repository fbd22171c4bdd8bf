"""Textures and buffers of the arrays that providers of external resources return."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.render.backend.protocol import Backend
from renderwright.render.errors import GraphError
from renderwright.render.types.physical import BufferInfo, Physical, TextureInfo
from renderwright.render.types.resources import Buffer, Resolution, Texture
from renderwright.render.types.usages import Usage
from renderwright.render.wide_numbers import refuse_wide_numbers

Array = NDArray[Any]


@dataclass(frozen=True)
class _Kept:
    desc: Texture | Buffer
    array: Array
    usages: frozenset[Usage]
    physical: Physical


class GivenArrays:
    """Uploads arrays, and keeps their resources as long as each frame is given the same arrays.

    That of a texture is (height, width, channels), or (layers, height, width, channels), of the format's type, and mip
    0; the other mips are made from it. That of a buffer has its bytes, in any shape. Arrays are compared by identity,
    so a new array is uploaded whatever it holds. A buffer allows only the usages that nodes request, since a device may
    limit its size for others. It is uploaded again when a plan requests a further one.
    """

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._kept: dict[str, _Kept] = {}

    def resource(self, name: str, desc: Texture | Buffer, array: Array, usages: frozenset[Usage]) -> Physical:
        """The texture or buffer of the array that a resource is given, for these ``usages``.

        Raises ``BackendError`` for an array that does not fit the texture, and for a buffer that is too large for one
        of its usages. Raises ``GraphError`` for an array of another size than the buffer, or of float64 or int64.
        """
        kept = self._kept.get(name)
        if kept is not None and kept.desc == desc:
            if kept.array is array and usages <= kept.usages:
                return kept.physical
            # The plan that had the kept one may ask again.
            usages |= kept.usages
        physical: Physical
        if isinstance(desc, Texture):
            physical = self._backend.create_texture(_info(desc), name, array)
        else:
            physical = self._backend.create_buffer(_buffer_info(name, desc, array, usages), name, array.tobytes())
        self._release(name)
        self._kept[name] = _Kept(desc, array, usages, physical)
        return physical

    def keep_only(self, names: Collection[str]) -> None:
        """Release what other resources were given."""
        for name in [name for name in self._kept if name not in names]:
            self._release(name)

    def _release(self, name: str) -> None:
        kept = self._kept.pop(name, None)
        if kept is not None:
            self._backend.destroy(kept.physical)


def takes_array(desc: Texture | Buffer) -> bool:
    """Whether an array can fill it: a texture of a fixed size with one sample, or a buffer of a fixed size."""
    if isinstance(desc, Buffer):
        return desc.each is None
    return not isinstance(desc.size, Resolution) and desc.samples == 1


def _info(desc: Texture) -> TextureInfo:
    assert not isinstance(desc.size, Resolution)
    mips = min(desc.mips, max(desc.size).bit_length())
    return TextureInfo(desc.format, desc.size, mips, desc.layers, 1, frozenset({Usage.SAMPLED}), cube=desc.cube)


def _buffer_info(name: str, desc: Buffer, array: Array, usages: frozenset[Usage]) -> BufferInfo:
    refuse_wide_numbers(f'the buffer "{name}"', array)
    if array.nbytes != desc.size or array.dtype == np.object_:
        raise GraphError(
            f'the buffer "{name}" has {desc.size} bytes, and the array of {array.dtype} has {array.nbytes}',
            hint=f"declare Buffer({array.nbytes}), or return an array of {desc.size} bytes",
        )
    return BufferInfo(array.nbytes, usages)
