"""Text in scripts that the embedded font lacks: pieces of a line, rasterised in the game's or the system's fonts.

Pillow shapes a piece as a whole (with libraqm, where its wheel has it), so that Arabic letters join and Hebrew runs
from right to left. Lines of right-to-left scripts are one piece, other lines are cut into words.
"""

from __future__ import annotations

import logging
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.caller import caller_location
from renderwright.engine.hud.font import MISSING, Face
from renderwright.engine.hud.system_fonts import system_font
from renderwright.render.errors import AssetError, UsageError

if TYPE_CHECKING:
    from PIL import ImageFont

_log = logging.getLogger("renderwright.hud")

_WORDS = re.compile(r"\s+|\S+")
_NO_CHARACTER = "\U0010ffff"
"""A code point that no font has: its glyph is the font's sign for missing ones."""
_KEPT_LINES = 2048


@dataclass(frozen=True, eq=False)
class Run:
    """A rasterised piece of a line, in pixels: ``coverage`` is uint8 (height, width).

    ``left`` and ``top`` are the offset from the pen on the baseline to the bitmap's corner, ``advance`` is the offset
    to the next pen.
    """

    coverage: NDArray[np.uint8]
    left: int
    top: int
    advance: float


Piece = str | Run
"""Characters of the embedded font, or a run of another one."""


class FallbackFonts:
    """Cuts lines into pieces. Searches ``files`` in their order, then the system's fonts by ``find``.

    A character that no font has is shown as ``MISSING``, with one warning (``UsageError`` if strict).
    """

    def __init__(
        self,
        files: Sequence[Path] = (),
        *,
        strict: bool = False,
        find: Callable[[str], Path | None] = system_font,
    ) -> None:
        self._files = list(files)
        self._strict = strict
        self._find = find
        self._fonts: dict[tuple[Path, int, bool], ImageFont.FreeTypeFont] = {}
        self._covered: dict[tuple[Path, str], bool] = {}
        self._font_files: dict[str, Path | None] = {}
        self._pieces: dict[tuple[str, int], tuple[Piece, ...]] = {}
        self._reported: set[str] = set()
        for file in files:
            self._font(file, 16)  # an unusable file is an error at the start

    def pieces(self, line: str, face: Face) -> tuple[Piece, ...]:
        """The pieces of a line at the size of ``face``, from left to right."""
        if line.isascii() and line.isprintable():
            return (line,)
        key = (line, face.size)
        if key not in self._pieces:
            if len(self._pieces) >= _KEPT_LINES:
                self._pieces.clear()
            self._pieces[key] = tuple(self._cut(unicodedata.normalize("NFC", line), face))
        return self._pieces[key]

    def _cut(self, line: str, face: Face) -> Iterator[Piece]:
        if _runs_from_right(line):
            file = self._file_of(line)
            if file is not None:
                yield self._run(line, file, face)
                return
        for word in _WORDS.findall(line):
            if _embedded(word, face):
                yield word
                continue
            file = None if word.isspace() else self._file_of(word)
            if file is not None:
                yield self._run(word, file, face)
            else:
                yield from self._characters(word, face)

    def _characters(self, word: str, face: Face) -> Iterator[Piece]:
        """A word that no single font covers, character by character."""
        missing = ""
        for character in word:
            if character in face.glyphs:
                yield character
            elif character.isspace() or unicodedata.category(character) in ("Cc", "Cf"):
                yield " " * character.isspace()
            elif (file := self._file_of(character)) is not None:
                yield self._run(character, file, face)
            else:
                missing += character
                yield MISSING
        self._report(missing)

    def _report(self, missing: str) -> None:
        new = [character for character in dict.fromkeys(missing) if character not in self._reported]
        if not new:
            return
        self._reported.update(new)
        shown = ", ".join(f'"{character}" (U+{ord(character):04X})' for character in new)
        error = UsageError(
            f'no font has {shown}: the HUD shows "{MISSING}"',
            hint="name a font file that has it in Game.fonts, or install such a font",
            where=caller_location(),
        )
        if self._strict:
            raise error
        _log.warning("%s", error)

    def _file_of(self, text: str) -> Path | None:
        """The first font that has all characters of ``text``."""
        if text not in self._font_files:
            if len(self._font_files) >= _KEPT_LINES:
                self._font_files.clear()
            self._font_files[text] = next((file for file in self._candidates(text) if self._covers(file, text)), None)
        return self._font_files[text]

    def _candidates(self, text: str) -> Iterator[Path]:
        yield from self._files
        for character in dict.fromkeys(text):
            if character.isascii():
                continue
            file = self._find(character)
            if file is not None and file not in self._files:
                self._files.append(file)
                yield file

    def _covers(self, file: Path, text: str) -> bool:
        return all(character.isspace() or self._has(file, character) for character in dict.fromkeys(text))

    def _has(self, file: Path, character: str) -> bool:
        key = (file, character)
        if key not in self._covered:
            # Without shaping, which would compose a character that the font lacks from several others.
            font = self._font(file, 16, shaped=False)
            glyph, none = font.getmask(character), font.getmask(_NO_CHARACTER)
            self._covered[key] = (glyph.size, bytes(glyph)) != (none.size, bytes(none))
        return self._covered[key]

    def _font(self, file: Path, size: int, *, shaped: bool = True) -> ImageFont.FreeTypeFont:
        from PIL import ImageFont

        key = (file, size, shaped)
        if key not in self._fonts:
            layout = None if shaped else ImageFont.Layout.BASIC
            try:
                self._fonts[key] = ImageFont.truetype(file, size, layout_engine=layout)
            except OSError as error:
                raise AssetError(f"the font {file} cannot be used: {error}", hint="give a TrueType file") from error
        return self._fonts[key]

    def _run(self, text: str, file: Path, face: Face) -> Run:
        font = self._font(file, face.size)
        mask, (left, top) = font.getmask2(text, "L", anchor="ls")
        width, height = mask.size
        coverage = np.array(mask, np.uint8).reshape(height, width) if width and height else np.zeros((0, 0), np.uint8)
        return Run(coverage, round(left), round(top), font.getlength(text))


def _embedded(text: str, face: Face) -> bool:
    return all(character in face.glyphs for character in text)


def _runs_from_right(line: str) -> bool:
    return any(unicodedata.bidirectional(character) in ("R", "AL") for character in line)
