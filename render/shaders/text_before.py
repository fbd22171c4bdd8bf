"""Mistakes that the compiler finds later than where they are: at the end of a shader, or behind an include."""

from __future__ import annotations

import re
from pathlib import Path

from renderwright.render.errors import SourceLocation
from renderwright.render.shaders.expanded_text import LINE_DIRECTIVE, without_comments

NO_ENDIF = "missing #endif"
"""What the compiler says at the end of the text."""

_CONDITION = re.compile(r"^[ \t]*#[ \t]*(?P<word>if|ifdef|ifndef|endif)\b", re.MULTILINE)
_INCLUDE = re.compile(r'[ \t]*#[ \t]*include[ \t]*["<](?P<name>[^">]+)[">]')


def unclosed_condition(text: str) -> SourceLocation | None:
    """The line of an ``#if`` that is not closed, in one of the files of an expanded text; None if none is found."""
    for file in dict.fromkeys(found["file"] for found in LINE_DIRECTIVE.finditer(text)):
        opened: list[int] = []
        code = _text(file)
        for found in _CONDITION.finditer(code):
            if found["word"] != "endif":
                opened.append(code.count("\n", 0, found.start()) + 1)
            elif opened:
                opened.pop()
        if opened:
            return SourceLocation(file, opened[-1])
    return None


def included_before(file: str, line: int) -> str:
    """The file that is included right before a line of a file, '' if that follows code."""
    before = [text for text in _text(file).splitlines()[: max(line - 1, 0)] if text.strip()]
    found = _INCLUDE.match(before[-1]) if before else None
    return found["name"] if found else ""


def _text(file: str) -> str:
    """The text of a file without comments; '' if it cannot be read."""
    try:
        return without_comments(Path(file).read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return ""
