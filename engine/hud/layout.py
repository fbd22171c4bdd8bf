"""The head-up display: text, images and rectangles to textured triangles.

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

from renderwright.engine.hud import arguments
from renderwright.engine.hud.fallback import FallbackFonts, Piece
from renderwright.engine.hud.font import Atlas, Face, default_atlas
from renderwright.engine.hud.images import Part, coverage_as_pixels, premultiplied, reduction
from renderwright.engine.hud.page import ImagePage
from renderwright.engine.scene.image import Image

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
PAGE_U = 2.0
"""Offset of u for texels of the image page; below it, u and v are from 0 to 1 over the atlas (``hud.frag``)."""
_Key = tuple[object, ...]


def hud_scale(height: int) -> float:
    """Pixels per HUD unit, of a picture of that height."""
    return max(height / REFERENCE_HEIGHT, LEAST_SCALE)


class Hud:
    """The HUD of one picture. Draws in the order of the calls since ``clear``.

    Texts that are not of type ``str`` and numbers that are not finite raise ``UsageError``. HUDs of one game share
    ``fonts`` and ``page``; the owner of the page calls its ``begin`` before ``clear``.
    """

    def __init__(
        self,
        width: int,
        height: int,
        atlas: Atlas | None = None,
        fonts: FallbackFonts | None = None,
        page: ImagePage | None = None,
    ) -> None:
        self.atlas = atlas if atlas is not None else default_atlas()
        self.fonts = fonts if fonts is not None else FallbackFonts()
        self.page = page if page is not None else ImagePage()
        self._generation = self.page.generation
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
        return hud_scale(self._pixel_height)

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
        self._cache = self._calls if self._generation == self.page.generation else {}
        self._generation = self.page.generation
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

        ``x`` is the left edge, the centre or the right edge of each line, by ``align``. ``size`` is the em height; type
        is at least 9 pixels high, so in a picture of 640x360 all sizes up to 18 are drawn alike. A dark drop shadow
        keeps text legible on bright pictures.
        """
        key: _Key = ("text", x, y, string, size, color, align, shadow)
        if not self._reuse(key):
            arguments.check_text(string, align, x=x, y=y, size=size, color=color)
            self._keep(key, self._text_vertices(x, y, string, size, color, align, shadow))

    def rect(self, x: float, y: float, w: float, h: float, color: Color) -> None:
        """Fill a rectangle with the top left corner (``x``, ``y``). Edges are snapped to pixels."""
        key: _Key = ("rect", x, y, w, h, color)
        if self._reuse(key):
            return
        arguments.check_numbers("rect", x=x, y=y, w=w, h=h, color=color)
        scale, (u, v) = self.scale, self.atlas.solid
        quad = (round(x * scale), round(y * scale), round((x + w) * scale), round((y + h) * scale), u, v, u, v)
        self._keep(key, _triangles([quad], color))

    def image(
        self,
        x: float,
        y: float,
        image: Image,
        w: float | None = None,
        h: float | None = None,
        color: Color = WHITE,
        *,
        part: Part | None = None,
    ) -> None:
        """Draw an image with its top left corner at (``x``, ``y``), multiplied by ``color``.

        ``part`` is the rectangle of a sprite within the image, in texels: x, y, width, height. ``w`` and ``h`` are the
        size; without one of them the proportions are kept, without both a texel is a unit.
        """
        key: _Key = ("image", x, y, image, w, h, color, part)
        if self._reuse(key):
            return
        shown = arguments.checked_part(image, part)
        arguments.check_numbers("image", x=x, y=y, w=0.0 if w is None else w, h=0.0 if h is None else h, color=color)
        proportion = shown[3] / shown[2]
        width = w if w is not None else h / proportion if h is not None else float(shown[2])
        height = h if h is not None else width * proportion
        self._keep(key, _triangles(self._image_quads(x, y, image, width, height, shown), color))

    def measure(self, string: str, size: float = 18) -> tuple[float, float]:
        """(width, height) of a text in HUD units."""
        arguments.check_text(string, "left", size=size)
        face, stretch = self._face(size)
        lines = string.split("\n")
        widest = max(self._width(face, self.fonts.pieces(line, face)) for line in lines)
        return widest * stretch / self.scale, len(lines) * face.line_height * stretch / self.scale

    def line_height(self, size: float = 18) -> float:
        """Distance of lines in HUD units."""
        return self.measure("", size)[1]

    @property
    def drawn(self) -> int:
        """How many calls have drawn since ``clear``."""
        return len(self._order)

    def discard_from(self, drawn: int) -> None:
        """Discard all calls but the first ``drawn``, which a caller has noted before somebody else drew."""
        del self._order[drawn:]

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
        try:
            known = key in self._cache
        except TypeError:  # an argument that has no hash, such as a list, which the caller's checks refuse
            return False
        if known:
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
            pieces = self.fonts.pieces(line, face)
            pen = x * self.scale - _ALIGN_SHARE[align] * self._width(face, pieces) * stretch
            baseline = round(y * self.scale + (face.ascent + number * face.line_height) * stretch)
            for piece in pieces:
                quads += self._piece_quads(face, stretch, piece, round(pen), baseline)
                pen += self._width(face, (piece,)) * stretch
        text = _triangles(quads, color)
        if not shadow:
            return text
        behind = _triangles(quads, (0.0, 0.0, 0.0, color[3] * _SHADOW_STRENGTH))
        behind[:, 0:2] += max(1, round(_SHADOW_OFFSET * face.size * stretch))
        return np.concatenate([behind, text])

    @staticmethod
    def _width(face: Face, pieces: Sequence[Piece]) -> float:
        return sum(face.width(piece) if isinstance(piece, str) else piece.advance for piece in pieces)

    def _piece_quads(self, face: Face, stretch: float, piece: Piece, left: int, baseline: int) -> list[_Quad]:
        if isinstance(piece, str):
            return _line_quads(face, stretch, piece, left, baseline)
        height, width = piece.coverage.shape
        place = self.page.place(piece, lambda: coverage_as_pixels(piece.coverage)) if width else None
        if place is None:
            return []
        x0, y0 = left + round(piece.left * stretch), baseline + round(piece.top * stretch)
        return [(x0, y0, x0 + width * stretch, y0 + height * stretch, *_page_uv(place, width, height))]

    def _image_quads(self, x: float, y: float, image: Image, w: float, h: float, part: Part) -> list[_Quad]:
        factor = reduction(part, w * self.scale, h * self.scale)
        columns, rows = -(-part[2] // factor), -(-part[3] // factor)
        arguments.check_fits(image, columns, rows)
        place = self.page.place((image, part, factor), lambda: premultiplied(image, part, factor))
        if place is None:
            return []
        x0, y0, x1, y1 = (round(edge * self.scale) for edge in (x, y, x + w, y + h))
        return [(x0, y0, x1, y1, *_page_uv(place, columns, rows))]


def _page_uv(place: tuple[int, int], width: int, height: int) -> tuple[float, float, float, float]:
    x, y = place
    return (PAGE_U + x, y, PAGE_U + x + width, y + height)


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
