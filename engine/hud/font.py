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
import PIL
from numpy.typing import NDArray

from renderwright.engine.hud.glyph_sheet import SOLID, glyph_sheet
from renderwright.engine.hud.symbols import SYMBOLS
from renderwright.render.kept_arrays import Arrays, MadeBy, kept_arrays

SIZES = (9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 24, 27, 30, 34, 38, 42, 48, 54, 60, 68, 76, 86, 96)
"""Pixels per em."""
CHARACTERS = "".join(chr(code) for code in range(32, 127)) + "·…°©±"
MISSING = "?"
"""Replacement for characters that the atlas lacks."""
_WIDTH = 1536


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


@lru_cache(maxsize=1)
def default_atlas() -> Atlas:
    """The atlas of all ``CHARACTERS`` and ``SYMBOLS`` at all ``SIZES``, about 2 MiB.

    It is rasterised once and kept in the user's cache folder.
    """
    inputs = (SIZES, _WIDTH, CHARACTERS, SYMBOLS)
    made_by = MadeBy(glyph_sheet, inputs, versions=(PIL.__version__,))
    return _atlas(SIZES, kept_arrays("fonts", made_by, lambda: glyph_sheet(*inputs)))


def build_atlas(sizes: tuple[int, ...], width: int) -> Atlas:
    """Rasterise all characters at ``sizes`` into an atlas ``width`` texels wide.

    Raises ``AssetError`` if Pillow was built without FreeType.
    """
    return _atlas(sizes, glyph_sheet(sizes, width, CHARACTERS, SYMBOLS))


def _atlas(sizes: tuple[int, ...], sheet: Arrays) -> Atlas:
    coverage = sheet["coverage"]
    coverage.flags.writeable = False
    height, width = coverage.shape
    faces: list[Face] = []
    for size, (ascent, descent), rows in zip(sizes, sheet["lines"].tolist(), sheet["glyphs"].tolist(), strict=True):
        glyphs: dict[str, Glyph] = {}
        for character, (x, y, w, h, left, top, advance) in zip((*CHARACTERS, *SYMBOLS), rows, strict=True):
            uv = (x / width, y / height, (x + w) / width, (y + h) / height)
            glyphs[character] = Glyph(left, top, w, h, advance, uv)
        faces.append(Face(size, ascent, descent, glyphs))
    return Atlas(coverage, tuple(faces), (0.5 * SOLID / width, 0.5 * SOLID / height))
