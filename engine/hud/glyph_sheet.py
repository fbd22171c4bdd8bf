"""Rasterises glyphs of Pillow's embedded font and of the symbols, and packs them in shelves."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.hud.symbols import BASELINE, Outline
from renderwright.render.errors import AssetError
from renderwright.render.kept_arrays import Arrays

if TYPE_CHECKING:
    from PIL import ImageFont

SOLID = 4
"""Side of the fully covered square at the sheet's origin, in texels."""

GLYPH = np.dtype(
    [
        *((name, np.int32) for name in ("x", "y", "width", "height", "left", "top")),
        ("advance", np.float64),
    ]
)
"""A glyph on the sheet: its corner and extent in texels, its offset from the pen, and the offset to the next pen."""

_GAP = 1


@dataclass(frozen=True)
class _Picture:
    """A rasterised glyph before packing."""

    pixels: NDArray[np.uint8]
    left: int
    top: int
    advance: float


def glyph_sheet(sizes: Sequence[int], width: int, characters: str, symbols: Mapping[str, Outline]) -> Arrays:
    """A sheet ``width`` texels wide with all characters, then all symbols, at each of the sizes.

    ``coverage`` is uint8 (height, width), 255 is full. ``glyphs`` is ``GLYPH`` (size, glyph). ``lines`` is int64 (size,
    2): the pixels of a line above and below its baseline. Raises ``AssetError`` if Pillow was built without FreeType.
    """
    sets = [_rasterise(size, characters, symbols) for size in sizes]
    places, height = _shelves(sets, width)
    coverage = np.zeros((height, width), np.uint8)
    coverage[:SOLID, :SOLID] = 255
    glyphs = np.zeros((len(sizes), len(characters) + len(symbols)), GLYPH)
    for row, (pictures, place) in enumerate(zip(sets, places, strict=True)):
        for column, (picture, (x, y)) in enumerate(zip(pictures, place, strict=True)):
            h, w = picture.pixels.shape
            coverage[y : y + h, x : x + w] = picture.pixels
            glyphs[row, column] = (x, y, w, h, picture.left, picture.top, picture.advance)
    return {"coverage": coverage, "glyphs": glyphs, "lines": np.array([_font(size).getmetrics() for size in sizes])}


def _shelves(sets: list[list[_Picture]], width: int) -> tuple[list[list[tuple[int, int]]], int]:
    """Shelf packing: a position (x, y) for each bitmap of each set, and the total height."""
    places: list[list[tuple[int, int]]] = []
    x, y, shelf = SOLID + _GAP, 0, SOLID
    for pictures in sets:
        place: list[tuple[int, int]] = []
        for picture in pictures:
            h, w = picture.pixels.shape
            if x + w > width:
                x, y, shelf = 0, y + shelf + _GAP, 0
            place.append((x, y))
            x, shelf = x + w + _GAP, max(shelf, h)
        places.append(place)
    return places, y + shelf


def _rasterise(size: int, characters: str, symbols: Mapping[str, Outline]) -> list[_Picture]:
    font = _font(size)
    pictures: list[_Picture] = []
    for character in characters:
        mask, (left, top) = font.getmask2(character, "L", anchor="ls")
        w, h = mask.size
        pixels = np.array(mask, np.uint8).reshape(h, w) if h else np.zeros((0, 0), np.uint8)
        advance = _space(size) if character == " " else font.getlength(character)
        pictures.append(_Picture(pixels, round(left), round(top), advance))
    for outline in symbols.values():
        pixels, left, top = _cropped(_draw_symbol(outline, size))
        pictures.append(_Picture(pixels, left, top - round(BASELINE * size), float(size)))
    return pictures


def _space(size: int) -> float:
    """The advance of a space: a quarter of an em, in whole pixels. The font's own is 0.22 em; hinting makes 2 pixels of
    it at small sizes, where it widens letters."""
    return float(math.ceil(0.25 * size))


def _draw_symbol(outline: Outline, size: int) -> NDArray[np.uint8]:
    """Rasterise a filled outline with 8 x 8 samples per texel."""
    from PIL import Image, ImageDraw

    samples = 8
    picture = Image.new("L", (size * samples, size * samples))
    points = [(x * size * samples, y * size * samples) for x, y in outline]
    ImageDraw.Draw(picture).polygon(points, fill=255)
    return np.array(picture.resize((size, size), Image.Resampling.BOX), np.uint8)


def _cropped(pixels: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], int, int]:
    """Crop to the covered part. Returns it with its left and top offset."""
    rows, columns = np.nonzero(pixels)
    left, top = int(columns.min()), int(rows.min())
    return pixels[top : rows.max() + 1, left : columns.max() + 1], left, top


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    from PIL import ImageFont

    font = ImageFont.load_default(size)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise AssetError("Pillow has no FreeType, so there is no font", hint="install Pillow from its wheels")
    return font
