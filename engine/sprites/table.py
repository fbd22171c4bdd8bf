"""The sprites of a scene as rows of arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from renderwright.engine.scene.rows import Rows
from renderwright.engine.sprites.columns import Columns
from renderwright.engine.sprites.piece_rows import PieceRows
from renderwright.engine.sprites.pieces import Kind, Pieces, Source

PLACE = 4
"""Floats of a place: x, y, z, and the rotation in radians."""

Floats = NDArray[np.float32]


class SpriteTable:
    """Rows of sprites, and the ``pieces`` that they consist of.

    ``places``, ``colors``, boxes and parts change without arranging the sprites anew: ``touch`` says which rows.
    ``arrangement`` counts the changes of all else, ``touches`` those of what an arrangement shows, ``removals`` those
    that make rows of a group invalid.
    """

    def __init__(self) -> None:
        self.pieces = PieceRows()
        self.arrangement = 0
        self.touches = 0
        self.removals = 0
        self._moving = False
        self._rows = Columns(
            place=(np.float32, PLACE),
            before=(np.float32, PLACE),
            color=(np.float32, 4),
            layer=(np.int64, 0),
            kind=(np.int64, 0),
            number=(np.int64, 0),
            first=(np.int64, 0),
            count=(np.int64, 0),
            alive=(np.bool_, 0),
            visible=(np.bool_, 0),
        )
        self._kinds: dict[Kind, int] = {}
        self._touched: list[Rows] = []
        self._free: list[int] = []
        self._added = 0

    def __len__(self) -> int:
        return int(np.count_nonzero(self.alive))

    # -- columns

    @property
    def places(self) -> Floats:
        """Positions and rotations, (n, 4)."""
        return self._rows["place"]

    @property
    def places_before(self) -> Floats:
        """Those of the last step."""
        return self._rows["before"]

    @property
    def colors(self) -> Floats:
        """Linear colours with straight alpha, (n, 4)."""
        return self._rows["color"]

    @property
    def layers(self) -> NDArray[np.int64]:
        """Layers, (n,)."""
        return self._rows["layer"]

    @property
    def visible(self) -> NDArray[np.bool_]:
        """Which are shown, (n,)."""
        return self._rows["visible"]

    @property
    def alive(self) -> NDArray[np.bool_]:
        """Which rows are those of a sprite, (n,)."""
        return self._rows["alive"]

    @property
    def numbers(self) -> NDArray[np.int64]:
        """Numbers of the sprites in the order of their addition, (n,)."""
        return self._rows["number"]

    @property
    def kind_numbers(self) -> NDArray[np.int64]:
        """The places of the sprites' kinds in ``kinds``, (n,)."""
        return self._rows["kind"]

    @property
    def kinds(self) -> list[Kind]:
        """All kinds by number."""
        return list(self._kinds)

    # -- contents

    def add(self, places: Floats, color: ArrayLike, layer: int, kind: Kind, *, visible: bool = True) -> Rows:
        """Rows for sprites at these places (n, 4), without pieces."""
        count = len(places)
        again = [self._free.pop() for _ in range(min(count, len(self._free)))]
        rows = np.concatenate([np.array(again, np.intp), self._rows.add(count - len(again))])
        self.places[rows] = self.places_before[rows] = places
        self.colors[rows] = color
        self.layers[rows] = layer
        self.kind_numbers[rows] = self._kinds.setdefault(kind, len(self._kinds))
        self.alive[rows] = True
        self.visible[rows] = visible
        self.numbers[rows] = np.arange(self._added, self._added + count)
        self._rows["count"][rows] = 0
        self._added += count
        self.arrangement += 1
        return rows

    def remove(self, rows: Rows) -> None:
        """Free the rows of sprites."""
        self.pieces.drop(self._pieces_of(rows))
        self._rows["count"][rows] = 0
        self.alive[rows] = False
        self._free += rows.tolist()
        self.removals += 1
        self.arrangement += 1

    def set_pieces(self, row: int, pieces: Pieces) -> None:
        """Replace what is drawn of a sprite. Pieces of other sources, or another number of them, arrange anew."""
        rows = np.array([row], np.intp)
        own, numbers = self._pieces_of(rows), [self.pieces.number_of(source) for source in pieces.sources]
        if len(own) == len(pieces) and self.pieces.source_numbers[own].tolist() == numbers:
            self.pieces.boxes[own], self.pieces.parts[own] = pieces.boxes, pieces.parts
            self.touch(rows)
            return
        self.pieces.drop(own)
        self._rows["count"][row] = 0
        self._compact()
        numbers = [self.pieces.number_of(source) for source in pieces.sources]
        new = self.pieces.add(np.repeat(rows, len(pieces)), pieces.boxes, pieces.parts, numbers)
        self._rows["first"][row], self._rows["count"][row] = new[0] if len(new) else 0, len(new)
        self.arrangement += 1

    def add_one_piece_each(self, rows: Rows, boxes: Floats, parts: Floats, source: Source) -> None:
        """Give each of these new sprites one piece."""
        self._compact()
        number = self.pieces.number_of(source)
        self._rows["first"][rows] = self.pieces.add(rows, boxes, parts, number)
        self._rows["count"][rows] = 1
        self.arrangement += 1

    def first_pieces(self, rows: Rows) -> Rows:
        """The first piece of each of these sprites."""
        first: NDArray[np.int64] = self._rows["first"]
        return first[rows]

    def touch(self, rows: Rows) -> None:
        """What an arrangement shows of these rows has changed."""
        self.touches += 1
        self._touched.append(rows)

    def move(self) -> None:
        """Places have changed in this step. Which ones shows when they are compared."""
        self._moving = True
        self.touches += 1

    def take_touched(self) -> Sequence[Rows]:
        """The rows that were touched since the last call."""
        touched, self._touched = self._touched, []
        return touched

    # -- steps

    @property
    def moving(self) -> bool:
        """Whether a place may differ from that of the last step."""
        return self._moving

    def begin_step(self) -> None:
        """The current places become those of the last step."""
        if self._moving:
            self.places_before[:] = self.places
            self._moving = False
            self.touches += 1

    def snap(self, rows: Rows) -> None:
        """Do not interpolate the last movement of these rows."""
        self.places_before[rows] = self.places[rows]
        self.touches += 1

    def _pieces_of(self, rows: Rows) -> Rows:
        first, count = self._rows["first"][rows], self._rows["count"][rows]
        if len(rows) == 1:
            return np.arange(first[0], first[0] + count[0])
        within = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
        pieces: Rows = np.repeat(first, count) + within
        return pieces

    def _compact(self) -> None:
        if self.pieces.compact() and len(self.pieces.owners):
            owners = self.pieces.owners
            starts = np.flatnonzero(np.diff(owners, prepend=-1))
            self._rows["first"][owners[starts]] = starts
