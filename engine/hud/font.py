"""The glyph atlas: Pillow's embedded TrueType font (Aileron), rasterised at a ladder of pixel sizes.

Text is drawn at the nearest size of the ladder, one texel per pixel, so it is as sharp as the rasteriser's output. The
steps of at most 12 % are not noticeable. Only text above the largest size is scaled.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from renderwright.engine.hud.symbols import BASELINE, SYMBOLS
from renderwright.render.errors import AssetError

SIZES = (9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 24, 27, 30, 34, 38, 42, 48, 54, 60, 68, 76, 86, 96)
"""Pixels per em."""
CHARACTERS = "".join(chr(code) for code in range(32, 127)) + "·…°©±"
MISSING = "?"
"""Replacement for characters that the atlas lacks."""
_WIDTH = 1536
_GAP = 1
_SOLID = 4
"""Side of the fully covered square at the atlas's origin, in texels."""


@dataclass(frozen=True)
class Glyph:
    """A character at one size, in pixels.

    ``left`` and ``top`` are the offset from the pen on the baseline to the bitmap's corner (``top`` is negative above
    the baseline). ``advance`` is the offset to the next pen. ``uv`` is (u0, v0, u1, v1), from 0 to 1 over the atlas. A
    blank has width 0.
    """

    left: int
    top: int
    width: int
    height: int
    advance: float
    uv: tuple[float, float, float, float]


@dataclass(frozen=True)
class Face:
    """All glyphs of one size. ``ascent`` and ``descent`` are the pixels of a line above and below its baseline."""

    size: int
    ascent: int
    descent: int
    glyphs: Mapping[str, Glyph]

    @property
    def line_height(self) -> int:
        """Distance of lines in pixels."""
        return self.ascent + self.descent

    def glyph(self, character: str) -> Glyph:
        """The glyph of ``character``, or that of ``MISSING``."""
        return self.glyphs.get(character) or self.glyphs[MISSING]

    def width(self, line: str) -> float:
        """Width of a line in pixels."""
        return sum(self.glyph(character).advance for character in line)


@dataclass(frozen=True)
class Atlas:
    """The atlas. ``coverage`` is uint8 (height, width), 255 is full; ``solid`` is (u, v) of a fully covered texel."""

    coverage: NDArray[np.uint8]
    faces: tuple[Face, ...]
    solid: tuple[float, float]

    def face(self, pixels: float) -> Face:
        """The face with the size closest to ``pixels`` by ratio."""
        return min(self.faces, key=lambda face: abs(math.log(face.size / max(pixels, 1.0))))


@dataclass(frozen=True)
class _Picture:
    """A rasterised glyph before packing."""

    pixels: NDArray[np.uint8]
    left: int
    top: int
    advance: float


@lru_cache(maxsize=1)
def default_atlas() -> Atlas:
    """The atlas of all ``CHARACTERS`` and ``SYMBOLS`` at all ``SIZES``, about 2 MiB, created once."""
    return build_atlas(SIZES, _WIDTH)


def build_atlas(sizes: tuple[int, ...], width: int) -> Atlas:
    """Rasterise all characters at ``sizes`` and pack them in shelves into an atlas ``width`` texels wide.

    Raises ``AssetError`` if Pillow was built without FreeType.
    """
    pictures = {size: _rasterise(size) for size in sizes}
    places, height = _shelves([pictures[size] for size in sizes], width)
    coverage = np.zeros((height, width), np.uint8)
    coverage[:_SOLID, :_SOLID] = 255
    faces: list[Face] = []
    for size, place in zip(sizes, places, strict=True):
        glyphs: dict[str, Glyph] = {}
        for character, picture in pictures[size].items():
            x, y = place[character]
            h, w = picture.pixels.shape
            coverage[y : y + h, x : x + w] = picture.pixels
            uv = (x / width, y / height, (x + w) / width, (y + h) / height)
            glyphs[character] = Glyph(picture.left, picture.top, w, h, picture.advance, uv)
        ascent, descent = _font(size).getmetrics()
        faces.append(Face(size, ascent, descent, glyphs))
    coverage.flags.writeable = False
    return Atlas(coverage, tuple(faces), (0.5 * _SOLID / width, 0.5 * _SOLID / height))


def _shelves(sets: list[dict[str, _Picture]], width: int) -> tuple[list[dict[str, tuple[int, int]]], int]:
    """Shelf packing: a position (x, y) for each bitmap of each set, and the total height."""
    places: list[dict[str, tuple[int, int]]] = []
    x, y, shelf = _SOLID + _GAP, 0, _SOLID
    for pictures in sets:
        place: dict[str, tuple[int, int]] = {}
        for character, picture in pictures.items():
            h, w = picture.pixels.shape
            if x + w > width:
                x, y, shelf = 0, y + shelf + _GAP, 0
            place[character] = (x, y)
            x, shelf = x + w + _GAP, max(shelf, h)
        places.append(place)
    return places, y + shelf


def _rasterise(size: int) -> dict[str, _Picture]:
    font = _font(size)
    pictures: dict[str, _Picture] = {}
    for character in CHARACTERS:
        mask, (left, top) = font.getmask2(character, "L", anchor="ls")
        w, h = mask.size
        pixels = np.array(mask, np.uint8).reshape(h, w) if h else np.zeros((0, 0), np.uint8)
        pictures[character] = _Picture(pixels, round(left), round(top), font.getlength(character))
    for character, outline in SYMBOLS.items():
        pixels, left, top = _cropped(_draw_symbol(outline, size))
        pictures[character] = _Picture(pixels, left, top - round(BASELINE * size), float(size))
    return pictures


def _draw_symbol(outline: tuple[tuple[float, float], ...], size: int) -> NDArray[np.uint8]:
    """Rasterise a filled outline with 8 x 8 samples per texel."""
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


@lru_cache(maxsize=len(SIZES))
def _font(size: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise AssetError("Pillow has no FreeType, so there is no font", hint="install Pillow from its wheels")
    return font
