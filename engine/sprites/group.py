"""Groups of sprites, which are moved by NumPy arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from renderwright.engine.scene.column import Column
from renderwright.engine.scene.entity_values import flags_of, numbers_of
from renderwright.engine.scene.rows import Rows
from renderwright.engine.sprites.table import SpriteTable


class SpriteGroup:
    """Some sprites in a fixed order, each of one rectangle: ``scene.sprites.add_many`` makes groups.

    ``positions`` (n, 3), ``rotations`` (n,), ``sizes`` (n, 2) and ``colors`` (n, 4) are columns of float32 that can be
    read and written like NumPy arrays. ``group[10:20]`` and ``group[mask]`` are groups. Sprites that are removed leave
    their groups.
    """

    def __init__(self, table: SpriteTable, rows: Rows, anchor: tuple[float, float]) -> None:
        self._table = table
        self._all = rows
        self._anchor = np.array(anchor, np.float32)
        self._numbers = table.numbers[rows]
        self._removals = table.removals
        self._place = _place_of(rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"SpriteGroup({len(self)} sprites)"

    def __getitem__(self, key: slice | NDArray[Any]) -> SpriteGroup:
        return SpriteGroup(self._table, self.rows[key], (float(self._anchor[0]), float(self._anchor[1])))

    @property
    def table(self) -> SpriteTable:
        """The table that the sprites are in."""
        return self._table

    @property
    def rows(self) -> Rows:
        """The rows of those that are still there."""
        if self._removals != self._table.removals:
            left = self._table.alive[self._all] & (self._table.numbers[self._all] == self._numbers)
            self._all, self._numbers = self._all[left], self._numbers[left]
            self._removals = self._table.removals
            self._place = _place_of(self._all)
        return self._all

    @property
    def positions(self) -> Column:
        """x, y, z of each."""
        return Column("positions", self, lambda: self._table.places[self._where(None), :3].copy(), self._set_positions)

    @positions.setter
    def positions(self, values: ArrayLike) -> None:
        self._assign("positions", values, self._set_positions)

    @property
    def rotations(self) -> Column:
        """Radians, counter-clockwise."""
        return Column("rotations", self, lambda: self._table.places[self._where(None), 3].copy(), self._set_rotations)

    @rotations.setter
    def rotations(self, values: ArrayLike) -> None:
        self._assign("rotations", values, self._set_rotations)

    @property
    def colors(self) -> Column:
        """Linear red, green, blue, and straight alpha."""
        return Column("colors", self, lambda: self._table.colors[self.rows], self._set_colors)

    @colors.setter
    def colors(self, values: ArrayLike) -> None:
        self._assign("colors", values, self._set_colors)

    @property
    def sizes(self) -> Column:
        """Width and height."""
        return Column("sizes", self, self._sizes, self._set_sizes)

    @sizes.setter
    def sizes(self, values: ArrayLike) -> None:
        self._assign("sizes", values, self._set_sizes)

    @property
    def visible(self) -> NDArray[np.bool_]:
        """Whether each is shown; a copy."""
        return self._table.visible[self.rows]

    @visible.setter
    def visible(self, values: ArrayLike) -> None:
        rows = self.rows
        shown = flags_of("visible", len(rows), values)
        if (self._table.visible[rows] != shown).any():
            self._table.visible[rows] = shown
            self._table.arrangement += 1

    def snap(self) -> None:
        """Do not interpolate their last movement."""
        self._table.snap(self.rows)

    # -- inside

    def _assign(self, name: str, values: Any, write: Any) -> None:
        if not (isinstance(values, Column) and values.is_of(name, self)):  # an augmented assignment has written already
            write(values, None)

    def _some(self, places: Rows | None) -> Rows:
        return self.rows if places is None else self.rows[places]

    def _where(self, places: Rows | None) -> Rows | slice:
        """The rows as an index. All of a group are mostly neighbours, and a slice is several times as fast."""
        rows = self._some(places)
        return self._place if places is None else rows

    def _set_positions(self, values: Any, places: Rows | None) -> None:
        rows = self._some(places)
        self._table.places[self._where(places), :3] = numbers_of("positions", len(rows), 3, values, places)
        self._table.move()

    def _set_rotations(self, values: Any, places: Rows | None) -> None:
        rows = self._some(places)
        turns = numbers_of("rotations", len(rows), 1, np.reshape(np.asarray(values), (-1, 1)), places)
        self._table.places[self._where(places), 3:4] = turns
        self._table.move()

    def _set_colors(self, values: Any, places: Rows | None) -> None:
        rows = self._some(places)
        self._table.colors[rows] = numbers_of("colors", len(rows), 4, values, places)
        self._table.touch(rows)

    def _sizes(self) -> NDArray[np.float32]:
        boxes = self._table.pieces.boxes[self._table.first_pieces(self.rows)]
        return boxes[:, 2:] - boxes[:, :2]

    def _set_sizes(self, values: Any, places: Rows | None) -> None:
        rows = self._some(places)
        sizes = np.broadcast_to(numbers_of("sizes", len(rows), 2, values, places), (len(rows), 2))
        self._table.pieces.boxes[self._table.first_pieces(rows)] = boxes_around(sizes, self._anchor)
        self._table.touch(rows)


def _place_of(rows: Rows) -> Rows | slice:
    """Neighbouring rows as a slice, others as they are."""
    if len(rows) and rows[-1] - rows[0] == len(rows) - 1 and (np.diff(rows) == 1).all():
        return slice(int(rows[0]), int(rows[-1]) + 1)
    return rows


def boxes_around(sizes: NDArray[np.float32], anchor: NDArray[np.float32]) -> NDArray[np.float32]:
    """As ``box_around``, for sizes (n, 2)."""
    return np.concatenate([-anchor * sizes, (1.0 - anchor) * sizes], axis=1)
