"""Content of games as data: YAML files that pydantic models check, with errors that name the file and the line."""

from __future__ import annotations

import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Generic, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from renderwright.engine.skeleton.document import Document, read_document
from renderwright.render.errors import AssetError
from renderwright.render.files import read_text
from renderwright.render.suggest import did_you_mean

T = TypeVar("T")
Place = tuple[str | int, ...]
"""Keys and numbers that lead to a value of a file."""

MAX_BYTES = 1 << 20


class ContentModel(BaseModel):
    """What models of content have in common: no unknown keys, finite numbers, and values that do not change."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


@dataclass(frozen=True)
class Content(Generic[T]):
    """A file that has been read: its checked ``value``, and the ``text`` and its places, for checks by the game."""

    value: T
    text: str
    document: Document

    def error(self, message: str, hint: str, place: Place = (), *, key: bool = False) -> AssetError:
        """An error about the value at a place of the file, or about its ``key``."""
        where = self.document.where_key(place) if key else self.document.where(place)
        return AssetError(message, hint=hint, where=where)


def load_content(file: Path, kind: type[T], what: str = "file", *, max_bytes: int = MAX_BYTES) -> Content[T]:
    """Read a file as a model, or a tuple or dict of them. ``what`` it is called in errors.

    Raises ``AssetError`` if it cannot be read, is no plain YAML, or is not what ``kind`` says.
    """
    try:
        text = read_text(file, max_bytes)
    except (OSError, UnicodeDecodeError) as error:
        raise AssetError(f'cannot read the {what} "{file}": {error}', hint="check the path and the encoding") from error
    return parse_content(text, str(file), kind, what)


def parse_content(text: str, file: str, kind: type[T], what: str = "file") -> Content[T]:
    """The same for a text. ``file`` is used in errors."""
    document = read_document(text, file)
    if document.problems:
        problem = document.problems[0]
        raise AssetError(problem.text, hint=f"the {what} is plain YAML", where=problem.where)
    try:
        return Content(TypeAdapter(kind).validate_python(document.data), text, document)
    except ValidationError as error:
        # A misspelt key is also one that is missing, so the misspelling is told first.
        first = min(error.errors(), key=lambda problem: problem["type"] != "extra_forbidden")
        raise _told(dict(first), document, kind, what) from error


def _told(problem: dict[str, Any], document: Document, kind: object, what: str) -> AssetError:
    place = _place(document, problem["loc"], missing=problem["type"] == "missing")
    name, where = ".".join(map(str, place)) or f"the {what}", document.where(place)
    if problem["type"] == "extra_forbidden":
        hint = did_you_mean(str(place[-1]), _keys(kind, place[:-1]))
        return AssetError(f"{name}: unknown key", hint=hint, where=document.where_key(place))
    if problem["type"] == "missing":
        needed = f'add "{place[-1]}"; known: {", ".join(_keys(kind, place[:-1]))}'
        return AssetError(f"{name} is missing", hint=needed, where=where)
    if problem["type"] in ("model_type", "model_attributes_type", "dict_type"):
        keys = _keys(kind, place)
        return AssetError(f"{name} is no mapping", hint=f"known keys: {', '.join(keys)}", where=where)
    message = problem["msg"].removeprefix("Value error, ")
    return AssetError(f"{name}: {message}", hint=f"the value is {problem['input']!r:.80}", where=where)


def _place(document: Document, loc: Sequence[str | int], *, missing: bool) -> Place:
    """The place of an error, without pydantic's names of alternatives. A key that is ``missing`` is the last."""
    place: Place = ()
    for number, part in enumerate(loc):
        if (*place, part) in document.values or (missing and number == len(loc) - 1):
            place = (*place, part)
    return place


def _keys(kind: object, place: Place) -> list[str]:
    """The keys that the mapping at a place may have, in the order of its model."""
    kinds = list(_alternatives(kind))
    for part in place:
        kinds = [inner for each in kinds for inner in _members(each, part)]
    return list(dict.fromkeys(name for each in kinds if _is_model(each) for name in each.model_fields))


def _members(kind: Any, part: str | int) -> Iterator[Any]:
    if _is_model(kind):
        if part in kind.model_fields:
            yield from _alternatives(kind.model_fields[part].annotation)
    elif arguments := [argument for argument in get_args(kind) if argument is not ...]:
        yield from _alternatives(arguments[-1])


def _alternatives(kind: Any) -> Iterator[Any]:
    """The types of a union, or the one type."""
    if get_origin(kind) is Annotated:
        yield from _alternatives(get_args(kind)[0])
    elif get_origin(kind) in (Union, types.UnionType):
        for each in get_args(kind):
            yield from _alternatives(each)
    else:
        yield kind


def _is_model(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)
