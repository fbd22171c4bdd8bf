"""Level files: YAML to checked levels, with errors that name the file and the line."""

from __future__ import annotations

import re
from pathlib import Path

from pydantic import ValidationError

from renderwright.engine.skeleton.document import Document, read_document
from renderwright.games.marbles.level import Level, LevelSettings, MapError, MoverSettings, build_level
from renderwright.render.errors import AssetError, SourceLocation
from renderwright.render.files import read_text
from renderwright.render.suggest import did_you_mean

LEVELS_FOLDER = Path(__file__).parent / "levels"
MAX_BYTES = 1 << 20
_NEEDED = "a level has name, par_time, time_limit and map"
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
    try:
        text = read_text(file, MAX_BYTES)
    except (OSError, UnicodeDecodeError) as error:
        raise AssetError(f'cannot read the level "{file}": {error}', hint="check the path and the encoding") from error
    return parse_level(text, str(file))


def parse_level(text: str, file: str) -> Level:
    """Parse a level. ``file`` is used in error messages. Raises ``AssetError`` as ``load_level``."""
    document = read_document(text, file)
    if document.problems:
        problem = document.problems[0]
        raise AssetError(problem.text, hint="a level is plain YAML", where=problem.where)
    if not isinstance(document.data, dict):
        raise AssetError("a level file is a mapping", hint=_NEEDED, where=document.where(()))
    try:
        settings = LevelSettings.model_validate(document.data)
    except ValidationError as error:
        raise _settings_error(error, document) from error
    try:
        return build_level(settings)
    except MapError as error:
        raise AssetError(error.message, hint=error.hint, where=_map_place(document, text, error)) from error


def _settings_error(error: ValidationError, document: Document) -> AssetError:
    # A misspelt key also causes a missing key, so report the misspelling first.
    first = min(error.errors(), key=lambda problem: problem["type"] != "extra_forbidden")
    path = tuple(first["loc"])
    name = ".".join(str(part) for part in path)
    where = document.where(path)
    if first["type"] == "extra_forbidden":
        known = MoverSettings.model_fields if path[0] == "movers" else LevelSettings.model_fields
        return AssetError(
            f"{name}: unknown key", hint=did_you_mean(str(path[-1]), known), where=document.where_key(path)
        )
    if first["type"] == "missing":
        return AssetError(f"{name} is missing", hint=f'add "{path[-1]}"; {_NEEDED}', where=where)
    return AssetError(f"{name}: {first['msg']}", hint=f"the value is {first['input']!r}", where=where)


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
