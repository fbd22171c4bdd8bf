"""Images of materials in memory."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.scene.decoding import quiet_decoding, shown
from renderwright.render.errors import AssetError
from renderwright.render.files import package_data_advice
from renderwright.render.files.reading import read_file

if TYPE_CHECKING:
    import PIL.Image

Wrap = Literal["repeat", "mirror", "clamp"]
"""How an image goes on beyond its edges."""

Filter = Literal["linear", "nearest"]
"""Whether texels are blended or shown as squares."""

FORMATS = ("PNG", "JPEG", "BMP", "TGA", "WEBP")
"""The formats that are decoded. Pillow's others are rare in games, and some of them start programs."""

MAX_SIDE = 1 << 14
MAX_TEXELS = 1 << 26
"""Limits of an image, checked before its texels are decoded."""

MAX_BYTES = 1 << 28
"""Limit of an image file."""


@dataclass(frozen=True, eq=False)
class Image:
    """An 8-bit RGBA image: ``pixels`` is uint8 (height, width, 4), top row first.

    ``srgb`` marks sRGB-encoded colour (base colour, emissive); data such as normals is linear. Images compare by
    identity, so an image is uploaded once for all its materials. The pixels become read-only. ``wrap`` is for u and v.
    """

    name: str
    pixels: NDArray[np.uint8]
    srgb: bool = True
    wrap: tuple[Wrap, Wrap] = ("repeat", "repeat")
    filter: Filter = "linear"

    def __post_init__(self) -> None:
        wraps, filters = get_args(Wrap), get_args(Filter)
        if len(self.wrap) != 2 or not set(self.wrap) <= set(wraps) or self.filter not in filters:
            raise AssetError(
                f'image "{self.name}": wrap is {self.wrap}, filter {self.filter!r}',
                hint=f"wrap is two of {', '.join(wraps)}; filter is {' or '.join(filters)}",
            )
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


def image_extent(name: str, data: bytes) -> tuple[int, int]:
    """(width, height) in texels, from an image's header. Raises AssetError, also for an image over the limits."""
    with _opened(name, data) as picture:
        return picture.size


def decode_image(name: str, data: bytes, *, srgb: bool = True) -> Image:
    """Decode a PNG, JPEG, BMP, TGA or WebP image. Raises AssetError with its name, also for one over the limits."""
    with _opened(name, data) as picture:
        pixels = np.array(picture.convert("RGBA"), np.uint8)
    return Image(name, pixels, srgb)


def load_image(path: str | Path, *, srgb: bool = True) -> Image:
    """Load an image file as ``decode_image``. Its name is the path. Raises AssetError."""
    try:
        data = read_file(Path(path), MAX_BYTES)
    except OSError as error:
        advice = package_data_advice(Path(path).absolute()) if isinstance(error, FileNotFoundError) else ""
        raise AssetError(
            f'image "{path}" cannot be read: {error.strerror or error}', hint=f"check the path{advice}"
        ) from error
    return decode_image(str(path), data, srgb=srgb)


@contextmanager
def _opened(name: str, data: bytes) -> Iterator[PIL.Image.Image]:
    """An image whose header has been read and whose texels take no memory yet."""
    import PIL.Image

    try:
        with quiet_decoding(), PIL.Image.open(io.BytesIO(data), formats=FORMATS) as picture:
            width, height = picture.size
            if max(width, height) > MAX_SIDE or width * height > MAX_TEXELS:
                raise AssetError(
                    f'image "{name}" has {width} x {height} texels',
                    hint=f"use an image of at most {MAX_SIDE} texels a side and {MAX_TEXELS >> 20} Mi texels in all",
                )
            yield picture
    except AssetError:
        raise
    except PIL.Image.DecompressionBombError as error:
        raise AssetError(f'image "{name}" has too many texels: {error}', hint="use a smaller image") from error
    except PIL.UnidentifiedImageError as error:
        reason = f"it is no {', '.join(FORMATS[:-1])} or {FORMATS[-1]} file"
        raise AssetError(f'image "{name}" cannot be decoded: {reason}', hint="use a PNG or JPEG file") from error
    except Exception as error:  # decoders raise arbitrary exceptions for damaged files
        raise AssetError(
            f'image "{name}" cannot be decoded: {shown(str(error))}', hint="use an intact PNG or JPEG file"
        ) from error
