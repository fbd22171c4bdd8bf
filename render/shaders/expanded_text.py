"""Places in expanded GLSL (``includes.expand``), whose ``#line`` directives name the author's files and lines."""

from __future__ import annotations

import re

from renderwright.render.errors import SourceLocation

LINE_DIRECTIVE = re.compile(r'^#line (?P<line>\d+) "(?P<file>[^"\n]*)"$', re.MULTILINE)
_KEPT_OR_COMMENT = re.compile(r"^[ \t]*#[ \t]*line\b[^\n]*|//[^\n]*|/\*.*?\*/", re.DOTALL | re.MULTILINE)


def author_place(text: str, position: int) -> SourceLocation:
    """The author's file and line of a place in an expanded text."""
    directives = list(LINE_DIRECTIVE.finditer(text, 0, position))
    if not directives:
        return SourceLocation("", text.count("\n", 0, position) + 1)
    directive = directives[-1]
    passed = text.count("\n", directive.end(), position)
    return SourceLocation(directive["file"], int(directive["line"]) + passed - 1)


def without_comments(text: str) -> str:
    """The text with spaces in place of comments."""
    return _KEPT_OR_COMMENT.sub(lambda found: found[0] if found[0].lstrip().startswith("#") else blanked(found), text)


def blanked(found: re.Match[str]) -> str:
    """Spaces in place of a part of a text, in as many lines."""
    return re.sub(r"[^\n]", " ", found[0])
