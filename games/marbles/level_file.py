"""Level files: YAML to checked levels, with errors that name the file and the line."""

from __future__ import annotations

import re
from pathlib import Path

from renderwright.engine.content import Content, load_content, parse_content
from renderwright.engine.skeleton.document import Document
from renderwright.games.marbles.level import Level, LevelSettings, MapError, build_level
from renderwright.render.errors import AssetError, SourceLocation

LEVELS_FOLDER = Path(__file__).parent / "levels"
_BLOCK_START = re.compile(r"map:\s*\|\S*\s*(#.*)?$")


def load_levels(folder: Path = LEVELS_FOLDER) -> tuple[Level, ...]:
    """The levels of all ``*.yaml`` of ``folder``, in the order of their names; ``AssetError`` as ``load_level``."""
    files = sorted(folder.glob("*.yaml"))
    if not files:
        raise AssetError(f'no level in "{folder}"', hint="levels are files named like 01_name.yaml")
    return tuple(load_level(file) for file in files)


def load_level(file: Path) -> Level:
    """The level of one file.

    Raises ``AssetError`` with file, line and column if it is not YAML or has invalid settings or an invalid map.
    """
    return _checked(load_content(file, LevelSettings, "level"))


def parse_level(text: str, file: str) -> Level:
    """Parse a level. ``file`` is used in error messages. Raises ``AssetError`` as ``load_level``."""
    return _checked(parse_content(text, file, LevelSettings, "level"))


def _checked(content: Content[LevelSettings]) -> Level:
    try:
        return build_level(content.value)
    except MapError as error:
        where = _map_place(content.document, content.text, error)
        raise AssetError(error.message, hint=error.hint, where=where) from error


def _map_place(document: Document, text: str, error: MapError) -> SourceLocation:
    """Location of the cell of ``error``; the start of the map if there is no cell or the map is not a block scalar."""
    start = document.where(("map",))
    lines = text.split("\n")
    if error.cell is None or not _BLOCK_START.search(lines[start.line - 1]):
        return start
    # The text of a block scalar starts on the line after its indicator, indented.
    column, row = error.cell
    source = lines[start.line + row]
    indent = len(source) - len(source.lstrip(" "))
    return SourceLocation(document.file, start.line + row + 1, indent + column + 1)
