"""Images in the format of Basis Universal (KHR_texture_basisu), through opengl_basisu."""

from __future__ import annotations

import numpy as np

from renderwright.engine.scene.decoding import shown
from renderwright.engine.scene.gltf.extensions import INSTALL
from renderwright.engine.scene.image import MAX_SIDE, MAX_TEXELS, Image
from renderwright.render.errors import AssetError

BASISU = "KHR_texture_basisu"

MAGIC = b"\xabKTX 20\xbb\r\n\x1a\n"
"""The first bytes of a KTX 2 file."""

_EXTENT = slice(20, 28)
"""The bytes of width and height in its header."""


def extent_of(name: str, data: bytes) -> tuple[int, int]:
    """(width, height) in texels, from the header. Raises AssetError, also for an image over the limits."""
    if len(data) < _EXTENT.stop:
        raise AssetError(f'image "{name}" cannot be decoded: it ends within its header', hint="export the image again")
    width, height = (int(side) for side in np.frombuffer(data[_EXTENT], "<u4"))
    if not 0 < max(width, height) <= MAX_SIDE or not 0 < width * height <= MAX_TEXELS:
        raise AssetError(f'image "{name}" has {width} x {height} texels', hint=f"use at most {MAX_SIDE} texels a side")
    return width, height


def decode_basisu(name: str, data: bytes, *, srgb: bool) -> Image:
    """Decode a KTX 2 image. Raises AssetError, also without the decoder."""
    try:
        import opengl_basisu
    except ImportError:
        raise AssetError(
            f'image "{name}" cannot be decoded: {BASISU} needs opengl_basisu ({INSTALL})', hint=INSTALL
        ) from None
    try:
        width, height = extent_of(name, data)
        pixels = np.array(opengl_basisu.open(data).transcode("rgba8").data, np.uint8).reshape(height, width, 4)
    except Exception as error:  # damaged data raise several kinds
        raise AssetError(
            f'image "{name}" cannot be decoded: {shown(str(error))}', hint="export the image again"
        ) from error
    return Image(name, pixels, srgb)
