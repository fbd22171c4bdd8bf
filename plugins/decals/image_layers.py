"""Images of decals as layers of one texture."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.renderer.sprites.textures import premultiplied
from renderwright.engine.scene import Image
from renderwright.engine.scene.placements import PlacedImages
from renderwright.render import Extent, UsageError

MOST_IMAGES = 256
"""Layers that a texture has on every device."""

MOST_SIDE = 1024
"""Texels a side of a layer. Larger images are scaled down."""

Texels = NDArray[np.uint8]


class ImageLayers:
    """The layers of images. All have the size of the largest one, rounded up to powers of two.

    ``texels`` makes a layer from an image and a size. An image keeps its layer as long as it is used, and after that
    until an image without one comes.
    """

    def __init__(self, texels: Callable[[Image, Extent], Texels], *, srgb: bool) -> None:
        self._texels = texels
        self._srgb = srgb
        self._numbers: dict[Image, int] = {}
        self.placed = PlacedImages(np.full((2, 1, 1, 4), 255, np.uint8), srgb)

    def follow(self, used: Iterable[Image]) -> None:
        """Have a layer for each of these images. Raises ``UsageError`` if there are too many."""
        images = dict.fromkeys(used)
        if self._numbers.keys() >= images.keys():
            return
        require_room(len(images))
        self._numbers = {image: number for image, number in self._numbers.items() if image in images}
        # A plan that is behind the scene shows the layers of before, so those that stay keep their numbers.
        free = iter(sorted({*range(len(images))} - {*self._numbers.values()}))
        self._numbers |= {image: next(free) for image in images if image not in self._numbers}
        width, height = (_side(max(image.extent[axis] for image in images)) for axis in (0, 1))
        layers = max(2, _power_of_two(max(self._numbers.values()) + 1))
        stack = np.zeros((layers, height, width, 4), np.uint8)
        for image, number in self._numbers.items():
            stack[number] = self._texels(image, (width, height))
        self.placed = PlacedImages(stack, self._srgb)

    def of(self, image: Image) -> int:
        """The layer of an image that is used."""
        return self._numbers[image]


def require_room(count: int) -> None:
    """Raise ``UsageError`` if decals cannot have so many images."""
    if count > MOST_IMAGES:
        raise UsageError(
            f"the decals of a scene have {count} images, and there is room for {MOST_IMAGES}",
            hint="use an image for several decals, or remove decals that are out of sight",
        )


def color_layer(image: Image, extent: Extent) -> Texels:
    """The texels of a colour image, with premultiplied alpha."""
    return premultiplied(Image(image.name, _scaled(image.pixels, extent, "RGBA")))


def normal_layer(image: Image, extent: Extent) -> Texels:
    """The texels of a normal map."""
    opaque = np.full((*image.pixels.shape[:2], 1), 255, np.uint8)
    return _scaled(np.concatenate([image.pixels[..., :3], opaque], axis=-1), extent, "RGBA")


def _scaled(pixels: Texels, extent: Extent, mode: str) -> Texels:
    if pixels.shape[1::-1] == extent:
        return pixels
    import PIL.Image

    picture = PIL.Image.fromarray(np.ascontiguousarray(pixels), mode)
    return np.array(picture.resize(extent, PIL.Image.Resampling.BILINEAR), np.uint8)


def _side(texels: int) -> int:
    return min(_power_of_two(texels), MOST_SIDE)


def _power_of_two(number: int) -> int:
    return 1 << (number - 1).bit_length()
