"""Images in memory, as materials use them."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from renderwright.render.errors import AssetError


@dataclass(frozen=True, eq=False)
class Image:
    """Texels of 8-bit RGBA: ``pixels`` is uint8 (height, width, 4), the top row first.

    ``srgb`` says that the colour is encoded in sRGB (base colour, emissive); data such as normals is linear. Two images
    are equal only when they are the same object, so an image is uploaded once however many materials use it. The pixels
    are read-only from here on.
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
    """Decode a PNG, JPEG or any other file that Pillow reads. Raises AssetError that names the image."""
    import PIL.Image

    try:
        with PIL.Image.open(io.BytesIO(data)) as picture:
            pixels = np.array(picture.convert("RGBA"), np.uint8)
    except (OSError, ValueError, SyntaxError, PIL.Image.DecompressionBombError) as error:
        raise AssetError(f'image "{name}" cannot be decoded: {error}', hint="use an intact PNG or JPEG file") from error
    return Image(name, pixels, srgb)


def load_image(path: str | Path, *, srgb: bool = True) -> Image:
    """Read an image file; its name is the path. Raises AssetError."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise AssetError(f'image "{path}" cannot be read: {error.strerror or error}', hint="check the path") from error
    return decode_image(str(path), data, srgb=srgb)
