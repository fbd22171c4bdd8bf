"""What a user interface draws in a frame, as values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

VERTEX_BYTES = 20
"""Position and uv, two float32 each, and a colour of four bytes, sRGB-encoded with straight alpha."""
FONT = 1
"""The texture of glyphs, and of lines and white surfaces."""
SHOWN = 2
"""The texture that a user looks at."""


@dataclass(frozen=True)
class DrawCommand:
    """Some triangles in a rectangle (left, top, right, bottom) in pixels, with one texture: ``FONT`` or ``SHOWN``.

    ``first_index`` and ``vertex_offset`` count within the arrays of all lists.
    """

    clip: tuple[float, float, float, float]
    texture: int
    first_index: int
    indices: int
    vertex_offset: int

    def scissor(self, width: int, height: int) -> tuple[int, int, int, int]:
        """The rectangle (left, top, width, height) within a picture of that size; empty rectangles have no width."""
        left, top = max(0, int(self.clip[0])), max(0, int(self.clip[1]))
        right, bottom = min(width, int(np.ceil(self.clip[2]))), min(height, int(np.ceil(self.clip[3])))
        return left, top, max(0, right - left), max(0, bottom - top)


@dataclass(frozen=True)
class DrawLists:
    """All windows of a user interface: uint8 ``vertices`` (n, ``VERTEX_BYTES``), uint32 ``indices``, ``commands``."""

    vertices: NDArray[np.uint8]
    indices: NDArray[np.uint32]
    commands: tuple[DrawCommand, ...]


NOTHING = DrawLists(np.zeros((0, VERTEX_BYTES), np.uint8), np.zeros(0, np.uint32), ())
