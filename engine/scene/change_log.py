"""A log of the rows that changed in each revision of an array, so that copies of the array can be patched."""

from __future__ import annotations

from collections import deque
from itertools import islice

from renderwright.engine.scene.rows import NO_ROWS, Rows, union

LENGTH = 16
"""Revisions that a log remembers. Copies belong to frame slots and to the last few pictures."""


class ChangeLog:
    """Changed rows by revision. ``size`` is the number of rows of the array."""

    def __init__(self, size: int) -> None:
        self.revision = 0
        self._size = size
        self._changes: deque[Rows | None] = deque(maxlen=LENGTH)

    def note(self, rows: Rows) -> None:
        """Begin the next revision, in which ``rows`` have changed."""
        self.revision += 1
        self._changes.append(rows if 2 * len(rows) <= self._size else None)

    def between(self, before: int, after: int) -> Rows | None:
        """The rows that have changed from one revision to a later one; None if unknown, or more than half of all."""
        oldest = self.revision - len(self._changes)
        if before == after:
            return NO_ROWS
        if before < oldest or after < before:
            return None
        known: list[Rows] = []
        for change in islice(self._changes, before - oldest, after - oldest):
            if change is None:
                return None
            known.append(change)
        return union(known)
