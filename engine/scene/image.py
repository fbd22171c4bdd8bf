"""Images of materials in memory."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from renderwright.render.errors import AssetError


@dataclass(frozen=True, eq=False)
class Image:
    """An 8-bit RGBA image: ``pixels`` is uint8 (height, width, 4), top row first.

    ``srgb`` marks sRGB-encoded colour (base colour, emissive); data such as normals is linear. Images compare by
    identity, so an image is uploaded once for all its materials. The pixels become read-only.
    """

    name: str
    pixels: NDArray[np.uint8]
    srgb: bool = True

    def __post_init__(self) -> None:
        shape = self.pixels.shape
        if self.pixels.dtype != np.uint8 or len(shape) != 3 or shape[2] != 4 or 0 in shape:
            raise AssetError(
                f'image "{self.name}": pixels are {self.pixels.dtype} {shape}',
                hint="give a uint8 array of shape (height, width, 4), not empty",
            )
        pixels = np.ascontiguousarray(self.pixels)
        if pixels is self.pixels:
            pixels = pixels.view()
        pixels.flags.writeable = False
        object.__setattr__(self, "pixels", pixels)

    @property
    def extent(self) -> tuple[int, int]:
        """(width, height) in texels."""
        return (self.pixels.shape[1], self.pixels.shape[0])


def decode_image(name: str, data: bytes, *, srgb: bool = True) -> Image:
    """Decode PNG, JPEG or any other format that Pillow supports. Raises AssetError with the image's name."""
    import PIL.Image

    try:
        with PIL.Image.open(io.BytesIO(data)) as picture:
            pixels = np.array(picture.convert("RGBA"), np.uint8)
    except (OSError, ValueError, SyntaxError, PIL.Image.DecompressionBombError) as error:
        raise AssetError(f'image "{name}" cannot be decoded: {error}', hint="use an intact PNG or JPEG file") from error
    return Image(name, pixels, srgb)


def load_image(path: str | Path, *, srgb: bool = True) -> Image:
    """Load an image file. Its name is the path. Raises AssetError."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise AssetError(f'image "{path}" cannot be read: {error.strerror or error}', hint="check the path") from error
    return decode_image(str(path), data, srgb=srgb)
