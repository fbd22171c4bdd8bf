"""Texels as the bytes of files, and their digests."""

from __future__ import annotations

import hashlib
import io
from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.dumps.files import exr_bytes, require_openexr

PNG_LEVEL = 1
"""Compression of PNG files: level 6 takes four times as long for a tenth of the bytes."""


def digest_of(texels: NDArray[Any]) -> str:
    """SHA-256 of texels, with their shape and type."""
    head = f"{texels.shape} {texels.dtype.str} ".encode()
    return hashlib.sha256(head + np.ascontiguousarray(texels).tobytes()).hexdigest()


def png_of(texels: NDArray[np.uint8]) -> bytes:
    """A PNG file of texels (height, width, 3)."""
    import PIL.Image

    whole = io.BytesIO()
    PIL.Image.fromarray(np.ascontiguousarray(texels)).save(whole, format="PNG", compress_level=PNG_LEVEL)
    return whole.getvalue()


def png_texels(data: bytes) -> NDArray[np.uint8]:
    """The texels (height, width, 3) of a PNG file."""
    import PIL.Image

    with PIL.Image.open(io.BytesIO(data)) as image:
        return np.asarray(image.convert("RGB"))


def exr_of(texels: NDArray[Any]) -> bytes:
    """An OpenEXR file of values (height, width, channels). Raises ``UsageError`` without the library."""
    return exr_bytes(texels)


def exr_texels(data: bytes) -> NDArray[Any]:
    """The values (height, width, channels) of an OpenEXR file that ``exr_of`` has made."""
    import tempfile
    from pathlib import Path

    exr = require_openexr()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "frame.exr"
        file.write_bytes(data)
        with exr.File(str(file), separate_channels=True) as opened:
            channels = {name: np.array(channel.pixels) for name, channel in opened.channels().items()}
    return np.stack([channels[name] for name in "YRGBA" if name in channels], axis=-1)
