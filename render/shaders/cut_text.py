"""The text of a GLSL file, cut at its includes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_DIRECTIVE = re.compile(r"\s*#\s*(?P<name>[a-z]+)")
_LAYOUT = re.compile(r"\s*layout\s*\(")
_REMEMBERED = 512
"""How many texts are cut once in a process: many shaders include the same files."""


@dataclass(frozen=True)
class Piece:
    """Lines, and the ``include`` line behind them, whose ``number`` counts from 1 ('' and 0 at the end of the file).

    The include is ``conditional`` inside an ``#if``. ``layout`` is the number of the first line that begins with a
    layout, 0 if none does.
    """

    lines: tuple[str, ...]
    include: str = ""
    number: int = 0
    conditional: bool = False
    layout: int = 0


@dataclass(frozen=True)
class CutText:
    """The pieces of a text without its ``version`` line ('' if it has none), in whose place is an empty line."""

    pieces: tuple[Piece, ...]
    version: str


@lru_cache(_REMEMBERED)
def cut(text: str) -> CutText:
    """Cut a text. Directives in comments are none."""
    pieces: list[Piece] = []
    version = ""
    lines: list[str] = []
    depth = layout = 0
    in_comment = False
    for number, line in enumerate(text.splitlines(), start=1):
        directive = None if in_comment else _DIRECTIVE.match(line)
        name = directive["name"] if directive else ""
        if not layout and not in_comment and _LAYOUT.match(line):
            layout = number
        in_comment = _ends_in_comment(line, in_comment)
        if name == "include":
            pieces.append(Piece(tuple(lines), line, number, depth > 0, layout))
            lines, layout = [], 0
            continue
        if name in ("if", "ifdef", "ifndef"):
            depth += 1
        elif name == "endif":
            depth -= 1
        if name == "version":
            version = version or line.strip()
            line = ""  # the header of the result has the only one
        lines.append(line)
    return CutText((*pieces, Piece(tuple(lines), layout=layout)), version)


def _ends_in_comment(line: str, in_comment: bool) -> bool:
    """Whether a block comment is open after the line."""
    position = 0
    while position < len(line):
        if in_comment:
            end = line.find("*/", position)
            if end < 0:
                return True
            in_comment, position = False, end + 2
            continue
        block, rest_of_line = line.find("/*", position), line.find("//", position)
        if block < 0 or 0 <= rest_of_line < block:
            return False
        in_comment, position = True, block + 2
    return in_comment
