"""Many named tuples at once: that takes a fraction of calling their kind for each."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import repeat, starmap
from typing import Any, NamedTuple, TypeVar

Row = TypeVar("Row", bound=NamedTuple)


def rows_of(kind: type[Row], *columns: Iterable[Any]) -> list[Row]:
    """One named tuple of a kind for each element of the columns, which are all of its fields in order.

    Endless columns (``repeat``) may stand beside others.
    """
    assert len(columns) == len(kind._fields), "not all fields have a column"
    return named(kind, zip(*columns, strict=False))


def named(kind: type[Row], rows: Iterable[tuple[Any, ...]]) -> list[Row]:
    """One named tuple of a kind for each row, which is all of its fields in order."""
    return list(starmap(tuple.__new__, zip(repeat(kind), rows, strict=False)))
