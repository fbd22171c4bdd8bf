"""The head-up display: text and rectangles to textured triangles.

Lengths are in HUD units, which are pixels at a window height of 720. Pictures of other heights are scaled, by a factor
of at least one half, so that text stays legible in small windows. ``width`` and ``height`` are the picture's extent in
HUD units. The origin is the top left corner, y points down. Colours are sRGB display values with straight alpha, 0 to
1. The shader converts them to linear light if the target requires that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.hud.font import Atlas, Face, default_atlas

Color = tuple[float, float, float, float]
Align = Literal["left", "center", "right"]

REFERENCE_HEIGHT = 720
LEAST_SCALE = 0.5
VERTEX_FLOATS = 8
WHITE: Color = (1.0, 1.0, 1.0, 1.0)
_SHADOW_STRENGTH = 0.75
_SHADOW_OFFSET = 0.07
"""Offset of the drop shadow to the right and down, as a share of the text size; at least a pixel."""
_ALIGN_SHARE = {"left": 0.0, "center": 0.5, "right": 1.0}

_Quad = tuple[float, float, float, float, float, float, float, float]
"""x0, y0, x1, y1 in pixels, then u0, v0, u1, v1."""
_Key = tuple[object, ...]


class Hud:
    """The HUD of one picture. Draws in the order of the calls since ``clear``."""

    def __init__(self, width: int, height: int, atlas: Atlas | None = None) -> None:
        self.atlas = atlas if atlas is not None else default_atlas()
        self.revision = 0
        """Counter that increases when ``vertices`` returns new values."""
        self._calls: dict[_Key, NDArray[np.float32]] = {}
        self._cache: dict[_Key, NDArray[np.float32]] = {}
        self._order: list[_Key] = []
        self._drawn_order: list[_Key] | None = None
        self._vertices = np.zeros((0, VERTEX_FLOATS), np.float32)
        self.resize(width, height)

    @property
    def width(self) -> float:
        """The picture's width in HUD units."""
        return self._pixel_width / self.scale

    @property
    def height(self) -> float:
        """The picture's height in HUD units: 720 for pictures at least 360 pixels high, less for smaller ones."""
        return self._pixel_height / self.scale

    @property
    def scale(self) -> float:
        """Pixels per HUD unit."""
        return max(self._pixel_height / REFERENCE_HEIGHT, LEAST_SCALE)

    def resize(self, width: int, height: int) -> None:
        """Set the picture's extent in pixels and discard all calls."""
        self._pixel_width = max(width, 1)
        self._pixel_height = max(height, 1)
        self._cache = {}
        self._calls = {}
        self._order = []
        self._drawn_order = None

    def clear(self) -> None:
        """Discard all calls to begin a new picture."""
        self._cache = self._calls
        self._calls = {}
        self._order = []

    def text(
        self,
        x: float,
        y: float,
        string: str,
        size: float = 18,
        color: Color = WHITE,
        align: Align = "left",
        *,
        shadow: bool = True,
    ) -> None:
        """Draw ``string`` with the top of its first line at ``y``. Newlines start new lines.

        ``x`` is the left edge, the centre or the right edge of each line, by ``align``. ``size`` is the em height. A
        dark drop shadow keeps text legible on bright pictures.
        """
        key: _Key = ("text", x, y, string, size, color, align, shadow)
        if not self._reuse(key):
            self._keep(key, self._text_vertices(x, y, string, size, color, align, shadow))

    def rect(self, x: float, y: float, w: float, h: float, color: Color) -> None:
        """Fill a rectangle with the top left corner (``x``, ``y``). Edges are snapped to pixels."""
        key: _Key = ("rect", x, y, w, h, color)
        if self._reuse(key):
            return
        scale, (u, v) = self.scale, self.atlas.solid
        quad = (round(x * scale), round(y * scale), round((x + w) * scale), round((y + h) * scale), u, v, u, v)
        self._keep(key, _triangles([quad], color))

    def measure(self, string: str, size: float = 18) -> tuple[float, float]:
        """(width, height) of a text in HUD units."""
        face, stretch = self._face(size)
        lines = string.split("\n")
        widest = max(face.width(line) for line in lines)
        return widest * stretch / self.scale, len(lines) * face.line_height * stretch / self.scale

    def line_height(self, size: float = 18) -> float:
        """Distance of lines in HUD units."""
        return self.measure("", size)[1]

    def vertices(self) -> NDArray[np.float32]:
        """All triangles, float32 (n, 8), read-only, six rows per quad: x, y in pixels, u, v in the atlas, r, g, b, a.

        Returns the same array as long as the calls do not change from picture to picture.
        """
        if self._order != self._drawn_order:
            empty = np.zeros((0, VERTEX_FLOATS), np.float32)
            self._vertices = np.concatenate([empty, *(self._calls[key] for key in self._order)])
            self._vertices.flags.writeable = False
            self._drawn_order = [*self._order]
            self.revision += 1
        return self._vertices

    def _reuse(self, key: _Key) -> bool:
        if key in self._cache:
            self._keep(key, self._cache[key])
        elif key in self._calls:
            self._order.append(key)
        else:
            return False
        return True

    def _keep(self, key: _Key, vertices: NDArray[np.float32]) -> None:
        self._calls[key] = vertices
        self._order.append(key)

    def _face(self, size: float) -> tuple[Face, float]:
        """The face for a size in HUD units, and its scale factor (1 up to the largest face)."""
        pixels = size * self.scale
        face = self.atlas.face(pixels)
        return face, max(1.0, pixels / face.size) if face is self.atlas.faces[-1] else 1.0

    def _text_vertices(
        self, x: float, y: float, string: str, size: float, color: Color, align: Align, shadow: bool
    ) -> NDArray[np.float32]:
        face, stretch = self._face(size)
        quads: list[_Quad] = []
        for number, line in enumerate(string.split("\n")):
            left = round(x * self.scale - _ALIGN_SHARE[align] * face.width(line) * stretch)
            baseline = round(y * self.scale + (face.ascent + number * face.line_height) * stretch)
            quads += _line_quads(face, stretch, line, left, baseline)
        text = _triangles(quads, color)
        if not shadow:
            return text
        behind = _triangles(quads, (0.0, 0.0, 0.0, color[3] * _SHADOW_STRENGTH))
        behind[:, 0:2] += max(1, round(_SHADOW_OFFSET * face.size * stretch))
        return np.concatenate([behind, text])


def _line_quads(face: Face, stretch: float, line: str, left: int, baseline: int) -> list[_Quad]:
    """A quad for each visible glyph. Pens are snapped to pixels, so that texels match pixels."""
    quads: list[_Quad] = []
    pen = 0.0
    for character in line:
        glyph = face.glyph(character)
        if glyph.width:
            x0 = left + round((pen + glyph.left) * stretch)
            y0 = baseline + round(glyph.top * stretch)
            quads.append((x0, y0, x0 + glyph.width * stretch, y0 + glyph.height * stretch, *glyph.uv))
        pen += glyph.advance
    return quads


def _triangles(quads: Sequence[_Quad], color: Color) -> NDArray[np.float32]:
    """Two triangles per quad: float32 (6 * quads, 8)."""
    boxes = np.array(quads, np.float32).reshape(-1, 8)
    corners = np.empty((len(boxes), 6, VERTEX_FLOATS), np.float32)
    corners[:, :, 0] = boxes[:, [0, 0, 2, 2, 0, 2]]
    corners[:, :, 1] = boxes[:, [1, 3, 1, 1, 3, 3]]
    corners[:, :, 2] = boxes[:, [4, 4, 6, 6, 4, 6]]
    corners[:, :, 3] = boxes[:, [5, 7, 5, 5, 7, 7]]
    corners[:, :, 4:8] = color
    return corners.reshape(-1, VERTEX_FLOATS)
