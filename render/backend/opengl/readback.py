"""Copies of textures and buffers back to the host."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from renderwright.render.backend.opengl import enums as gl
from renderwright.render.backend.opengl.api import ffi
from renderwright.render.backend.opengl.buffers import GLBuffer
from renderwright.render.backend.opengl.device import Device
from renderwright.render.backend.opengl.errors import check
from renderwright.render.backend.opengl.formats import TOP_24_BITS, pixel_format
from renderwright.render.backend.opengl.textures import GLTexture
from renderwright.render.backend.texels import texel_layout
from renderwright.render.errors import BackendError
from renderwright.render.formats import format_named
from renderwright.render.sync.flags import Layout
from renderwright.render.types.parts import Part
from renderwright.render.types.physical import mip_extent


@dataclass(frozen=True)
class TexelCopy:
    """The arguments of glGetTextureSubImage for some layers of a mip, up to the size of the memory."""

    arguments: tuple[int, ...]


def texel_copy(texture: GLTexture, mip: int, layer: int, layers: int = 1) -> TexelCopy:
    """A copy of layers of one mip to memory."""
    found = pixel_format(texture.info.format)
    width, height = mip_extent(texture.info.extent, Part((mip, 1)))
    return TexelCopy((texture.handle, mip, 0, 0, layer, width, height, layers, found.format, found.type))


def read_texture(device: Device, texture: GLTexture, layout: Layout) -> NDArray[np.generic]:
    """Mip 0 of a texture, (height, width, channels)."""
    info = texture.info
    if info.samples > 1:
        raise BackendError(f"{texture.name!r} is multisampled and cannot be read back", hint="resolve it first")
    if layout is Layout.UNDEFINED:
        raise BackendError(f"{texture.name!r} cannot be read back: nothing has been written to it")
    texels = texel_layout(info.format)
    found = np.empty(texels.shape(info), texels.dtype)
    device.api.glMemoryBarrier(gl.ALL_BARRIERS)
    copy = texel_copy(texture, 0, 0, info.layers)
    device.api.glGetTextureSubImage(*copy.arguments, found.nbytes, ffi.cast("void*", found.ctypes.data))
    check(device.api, f"read back {texture.name!r}")
    if format_named(info.format).name == TOP_24_BITS:
        found >>= np.uint32(8)
    return found


def read_buffer(device: Device, buffer: GLBuffer) -> bytes:
    """All bytes of a buffer."""
    device.api.glMemoryBarrier(gl.ALL_BARRIERS)
    if buffer.data is not None:
        device.api.glFinish()
        return bytes(buffer.data)
    found = bytearray(buffer.info.size)
    device.api.glGetNamedBufferSubData(buffer.handle, buffer.start, len(found), ffi.from_buffer(found))
    check(device.api, f"read back {buffer.name!r}")
    return bytes(found)
