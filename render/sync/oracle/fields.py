"""Parses the fields of one line of a stream, with error messages."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeVar

from renderwright.render.errors import RenderwrightError, SourceLocation
from renderwright.render.suggest import did_you_mean
from renderwright.render.sync.oracle.names import ACCESSES, LAYOUTS, STAGES
from renderwright.render.sync.oracle.stream import WHOLE, Range

T = TypeVar("T")

MAX_NUMBER = 2**64 - 1
"""The largest number of a stream: Vulkan's sizes and timeline values have 64 bits."""
_MAX_TEXT = 1000
"""The most characters of a string, far more than names of real objects have."""
_MAX_SHOWN = 80
"""The most characters of a wrong value that a message shows."""


class StreamError(RenderwrightError):
    """A stream that cannot be read; ``where`` is the line."""


class Fields:
    """The object of one line, or a nested one. Every field must be read: ``end`` raises for unread ones."""

    def __init__(self, value: object, where: SourceLocation, what: str) -> None:
        if not isinstance(value, Mapping):
            raise StreamError(f"{what} is no object", where=where, hint='write it as {"key": value, ...}')
        self._left: dict[str, Any] = dict(value)
        self._known: list[str] = []
        self.where = where
        self.what = what

    def fail(self, message: str, hint: str = "") -> StreamError:
        """The error to raise."""
        return StreamError(f"{self.what}: {message}", where=self.where, hint=hint)

    def end(self) -> None:
        """Raises ``StreamError`` for unread fields."""
        for name in self._left:
            raise self.fail(f"unknown key {_shown(name)}", did_you_mean(name[:_MAX_SHOWN], self._known))

    def has(self, name: str) -> bool:
        """Whether the field exists and is unread."""
        return name in self._left

    def text(self, name: str, default: str | None = None) -> str:
        """A string."""
        value = self._take(name, str, "a string", default)
        if not value.isprintable():
            raise self.fail(f'"{name}" is {_shown(value)}, but must consist of printable characters')
        if len(value) > _MAX_TEXT:
            raise self.fail(f'"{name}" has {len(value)} characters, but at most {_MAX_TEXT} are read')
        return value

    def flag(self, name: str) -> bool:
        """A boolean, false if missing."""
        return self._take(name, bool, "true or false", False)

    def number(self, name: str, default: int | None = None, *, least: int = 0) -> int:
        """A whole number."""
        value = self._take(name, int, "a whole number", default)
        if isinstance(value, bool) or not least <= value <= MAX_NUMBER:
            raise self.fail(f'"{name}" is {_shown(value)}, but must be a whole number from {least} to {MAX_NUMBER}')
        return value

    def word(self, name: str, allowed: Collection[str], default: str | None = None) -> str:
        """One of some words."""
        value = self.text(name, default)
        if value not in allowed:
            raise self.fail(f'"{name}" is "{value}"', did_you_mean(value, allowed) or f"it is one of {sorted(allowed)}")
        return value

    def list(self, name: str, read: Callable[[Fields], T]) -> tuple[T, ...]:
        """A list of objects, each read by ``read``."""
        values = self._take(name, list, "a list", [])
        found = []
        for number, value in enumerate(values):
            fields = Fields(value, self.where, f"{self.what}, {name}[{number}]")
            found.append(read(fields))
            fields.end()
        return tuple(found)

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of strings."""
        values = self._take(name, list, "a list", [])
        if not all(isinstance(value, str) and value.isprintable() and len(value) <= _MAX_TEXT for value in values):
            raise self.fail(f'"{name}" is no list of strings of at most {_MAX_TEXT} printable characters')
        return tuple(values)

    def pair(self, name: str) -> tuple[int, int] | None:
        """Two whole numbers, None if missing."""
        if name not in self._left:
            self._known.append(name)
            return None
        values = self._take(name, list, "a list of two whole numbers", None)
        if len(values) != 2 or not all(type(value) is int and 0 <= value <= MAX_NUMBER for value in values):
            raise self.fail(f'"{name}" must be a list of two whole numbers from 0 to {MAX_NUMBER}')
        return values[0], values[1]

    def object(self, name: str) -> Fields | None:
        """A nested object, None if missing."""
        self._known.append(name)
        if name not in self._left:
            return None
        return Fields(self._left.pop(name), self.where, f"{self.what}, {name}")

    def stages(self, name: str) -> int:
        """A mask of stages, empty if missing."""
        return self._mask(name, STAGES)

    def accesses(self, name: str) -> int:
        """A mask of accesses, empty if missing."""
        return self._mask(name, ACCESSES)

    def layout(self, name: str, default: str | None = None) -> str:
        """A layout."""
        return self.word(name, LAYOUTS, default)

    def range(self) -> Range:
        """A part of a resource, by default all of it."""
        found = Range(
            self.pair("mips"),
            self.pair("layers"),
            self.number("offset", 0),
            self.number("size", least=1) if self.has("size") else None,
        )
        self._known.append("size")
        return found if found != WHOLE else WHOLE

    def _mask(self, name: str, table: Mapping[str, int]) -> int:
        value = self.text(name, "")
        mask = 0
        for word in value.split("|") if value and value != "NONE" else ():
            if word not in table:
                raise self.fail(f'"{name}" has "{word}"', did_you_mean(word, table))
            mask |= table[word]
        return mask

    def _take(self, name: str, kind: type[T], words: str, default: T | None) -> T:
        self._known.append(name)
        if name not in self._left:
            if default is None:
                raise self.fail(f'"{name}" is missing', f"it is {words}")
            return default
        value = self._left.pop(name)
        if not isinstance(value, kind):
            raise self.fail(f'"{name}" is {_shown(value)}, but must be {words}')
        return value


def _shown(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}..."
