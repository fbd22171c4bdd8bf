"""What is drawn of all sprites in a picture: rows in the order of drawing, and runs of them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.scene.change_log import ChangeLog
from renderwright.engine.scene.draw_list import Stamp
from renderwright.engine.scene.rows import Rows
from renderwright.engine.sprites.pieces import Kind, Source
from renderwright.engine.sprites.table import PLACE, SpriteTable

ROW = 16
"""Floats of a row: place, box, part, and colour."""


@dataclass(frozen=True)
class Run:
    """Rows that are drawn at once: of one source and kind, one after another."""

    source: Source
    kind: Kind
    first: int
    count: int


@dataclass(frozen=True, eq=False)
class DrawnSprites:
    """The sprites of a picture. ``rows`` is float32 (n, ``ROW``), written in place as sprites move.

    Those of one arrangement have the same ``runs`` object. ``stamp`` identifies the contents.
    """

    rows: NDArray[np.float32]
    runs: tuple[Run, ...]
    stamp: Stamp

    @classmethod
    def none(cls) -> DrawnSprites:
        """No sprites."""
        return cls(np.zeros((0, ROW), np.float32), (), Stamp(ChangeLog(0), 0))

    def changed_since(self, stamp: Stamp | None) -> Rows | None:
        """The rows that may differ from those of an earlier picture; None if all may."""
        if stamp is None or stamp.log is not self.stamp.log:
            return None
        return self.stamp.log.between(stamp.revision, self.stamp.revision)


@dataclass
class _Arranged:
    """The rows of an arrangement: the piece and the sprite of each."""

    at: int
    pieces: Rows
    owners: Rows
    shown: NDArray[np.float32]
    log: ChangeLog
    rows: NDArray[np.float32]
    runs: tuple[Run, ...] = field(default=())


class SpriteDrawing:
    """Makes what is drawn of a table. Rows of sprites that did not change are not written again."""

    def __init__(self, table: SpriteTable) -> None:
        self._table = table
        self._arranged: _Arranged | None = None
        self._last: tuple[int, float] = (-1, 1.0)
        self._drawn = DrawnSprites.none()

    def drawn(self, alpha: float) -> DrawnSprites:
        """The sprites between the last step (alpha = 0) and now (1): the same object as long as nothing changes."""
        table = self._table
        if self._arranged is None or self._arranged.at != table.arrangement:
            if self._arranged is None and not len(table):
                return self._drawn
            table.take_touched()
            self._arranged = arranged = _arrange(table, _interpolated(table, alpha))
            self._drawn = DrawnSprites(arranged.rows, arranged.runs, Stamp(arranged.log, 0))
        elif (table.touches, alpha) != self._last and (table.touches != self._last[0] or table.moving):
            self._update(self._arranged, _interpolated(table, alpha))
        self._last = (table.touches, alpha)
        return self._drawn

    def _update(self, arranged: _Arranged, places: NDArray[np.float32]) -> None:
        moved = _rows_that_differ(places, arranged.shown)[arranged.owners]
        if 2 * np.count_nonzero(moved) > len(moved):  # all in a row is faster than half of them one by one
            arranged.rows[:, :PLACE] = places.take(arranged.owners, axis=0)
        else:
            where = np.flatnonzero(moved)
            arranged.rows[where, :PLACE] = places[arranged.owners[where]]
        touched = self._table.take_touched()
        if touched:
            changed = np.zeros(len(places), np.bool_)
            for rows in touched:
                changed[rows] = True
            where = np.flatnonzero(changed[arranged.owners])
            _write(self._table, arranged, places, where)
            moved[where] = True
        where = np.flatnonzero(moved)
        if not len(where):
            return
        arranged.shown = places
        arranged.log.note(where)
        self._drawn = DrawnSprites(arranged.rows, arranged.runs, Stamp(arranged.log, arranged.log.revision))


def _interpolated(table: SpriteTable, alpha: float) -> NDArray[np.float32]:
    if not table.moving:
        return table.places.copy()
    before = table.places_before
    places = table.places - before
    places *= np.float32(alpha)
    places += before  # exact where both are equal
    return places


def _rows_that_differ(a: NDArray[np.float32], b: NDArray[np.float32]) -> NDArray[np.bool_]:
    differ: NDArray[np.bool_] = a.view(np.uint64) != b.view(np.uint64)  # two numbers at once, by their bits
    return differ[:, 0] | differ[:, 1]


def _arrange(table: SpriteTable, places: NDArray[np.float32]) -> _Arranged:
    """The rows in the order of drawing: by layer, then in the order of addition."""
    pieces = table.pieces.used()
    pieces = pieces[table.visible[table.pieces.owners[pieces]]]
    owners = table.pieces.owners[pieces]
    order = np.lexsort((table.numbers[owners], table.layers[owners]))
    pieces, owners = pieces[order], owners[order]
    rows = np.empty((len(pieces), ROW), np.float32)
    arranged = _Arranged(table.arrangement, pieces, owners, places, ChangeLog(len(rows)), rows)
    _write(table, arranged, places, np.arange(len(rows)))
    arranged.runs = _runs(table, pieces, owners)
    return arranged


def _write(table: SpriteTable, arranged: _Arranged, places: NDArray[np.float32], where: Rows) -> None:
    owners, pieces, rows = arranged.owners[where], arranged.pieces[where], arranged.rows
    rows[where, 0:PLACE] = places[owners]
    rows[where, 4:8] = table.pieces.boxes[pieces]
    rows[where, 8:12] = table.pieces.parts[pieces]
    rows[where, 12:16] = table.colors[owners]


def _runs(table: SpriteTable, pieces: Rows, owners: Rows) -> tuple[Run, ...]:
    if not len(pieces):
        return ()
    sources, kinds = table.pieces.source_numbers[pieces], table.kind_numbers[owners]
    starts = np.flatnonzero((np.diff(sources, prepend=-1) != 0) | (np.diff(kinds, prepend=-1) != 0))
    ends = [*starts[1:].tolist(), len(pieces)]
    every, each = table.pieces.sources, table.kinds
    return tuple(
        Run(every[sources[first]], each[kinds[first]], first, end - first)
        for first, end in zip(starts.tolist(), ends, strict=True)
    )
