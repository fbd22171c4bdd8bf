"""The pieces of all sprites as rows of arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.scene.rows import Rows
from renderwright.engine.sprites.columns import Columns
from renderwright.engine.sprites.pieces import Source

_SPARE = 256
"""Unused pieces that are left alone."""


class PieceRows:
    """Pieces: ``boxes`` and ``parts`` as in ``Pieces``, the rows of their sprites, and the numbers of their sources.

    The pieces of a sprite are adjacent.
    """

    def __init__(self) -> None:
        self._columns = Columns(
            box=(np.float32, 4), part=(np.float32, 4), owner=(np.int64, 0), source=(np.int64, 0), used=(np.bool_, 0)
        )
        self._unused = 0
        self._sources: dict[Source, int] = {}

    @property
    def boxes(self) -> NDArray[np.float32]:
        """(n, 4)."""
        return self._columns["box"]

    @property
    def parts(self) -> NDArray[np.float32]:
        """(n, 4)."""
        return self._columns["part"]

    @property
    def owners(self) -> NDArray[np.int64]:
        """(n,)."""
        return self._columns["owner"]

    @property
    def source_numbers(self) -> NDArray[np.int64]:
        """(n,): places in ``sources``."""
        return self._columns["source"]

    @property
    def sources(self) -> list[Source]:
        """The sources by number."""
        return list(self._sources)

    def used(self) -> Rows:
        """The pieces that belong to a sprite."""
        return np.flatnonzero(self._columns["used"])

    def number_of(self, source: Source) -> int:
        """The number of a source, a new one if necessary."""
        return self._sources.setdefault(source, len(self._sources))

    def add(self, owners: Rows, boxes: Any, parts: Any, sources: Any) -> Rows:
        """New pieces; the owners' pieces follow one another."""
        rows = self._columns.add(len(owners))
        self.boxes[rows], self.parts[rows] = boxes, parts
        self.owners[rows], self.source_numbers[rows] = owners, sources
        self._columns["used"][rows] = True
        return rows

    def drop(self, rows: Rows) -> None:
        """These pieces are not used any more."""
        self._columns["used"][rows] = False
        self._unused += len(rows)

    def compact(self) -> bool:
        """Give the room of unused pieces and sources back if it is much. Returns whether pieces have moved."""
        if self._unused <= self._columns.length // 2 + _SPARE:
            return False
        self._columns.keep(self.used())
        self._unused = 0
        left, numbers = np.unique(self.source_numbers, return_inverse=True)
        known = self.sources
        self._sources = {known[number]: place for place, number in enumerate(left.tolist())}
        self.source_numbers[:] = numbers
        return True
