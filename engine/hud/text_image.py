"""Texts as images, for boards and signs in a scene."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.hud.font import Face, default_atlas
from renderwright.engine.scene.image import Image

Tone = tuple[float, float, float]
"""Red, green and blue from 0 to 1, as displayed (sRGB)."""


@dataclass(frozen=True)
class TextLine:
    """A line with its left end and its top at (x, y) texels; ``size`` is the height of the type (an em), in texels."""

    text: str
    x: float
    y: float
    size: float = 24.0
    color: Tone = (1.0, 1.0, 1.0)


def text_image(name: str, extent: tuple[int, int], lines: Sequence[TextLine], ground: Tone = (0.0, 0.0, 0.0)) -> Image:
    """An opaque image (width, height) of texts on a plain ground, in the HUD's own font. What is outside is cut off.

    Sizes are those of the font's ladder, the nearest one up to 96 texels. A character that it lacks is a question mark.
    """
    width, height = extent
    pixels = np.empty((height, width, 4), np.uint8)
    pixels[:] = (*_texel(ground), 255)
    for line in lines:
        _draw(pixels[..., :3], default_atlas().face(line.size), line)
    return Image(name, pixels, wrap=("clamp", "clamp"))


def _texel(tone: Tone) -> NDArray[np.uint8]:
    return np.rint(255.0 * np.clip(tone, 0.0, 1.0)).astype(np.uint8)


def _draw(color: NDArray[np.uint8], face: Face, line: TextLine) -> None:
    coverage = default_atlas().coverage
    rows, columns = coverage.shape
    height, width = color.shape[:2]
    tone = _texel(line.color)
    pen, base = line.x, round(line.y) + face.ascent
    for character in line.text:
        glyph = face.glyph(character)
        left, top = round(pen) + glyph.left, base + glyph.top
        pen += glyph.advance
        u, v = round(glyph.uv[0] * columns), round(glyph.uv[1] * rows)
        first, last = max(0, -left), min(glyph.width, width - left)
        above, below = max(0, -top), min(glyph.height, height - top)
        if first >= last or above >= below:
            continue
        share = coverage[v + above : v + below, u + first : u + last, None] / 255.0
        part = color[top + above : top + below, left + first : left + last]
        part[:] = np.rint(part * (1.0 - share) + tone * share)
