"""YAML text to plain values with source locations.

A subset of YAML is accepted: one document, no anchors, aliases or tags, unique text keys, bounded depth. Plain scalars
follow the core schema of YAML 1.2: ``no`` and ``on`` are text, ``1e3`` is a number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from renderwright.engine.skeleton.problems import Path, SkeletonProblem, shown
from renderwright.render.errors import SourceLocation

MAX_DEPTH = 32
MAX_VALUES = 1 << 20
"""Limit of values in a file. Their locations take far more memory than their text."""
_MAX_DIGITS = 40

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NULL = re.compile(r"~|null|Null|NULL|")
_TRUE = re.compile(r"true|True|TRUE")
_FALSE = re.compile(r"false|False|FALSE")
_INTEGER = re.compile(r"[-+]?[0-9]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")


class _GivenUp(Exception):  # noqa: N818  (it stops the reader; the problem is already recorded)
    """The rest of the document cannot be read."""


@dataclass
class Document:
    """The values of a file (mappings as dicts, lists as tuples), with the locations of keys and values.

    ``data`` is None if the file could not be read to its end; ``problems`` then has the reason. The values at the
    ``opaque`` paths have been rejected already, so later checks skip them.
    """

    file: str
    data: Any = None
    values: dict[Path, SourceLocation] = field(default_factory=dict)
    keys: dict[Path, SourceLocation] = field(default_factory=dict)
    problems: list[SkeletonProblem] = field(default_factory=list)
    opaque: set[Path] = field(default_factory=set)

    def where(self, path: Path) -> SourceLocation:
        """Location of the value at ``path``, or of the innermost value that contains it."""
        while path and path not in self.values:
            path = path[:-1]
        return self.values.get(path, SourceLocation(self.file, 1, 1))

    def where_key(self, path: Path) -> SourceLocation:
        """Location of the key of ``path``, or of the value if there is no key."""
        return self.keys.get(path) or self.where(path)


def read_document(text: str, file: str) -> Document:
    """Parse ``text``. Never raises; problems are collected in the result."""
    document = Document(file)
    reader = _Reader(document, text)
    try:
        document.data = reader.read()
    except _GivenUp:
        document.data = None
    except yaml.YAMLError as error:
        document.data = None
        document.problems.append(SkeletonProblem(_syntax_location(error, text, file), (), _syntax_message(error, text)))
    return document


class _Reader:
    """Builds values from the parser's events. Checks the depth before each recursion."""

    def __init__(self, document: Document, text: str) -> None:
        self._document = document
        self._values = 0
        self._events: Iterator[Any] = yaml.parse(text, Loader=_LOADER)

    def read(self) -> Any:
        next(self._events)  # the start of the stream
        event = next(self._events)
        if isinstance(event, yaml.StreamEndEvent):
            self._problem(event, (), "the file is empty; expected a mapping")
            raise _GivenUp
        data = self._value(next(self._events), (), 1)
        next(self._events)  # the end of the document
        after = next(self._events)
        if not isinstance(after, yaml.StreamEndEvent):
            self._problem(after, (), "a second document; a file holds one")
            raise _GivenUp
        return data

    def _value(self, event: Any, path: Path, depth: int) -> Any:
        self._values += 1
        if self._values > MAX_VALUES:
            self._problem(event, path, f"more than {MAX_VALUES} values")
            raise _GivenUp
        self._document.values.setdefault(path, self._location(event))
        if isinstance(event, yaml.AliasEvent):
            self._refuse(event, path, f"aliases are not allowed: *{event.anchor}; write the value out")
            return None
        if event.anchor is not None:
            self._problem(
                event, path, f"anchors are not allowed: &{event.anchor}; write values out where they are used"
            )
        if event.tag is not None:
            self._refuse(event, path, f"tags are not allowed: {shown(event.tag)}")
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event, path)
        if depth > MAX_DEPTH:
            self._problem(event, path, f"nested more than {MAX_DEPTH} levels deep")
            raise _GivenUp
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(path, depth)
        return self._mapping(path, depth)

    def _sequence(self, path: Path, depth: int) -> tuple[Any, ...]:
        items: list[Any] = []
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            items.append(self._value(event, (*path, len(items)), depth + 1))
        return tuple(items)

    def _mapping(self, path: Path, depth: int) -> dict[str, Any]:
        entries: dict[str, Any] = {}
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            key = self._key(event, path, depth)
            inner = (*path, key)
            first = self._document.keys.get(inner)
            self._document.keys.setdefault(inner, self._location(event))
            value = self._value(next(self._events), inner, depth + 1)
            if first is not None:
                self._problem(event, inner, f"duplicate key; it is already on line {first.line}")
            else:
                entries[key] = value
        return entries

    def _key(self, event: Any, path: Path, depth: int) -> str:
        if not isinstance(event, yaml.ScalarEvent):
            self._value(event, path, depth + 1)
            self._refuse(event, (*path, ""), "a key must be text")
            return ""
        if event.anchor is not None or event.tag is not None:
            self._refuse(event, (*path, event.value), "anchors and tags are not allowed")
        elif event.implicit[0] and not isinstance(_plain_value(event.value), str):
            self._refuse(event, (*path, event.value), f'a key must be text; quote it: "{event.value}"')
        return str(event.value)

    def _scalar(self, event: Any, path: Path) -> Any:
        if not event.implicit[0]:  # quoted, or a block scalar
            return event.value
        if _INTEGER.fullmatch(event.value) and len(event.value) > _MAX_DIGITS:
            self._refuse(event, path, f"a number of more than {_MAX_DIGITS} digits")
            return 0
        return _plain_value(event.value)

    def _location(self, event: Any) -> SourceLocation:
        mark = event.start_mark
        return SourceLocation(self._document.file, mark.line + 1, mark.column + 1)

    def _refuse(self, event: Any, path: Path, message: str) -> None:
        self._problem(event, path, message)
        self._document.opaque.add(path)

    def _problem(self, event: Any, path: Path, message: str) -> None:
        self._document.problems.append(SkeletonProblem(self._location(event), path, message))


def _plain_value(word: str) -> str | int | float | bool | None:
    if _NULL.fullmatch(word):
        return None
    if _TRUE.fullmatch(word):
        return True
    if _FALSE.fullmatch(word):
        return False
    if _INTEGER.fullmatch(word) and len(word) <= _MAX_DIGITS:
        return int(word)
    if _FLOAT.fullmatch(word):
        return float(word.lower().replace(".inf", "inf").replace(".nan", "nan"))
    return word


def _syntax_location(error: yaml.YAMLError, text: str, file: str) -> SourceLocation:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    if mark is not None:
        return SourceLocation(file, mark.line + 1, mark.column + 1)
    position = getattr(error, "position", None)  # an illegal character
    before = text[:position] if isinstance(position, int) else ""
    return SourceLocation(file, before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1)


def _syntax_message(error: yaml.YAMLError, text: str) -> str:
    mark = getattr(error, "problem_mark", None)
    lines = text.splitlines()
    if mark is not None and mark.line < len(lines) and lines[mark.line][mark.column : mark.column + 1] == "\t":
        return "not valid YAML: there is a tab; indent by spaces, which is all that YAML takes"
    parts = [getattr(error, "context", None), getattr(error, "problem", None), getattr(error, "reason", None)]
    said = ", ".join(part for part in parts if part)
    return f"not valid YAML: {said}" if said else "not valid YAML"
