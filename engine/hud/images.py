"""Pixels of images for the page: the part that is shown, reduced to about its size on the screen, premultiplied."""

from __future__ import annotations

import math

import numpy as np

from renderwright.engine.hud.page import Pixels
from renderwright.engine.scene.image import Image

Part = tuple[int, int, int, int]
"""A rectangle of an image in texels: x, y, width, height."""


def reduction(part: Part, width: float, height: float) -> int:
    """The power of two by which a part is reduced before it is drawn ``width`` x ``height`` pixels large."""
    ratio = min(part[2] / max(width, 1.0), part[3] / max(height, 1.0))
    return 1 << max(0, math.floor(math.log2(max(ratio, 1.0))))


def premultiplied(image: Image, part: Part, factor: int) -> Pixels:
    """The texels of a part, reduced by ``factor``, with colours multiplied by alpha: uint8 (height, width, 4)."""
    x, y, width, height = part
    texels = image.pixels[y : y + height, x : x + width].astype(np.float32)
    texels[..., :3] *= texels[..., 3:] / 255.0
    rounded = np.rint(texels).astype(np.uint8)
    if factor == 1:
        return rounded
    import PIL.Image

    # The channels are premultiplied, so Pillow may average each on its own.
    channels = [np.asarray(PIL.Image.fromarray(rounded[..., index]).reduce(factor)) for index in range(4)]
    return np.stack(channels, axis=-1)


def coverage_as_pixels(coverage: Pixels) -> Pixels:
    """White with the alpha of ``coverage``, premultiplied."""
    return np.repeat(coverage[..., None], 4, axis=-1)
