"""Texts in the world and over the picture."""

from __future__ import annotations

from collections.abc import Sequence

from renderwright.engine.hud.fallback import FallbackFonts, Piece, Run
from renderwright.engine.hud.font import Face, default_atlas
from renderwright.engine.hud.images import coverage_as_pixels
from renderwright.engine.hud.layout import Align
from renderwright.engine.scene.image import Image
from renderwright.engine.scene.number_rules import NumberRule
from renderwright.engine.sprites.pieces import Box, Pieces, Source
from renderwright.engine.sprites.placed import WHITE, Placed, Space

_ALIGN_SHARE = {"left": 0.0, "center": 0.5, "right": 1.0}
_SHEET = Source(None)


class Text(Placed):
    """Lines of text. ``size`` is the em height in metres or HUD units; newlines start new lines.

    ``anchor`` is the point of the text's rectangle that lies at ``position``, and ``align`` places shorter lines in it.
    Glyphs are rasterised with about ``pixels`` texels an em: about as many as the text has pixels on the screen, and in
    HUD units as many as the size if nothing is given. ``fonts`` finds characters that the embedded font lacks; it is
    the system's fonts if nothing is given.
    """

    def __init__(
        self,
        string: str,
        position: Sequence[float] = (0.0, 0.0, 0.0),
        *,
        size: float,
        anchor: tuple[float, float] = (0.5, 0.5),
        align: Align = "left",
        pixels: float | None = None,
        color: Sequence[float] = WHITE,
        rotation: float = 0.0,
        layer: int = 0,
        space: Space = "world",
        player: int | None = None,
        facing: bool = False,
        fonts: FallbackFonts | None = None,
    ) -> None:
        super().__init__(position, rotation, color, layer, space, player, facing=facing)
        self._check("size", size, NumberRule(positive=True))
        self._check("anchor", anchor, NumberRule(2))
        self._check("pixels", pixels, NumberRule(positive=True, optional=True))
        if align not in _ALIGN_SHARE:
            raise self._refused("align", align, f"one of {', '.join(_ALIGN_SHARE)}")
        self._size, self._anchor, self._align = size, anchor, align
        self._face = default_atlas().face(pixels or (size if space == "screen" else 48.0))
        self._fonts = fonts if fonts is not None else FallbackFonts()
        self._images: dict[Run, Image] = {}
        self.string = string

    @property
    def string(self) -> str:
        """The text."""
        return self._string

    @string.setter
    def string(self, string: str) -> None:
        if not isinstance(string, str):
            raise self._refused("string", string, f"a str: write str(...) of a {type(string).__name__}")
        self._string = string
        self._changed_pieces()

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height of the text's rectangle in metres or HUD units."""
        lines, unit = self._lines(), self._size / self._face.size
        return max(_width(self._face, line) for line in lines) * unit, len(lines) * self._face.line_height * unit

    def pieces(self) -> Pieces:
        """A rectangle for each visible glyph, and one for each run of other fonts."""
        face, lines = self._face, self._lines()
        unit = self._size / face.size
        widths = [_width(face, line) for line in lines]
        widest, height = max(widths), len(lines) * face.line_height
        found: list[tuple[Box, Box, Source]] = []
        for number, (line, width) in enumerate(zip(lines, widths, strict=True)):
            pen = _ALIGN_SHARE[self._align] * (widest - width) - self._anchor[0] * widest
            baseline = (1.0 - self._anchor[1]) * height - number * face.line_height - face.ascent
            for piece in line:
                found += self._of_piece(piece, pen, baseline, unit)
                pen += _width(face, (piece,))
        return Pieces.of(found)

    def _lines(self) -> list[tuple[Piece, ...]]:
        return [self._fonts.pieces(line, self._face) for line in self._string.split("\n")]

    def _of_piece(self, piece: Piece, pen: float, baseline: float, unit: float) -> list[tuple[Box, Box, Source]]:
        if isinstance(piece, str):
            found = []
            for character in piece:
                glyph = self._face.glyph(character)
                if glyph.width:
                    u0, v0, u1, v1 = glyph.uv
                    box = _scaled(pen + glyph.left, baseline - glyph.top, glyph.width, glyph.height, unit)
                    found.append((box, (u0, v1, u1, v0), _SHEET))
                pen += glyph.advance
            return found
        height, width = piece.coverage.shape
        if not width:
            return []
        image = self._images.setdefault(piece, Image("text", coverage_as_pixels(piece.coverage)))
        box = _scaled(pen + piece.left, baseline - piece.top, width, height, unit)
        return [(box, (0.0, 1.0, 1.0, 0.0), Source(image))]


def _scaled(left: float, top: float, width: float, height: float, unit: float) -> Box:
    return left * unit, (top - height) * unit, (left + width) * unit, top * unit


def _width(face: Face, line: Sequence[Piece]) -> float:
    return sum(face.width(piece) if isinstance(piece, str) else piece.advance for piece in line)
