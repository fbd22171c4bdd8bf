"""The file of preferences, in the platform's configuration folder.

::

    version: 1
    all_games:
      fog: {enabled: true}
    games:
      marbles:
        bloom: {enabled: false, settings: {intensity: 0.2}}
"""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

import yaml
from platformdirs import user_config_path
from pydantic import ValidationError

from renderwright.engine.preferences.values import PluginPreference, Preferences
from renderwright.engine.skeleton.document import Document, read_document
from renderwright.engine.skeleton.problems import shown
from renderwright.render.errors import SourceLocation, UsageError
from renderwright.render.files.reading import read_text
from renderwright.render.files.writing import replacing
from renderwright.render.suggest import did_you_mean

FOLDER_VARIABLE = "RENDERWRIGHT_CONFIG_DIR"
MAX_BYTES = 1 << 20
_REPAIR = "correct the file, or forget all preferences with: renderwright plugins reset"
_HEADER = (
    "# Plugins and settings that renderwright remembers. The commands of `renderwright plugins` write this file.\n"
)


def preferences_file() -> Path:
    """``plugins.yaml`` in ``$RENDERWRIGHT_CONFIG_DIR``, else in ``renderwright`` in the user's configuration folder."""
    chosen = os.environ.get(FOLDER_VARIABLE)
    folder = Path(chosen) if chosen else user_config_path("renderwright", appauthor=False)
    return folder / "plugins.yaml"


def load_preferences(path: Path) -> Preferences:
    """The preferences in a file; none if the file does not exist. Raises ``UsageError`` with file, line and column."""
    try:
        text = read_text(path, MAX_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        return Preferences(version=1)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UsageError(
            f"the preferences cannot be read: {reason}", hint=_REPAIR, where=SourceLocation(str(path))
        ) from error
    return parse_preferences(text, str(path))


def save_preferences(path: Path, preferences: Preferences) -> None:
    """Write a file of preferences beside its name, then rename it.

    Raises ``UsageError`` for a value that the file cannot hold, or if the file cannot be written.
    """
    text = _HEADER + _yaml(preferences)
    if len(text.encode()) > MAX_BYTES or _kept(text) != preferences:
        raise UsageError(
            "the preferences cannot be written: the file would not hold these values",
            hint=f"give shorter or simpler values; the file holds at most {MAX_BYTES >> 20} MiB of plain YAML",
        )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as file:
            file.write(text.encode())
    except OSError as error:
        raise UsageError(
            f"the preferences cannot be written: {error.strerror or error}",
            hint=f"make the folder writable, or choose another one with {FOLDER_VARIABLE}",
            where=SourceLocation(str(path)),
        ) from error


def parse_preferences(text: str, file: str) -> Preferences:
    """Parse the text of a file of preferences. Raises ``UsageError`` with file, line and column."""
    document = read_document(text, file)
    if document.problems:
        problem = document.problems[0]
        raise UsageError(f"the preferences are invalid: {problem.text}", hint=_REPAIR, where=problem.where)
    try:
        return Preferences.model_validate(_with_lists(document.data))
    except ValidationError as error:
        raise _invalid(document, error) from error


def _invalid(document: Document, error: ValidationError) -> UsageError:
    problem = error.errors()[0]
    path = tuple(problem["loc"])
    place = shown(".".join(str(part) for part in path)) if path else "the file"
    if problem["type"] == "extra_forbidden":
        known = Preferences.model_fields if len(path) == 1 else PluginPreference.model_fields
        return UsageError(
            f"the preferences are invalid: unknown key {shown(str(path[-1]))}; {did_you_mean(str(path[-1]), known)}",
            hint=_REPAIR,
            where=document.where_key(path),
        )
    where = document.where(path)
    return UsageError(f"the preferences are invalid: {place}: {problem['msg']}", hint=_REPAIR, where=where)


def _with_lists(value: Any) -> Any:
    """A document's value with lists, as they are written, in place of its tuples."""
    if isinstance(value, dict):
        return {key: _with_lists(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [_with_lists(item) for item in value]
    return value


def _kept(text: str) -> Preferences | None:
    """What the text says when it is read again."""
    try:
        return parse_preferences(text, "")
    except UsageError:
        return None


def _yaml(preferences: Preferences) -> str:
    data = preferences.model_dump(exclude_defaults=True)
    stream = io.StringIO()
    yaml.dump(data, stream, _Dumper, sort_keys=False, allow_unicode=True, width=1000)
    return stream.getvalue()


class _Dumper(yaml.SafeDumper):
    """Quotes all texts but names: the reader takes more words for numbers than PyYAML, such as ``1e3``."""


def _quoted(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, None if text.isidentifier() else '"')


_Dumper.add_representer(str, _quoted)
