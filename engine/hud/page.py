"""The page of HUD images: an RGBA picture with the images and text runs that the HUDs of recent frames show."""

from __future__ import annotations

import logging
from collections.abc import Callable, Hashable

import numpy as np
from numpy.typing import NDArray

_log = logging.getLogger("renderwright.hud")

WIDTH = 2048
HEIGHT = 4096
_FIRST_HEIGHT = 256
_BORDER = 1
LARGEST = (WIDTH - 2 * _BORDER, HEIGHT - 2 * _BORDER)
"""Largest image in texels, (width, height)."""

Place = tuple[int, int]
Pixels = NDArray[np.uint8]


class ImagePage:
    """Packs images in shelves. ``pixels`` is uint8 (height, 2048, 4), sRGB-encoded, premultiplied with alpha.

    ``revision`` counts changes of the pixels, ``generation`` counts times that all places became invalid. A full page
    is emptied at the next ``begin``, so that it keeps what is still in use.
    """

    def __init__(self) -> None:
        self.revision = 0
        self.generation = 0
        self.pixels = _no_pixels()
        self._places: dict[Hashable, Place] = {}
        # The next free texel of the current shelf, and the height of the shelf.
        self._x = self._y = self._shelf = 0
        self._full = self._emptied = self._reported = False

    def begin(self) -> None:
        """Begin the HUDs of a frame."""
        self._emptied = self._full
        if self._full:
            self.pixels = _no_pixels()
            self._places = {}
            self._x = self._y = self._shelf = 0
            self._full = False
            self.generation += 1

    def place(self, key: Hashable, draw: Callable[[], Pixels]) -> Place | None:
        """The corner (x, y) of an image in texels. ``draw`` makes its pixels if it is not on the page.

        Returns None if the page is full; the image is missing for one frame then, or for as long as the HUDs of one
        frame exceed the page, with one warning.
        """
        if key in self._places:
            return self._places[key]
        image = draw()
        height, width = image.shape[0] + 2 * _BORDER, image.shape[1] + 2 * _BORDER
        if self._x + width > WIDTH:
            self._x, self._y, self._shelf = 0, self._y + self._shelf, 0
        if self._y + height > HEIGHT or width > WIDTH:
            self._overflow()
            return None
        self._grow(self._y + height)
        # The border repeats the edge, so that filtering does not mix neighbours in.
        bordered = np.pad(image, ((_BORDER, _BORDER), (_BORDER, _BORDER), (0, 0)), mode="edge")
        self.pixels[self._y : self._y + height, self._x : self._x + width] = bordered
        place = self._places[key] = (self._x + _BORDER, self._y + _BORDER)
        self._x, self._shelf = self._x + width, max(self._shelf, height)
        self.revision += 1
        return place

    def _overflow(self) -> None:
        self._full = True
        if self._emptied and not self._reported:
            self._reported = True
            _log.warning(
                "the images and texts of one frame's HUDs exceed %d x %d texels, and some are missing; "
                "show fewer or smaller ones",
                WIDTH,
                HEIGHT,
            )

    def _grow(self, height: int) -> None:
        rows = len(self.pixels)
        if height > rows:
            rows = min(HEIGHT, max(_FIRST_HEIGHT, 1 << (height - 1).bit_length()))
            pixels = np.zeros((rows, WIDTH, 4), np.uint8)
            pixels[: len(self.pixels)] = self.pixels
            self.pixels = pixels


def _no_pixels() -> Pixels:
    return np.zeros((0, WIDTH, 4), np.uint8)
