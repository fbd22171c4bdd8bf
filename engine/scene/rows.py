"""Rows of a table: index arrays, and sets of rows that are collected from them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.intp]
"""Row numbers, each at most once."""

NO_ROWS: Rows = np.zeros(0, np.intp)


def union(pieces: Sequence[Rows]) -> Rows:
    """The rows of all arrays, each once. Sorted, unless there is only one array."""
    if not pieces:
        return NO_ROWS
    first = pieces[0]
    if all(piece is first for piece in pieces):
        return first
    together = np.concatenate(pieces)
    if not len(together):
        return NO_ROWS
    present = np.zeros(int(together.max()) + 1, np.bool_)
    present[together] = True
    return np.flatnonzero(present)


class RowSet:
    """A set of rows that grows by whole arrays. ``take`` empties it."""

    def __init__(self) -> None:
        self._pieces: list[Rows] = []
        self._count = 0
        self._limit = 0

    def __bool__(self) -> bool:
        return self._count > 0

    def add(self, rows: Rows) -> None:
        """Add rows. The array must not change afterwards."""
        if not len(rows):
            return
        self._pieces.append(rows)
        self._count += len(rows)
        if self._count > self._limit:  # rows that are added again and again, and not taken
            self._pieces = [union(self._pieces)]
            self._count = len(self._pieces[0])
            self._limit = 64 + 4 * self._count

    def rows(self) -> Rows:
        """The rows."""
        if len(self._pieces) > 1:
            self._pieces = [union(self._pieces)]
            self._count = len(self._pieces[0])
        return self._pieces[0] if self._pieces else NO_ROWS

    def take(self) -> Rows:
        """The rows; the set is empty afterwards."""
        rows = self.rows()
        self.clear()
        return rows

    def clear(self) -> None:
        """Remove all rows."""
        self._pieces = []
        self._count = 0
