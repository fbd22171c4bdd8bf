"""Cells of CPU values, which tell their readers about another value."""

from __future__ import annotations

from typing import Any, Protocol
from weakref import ref


class BlobReader(Protocol):
    """What depends on blobs."""

    def touch(self) -> None:
        """A blob has another value now."""


class BlobCell:
    """Holds a CPU value between the node that creates it and its readers.

    ``revision`` counts the values that differ from the one before. A value that is equal does not count as another
    one, if its type promises that equal values stay equal (``compares_for_good``). Values of other types, such as
    arrays and dicts, could have been changed in place: they count as another one each time they are set.
    """

    __slots__ = ("__weakref__", "_readers", "_value", "revision")

    def __init__(self) -> None:
        self._value: Any = None
        self.revision = 0
        self._readers: set[ref[BlobReader]] = set()

    @property
    def value(self) -> Any:
        """The value."""
        return self._value

    @value.setter
    def value(self, value: Any) -> None:
        before, self._value = self._value, value
        if not is_same(before, value):
            self.revision += 1
            for reference in tuple(self._readers):  # a reader may go meanwhile
                reader = reference()
                if reader is not None:
                    reader.touch()

    def watch(self, reader: BlobReader) -> None:
        """Tell ``reader`` about other values from now on, as long as it exists."""
        self._readers.add(ref(reader, self._readers.discard))


def compares_for_good(kind: type) -> bool:
    """Whether values of a type that are equal stay equal: it defines both comparison and hash, as numbers, strings,
    tuples, enums and frozen dataclasses do."""
    return getattr(kind, "__hash__", None) not in (None, object.__hash__)


def is_same(before: Any, now: Any) -> bool:
    """Whether two values are equal, and stay so (``compares_for_good``)."""
    kind = type(now)
    if type(before) is not kind or not compares_for_good(kind):
        return False
    if before is now:
        return True
    try:
        return bool(before == now)
    except (TypeError, ValueError):  # arrays inside of it have no single answer
        return False
