"""Images of placed things as layers of one texture, for tables of plugins (``PlacedImages``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.renderer.sprites.textures import premultiplied
from renderwright.engine.scene.image import Image
from renderwright.engine.scene.placements import PlacedImages
from renderwright.render.errors import UsageError
from renderwright.render.types.resources import Extent

MOST_LAYERS = 256
"""Layers that a texture has on every device."""

MOST_SIDE = 1024
"""Texels a side of a layer. Larger images are scaled down."""

Texels = NDArray[np.uint8]


class ImageLayers:
    """The layers of images. All have the size of the largest one, rounded up to powers of two.

    ``things`` have the images, such as "decals". ``texels`` makes a layer from an image and a size. An image keeps its
    layer as long as it is used, and after that until an image without one comes.
    """

    def __init__(self, things: str, texels: Callable[[Image, Extent], Texels], *, srgb: bool) -> None:
        self._things = things
        self._texels = texels
        self._srgb = srgb
        self._numbers: dict[Image, int] = {}
        self.placed = PlacedImages(np.full((2, 1, 1, 4), 255, np.uint8), srgb)

    def follow(self, used: Iterable[Image]) -> None:
        """Have a layer for each of these images. Raises ``UsageError`` if there are too many."""
        images = dict.fromkeys(used)
        if self._numbers.keys() >= images.keys():
            return
        self.require_room(len(images))
        self._numbers = {image: number for image, number in self._numbers.items() if image in images}
        # A plan that is behind the scene shows the layers of before, so those that stay keep their numbers.
        free = iter(sorted({*range(len(images))} - {*self._numbers.values()}))
        self._numbers |= {image: next(free) for image in images if image not in self._numbers}
        width, height = layers_extent(images)
        layers = layers_count(max(self._numbers.values()) + 1)
        stack = np.zeros((layers, height, width, 4), np.uint8)
        for image, number in self._numbers.items():
            stack[number] = self._texels(image, (width, height))
        self.placed = PlacedImages(stack, self._srgb)

    def of(self, image: Image) -> int:
        """The layer of an image that is used."""
        return self._numbers[image]

    def require_room(self, count: int) -> None:
        """Raise ``UsageError`` if there cannot be so many images."""
        if count > MOST_LAYERS:
            raise UsageError(
                f"the {self._things} of a scene have {count} images, and there is room for {MOST_LAYERS}",
                hint=f"use an image for several {self._things}, or remove {self._things} that are out of sight",
            )


def layers_extent(images: Iterable[Image]) -> Extent:
    """The size of layers for these images: that of the largest one, rounded up to powers of two."""
    extents = [image.extent for image in images]
    width, height = (min(_power_of_two(max(extent[axis] for extent in extents)), MOST_SIDE) for axis in (0, 1))
    return width, height


def layers_count(used: int) -> int:
    """The layers of a texture of which so many are used, so that few more need no other texture."""
    return max(2, _power_of_two(used))


def color_layer(image: Image, extent: Extent) -> Texels:
    """The texels of a colour image, with premultiplied alpha."""
    return premultiplied(Image(image.name, scaled(image.pixels, extent)))


def scaled(pixels: Texels, extent: Extent) -> Texels:
    """Texels (height, width, 4) in another size."""
    if pixels.shape[1::-1] == extent:
        return pixels
    import PIL.Image

    picture = PIL.Image.fromarray(np.ascontiguousarray(pixels), "RGBA")
    return np.array(picture.resize(extent, PIL.Image.Resampling.BILINEAR), np.uint8)


def _power_of_two(number: int) -> int:
    return 1 << (number - 1).bit_length()
