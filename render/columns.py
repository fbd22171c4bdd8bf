"""Many named tuples at once, from their fields by column."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import repeat
from typing import Any, NamedTuple, TypeVar

Row = TypeVar("Row", bound=NamedTuple)


def rows_of(kind: type[Row], *columns: Iterable[Any]) -> list[Row]:
    """One named tuple of a kind for each element of the columns, which are all of its fields in order.

    That takes a fraction of calling the kind for each. Endless columns (``repeat``) may stand beside others.
    """
    assert len(columns) == len(kind._fields), "not all fields have a column"
    return list(map(tuple.__new__, repeat(kind), zip(*columns, strict=False)))
