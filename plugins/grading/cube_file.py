"""Reads ``.cube`` files: lookup tables for colours, by the Cube LUT Specification 1.0 (Adobe 2013).

A file has a curve (``LUT_1D_SIZE``), a cube (``LUT_3D_SIZE``), or a curve and then a cube that is looked up with its
result. ``LUT_1D_INPUT_RANGE`` and ``LUT_3D_INPUT_RANGE`` are read, too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from renderwright.render import UsageError
from renderwright.render.files import read_text

MOST_BYTES = 128 << 20
LONGEST_CURVE = 65536
LARGEST_CUBE = 128
"""Limits of a file, of the entries of a curve, and of the entries along each axis of a cube."""

Floats = NDArray[np.float32]
Color = tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class ColorTable:
    """A lookup table.

    ``curve`` is float32 (entries, 3), ``cube`` float32 (n, n, n, 3) by blue, green, red. Their first and last entries
    belong to the colours ``curve_domain`` and ``cube_domain``: the lowest and the highest. A table that a file lacks
    changes nothing.
    """

    curve: Floats
    curve_domain: tuple[Color, Color]
    cube: Floats
    cube_domain: tuple[Color, Color]


@dataclass
class _Header:
    """What the keywords of a file say."""

    curve: int = 0
    cube: int = 0
    low: Color = (0.0, 0.0, 0.0)
    high: Color = (1.0, 1.0, 1.0)
    ranges: dict[str, tuple[Color, Color]] = field(default_factory=dict)

    def domain(self, size_keyword: str) -> tuple[Color, Color]:
        return self.ranges.get(size_keyword, (self.low, self.high))


class _Line:
    """A line of a file, which errors name."""

    def __init__(self, path: Path, number: int, text: str) -> None:
        self._place = f"{path}:{number}"
        self.words = text.split()

    def error(self, message: str, hint: str) -> UsageError:
        return UsageError(f"{self._place}: {message}", hint=hint)

    def numbers(self, words: list[str], count: int) -> tuple[float, ...]:
        """The numbers of the words. Raises ``UsageError`` unless there are ``count`` finite ones."""
        try:
            values = tuple(float(word) for word in words)
        except ValueError:
            values = ()
        if len(values) != count or not all(math.isfinite(value) for value in values):
            shown = " ".join(self.words)[:60]
            raise self.error(f'"{shown}" does not have {count} finite numbers', "export the table again")
        return values

    def color(self, words: list[str]) -> Color:
        red, green, blue = self.numbers(words, 3)
        return red, green, blue

    def size(self, most: int) -> int:
        word = self.words[1] if len(self.words) == 2 else ""
        if not word.isdecimal() or not 2 <= int(word) <= most:
            raise self.error(f'"{self.words[0]}" needs a whole number from 2 to {most}', "export a table of that size")
        return int(word)


def read_cube_file(path: Path) -> ColorTable:
    """The table of a file. Raises ``UsageError``, which names file and line."""
    try:
        text = read_text(path, MOST_BYTES)
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError(f"{path} cannot be read: {reason}", hint="give the path of a .cube file") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not text, so no .cube file", hint="export the table as .cube") from None
    header = _Header()
    entries: list[Color] = []
    for line in _lines(path, text):
        if line.words[0][0].isalpha():
            if entries:
                raise line.error(f'"{line.words[0]}" stands after entries of the table', "keywords come first")
            _read_keyword(line, header)
        else:
            entries.append(line.color(line.words))
    return _table(path, header, entries)


def _lines(path: Path, text: str) -> Iterator[_Line]:
    """The lines that are neither empty nor comments."""
    for number, content in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        stripped = content.strip()
        if stripped and not stripped.startswith("#"):
            yield _Line(path, number, stripped)


def _read_keyword(line: _Line, header: _Header) -> None:
    keyword, *words = line.words
    if keyword == "LUT_1D_SIZE":
        header.curve = line.size(LONGEST_CURVE)
    elif keyword == "LUT_3D_SIZE":
        header.cube = line.size(LARGEST_CUBE)
    elif keyword == "DOMAIN_MIN":
        header.low = line.color(words)
    elif keyword == "DOMAIN_MAX":
        header.high = line.color(words)
    elif keyword in ("LUT_1D_INPUT_RANGE", "LUT_3D_INPUT_RANGE"):
        low, high = line.numbers(words, 2)
        header.ranges[keyword.replace("INPUT_RANGE", "SIZE")] = (low,) * 3, (high,) * 3
    elif keyword != "TITLE":
        raise line.error(f'unknown keyword "{keyword}"', "the file may not be a .cube file, or be damaged")


def _table(path: Path, header: _Header, entries: list[Color]) -> ColorTable:
    expected = header.curve + header.cube**3
    if expected == 0:
        raise UsageError(f"{path} has neither LUT_1D_SIZE nor LUT_3D_SIZE", hint="export the table as .cube")
    if len(entries) != expected:
        raise UsageError(
            f"{path} has {len(entries)} entries; its sizes need {expected}", hint="the file is damaged: export it again"
        )
    curve_domain, cube_domain = header.domain("LUT_1D_SIZE"), header.domain("LUT_3D_SIZE")
    for low, high in (curve_domain, cube_domain):
        if not all(lowest < highest for lowest, highest in zip(low, high, strict=True)):
            raise UsageError(f"{path}: its domain from {low} to {high} is empty", hint="DOMAIN_MIN is below DOMAIN_MAX")
    colors = np.array(entries, np.float32)
    curve, cube = colors[: header.curve], colors[header.curve :]
    if not header.curve:
        curve, curve_domain = np.array(cube_domain, np.float32), cube_domain
    if not header.cube:
        cube_domain = _around(curve)
        cube = _identity_cube(cube_domain)
    side = max(header.cube, 2)
    return ColorTable(curve, curve_domain, cube.reshape(side, side, side, 3), cube_domain)


def _around(curve: Floats) -> tuple[Color, Color]:
    """A domain that holds all colours of a curve."""
    low, high = min(0.0, float(curve.min())), max(1.0, float(curve.max()))
    return (low,) * 3, (high,) * 3


def _identity_cube(domain: tuple[Color, Color]) -> Floats:
    low, high = domain
    blue, green, red = np.meshgrid(*zip(low[::-1], high[::-1], strict=True), indexing="ij")
    return np.stack([red, green, blue], axis=-1).astype(np.float32)
