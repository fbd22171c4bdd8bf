"""The transforms of a scene's entities as rows of an array, and the connection to ``Transform`` objects."""

from __future__ import annotations

from itertools import chain

import numpy as np
from numpy.typing import NDArray
from pyglm import glm

from renderwright.engine.scene.matrices import POSITION, ROTATION, SCALE, TRANSFORM_FLOATS
from renderwright.engine.scene.rows import NO_ROWS, Rows
from renderwright.engine.scene.transform import Transform, held_outside, pack_transforms


class TransformRows:
    """Packed transforms: ``values`` is float32 (rows, ``TRANSFORM_FLOATS``).

    A ``Transform`` object holds vectors of its own, whose changes nobody reports. So an object that is read or assigned
    to is watched: ``collect`` compares its vectors with its rows, and goes on as long as something else refers to one
    of them. Objects that are left alone cost nothing. Rows that are set through arrays are newer than their objects,
    which take the values over when they are read.
    """

    def __init__(self) -> None:
        self.values: NDArray[np.float32] = np.zeros((0, TRANSFORM_FLOATS), np.float32)
        self._newer: NDArray[np.bool_] = np.zeros(0, np.bool_)
        self._watched: list[RowLink] = []
        #: The links of transforms that several rows follow, by row.
        self._shared: dict[int, RowLink] = {}

    def grow(self, rows: int) -> None:
        """Have room for that many rows."""
        more = rows - len(self.values)
        self.values = np.concatenate([self.values, np.zeros((more, TRANSFORM_FLOATS), np.float32)])
        self._newer = np.concatenate([self._newer, np.zeros(more, np.bool_)])

    # -- objects

    def connect(self, row: int, transform: Transform) -> None:
        """Have a row follow a transform, and set the row to its value."""
        link = self._link_of(transform)
        if link is None:
            link = RowLink(self, transform, row)
            transform.links = (*transform.links, link)
        elif self._newer[link.first]:
            link.update()
        link.rows[row] = None
        if len(link.rows) > 1:
            self._shared[link.first] = self._shared[row] = link
        self.values[row] = pack_transforms([transform])[0]
        self._newer[row] = False

    def show(self, row: int) -> Transform:
        """A new transform for a row, which takes the row's value over when it is read."""
        transform = Transform()
        transform.links = (RowLink(self, transform, row),)
        self._newer[row] = True
        return transform

    def disconnect(self, row: int, transform: Transform) -> None:
        """End the connection of a row to its transform, which keeps the value."""
        link = self._link_of(transform)
        assert link is not None
        if self._newer[row]:
            link.update()
        del link.rows[row]
        self._shared.pop(row, None)
        if not link.rows:
            transform.links = tuple(each for each in transform.links if each is not link)
            if link.watched:
                self._watched.remove(link)
            return
        if row == link.first:
            link.first = next(iter(link.rows))
        if len(link.rows) == 1:
            self._shared.pop(link.first, None)

    def watch(self, link: RowLink) -> None:
        """Compare a link's transform with its rows at the next ``collect``."""
        if self._newer[link.first]:
            link.update()
        link.watched = True
        self._watched.append(link)

    def collect(self) -> Rows:
        """Copy the values of watched transforms to their rows. Returns the rows that have changed."""
        if not self._watched:
            return NO_ROWS
        links, self._watched = self._watched, []
        transforms = [link.transform for link in links]
        values = pack_transforms(transforms)
        rows = np.array([link.first for link in links], np.intp)
        if self._shared and any(len(link.rows) > 1 for link in links):
            values = np.repeat(values, [len(link.rows) for link in links], axis=0)
            rows = np.fromiter(chain.from_iterable(link.rows for link in links), np.intp, len(values))
        changed = np.flatnonzero((self.values[rows] != values).any(axis=1))
        rows = rows[changed]
        self.values[rows] = values[changed]
        for link, held in zip(links, held_outside(transforms), strict=True):
            link.watched = held
            if held:
                self._watched.append(link)
        return rows

    # -- arrays

    def assign(self, rows: Rows, part: slice, values: NDArray[np.float32]) -> Rows:
        """Set the columns ``part`` of rows to values, of shape (rows, columns) or one that numpy broadcasts to it.

        Call ``collect`` before. Returns further rows that have changed: those that share a transform with one of them.
        """
        self.values[rows, part] = values
        self._newer[rows] = True
        also = self._spread(rows, part) if self._shared else NO_ROWS
        for link in self._watched:
            if self._newer[link.first]:
                link.update()
        return also

    def _spread(self, rows: Rows, part: slice) -> Rows:
        """Copy values to the other rows of shared transforms."""
        found: list[int] = []
        for row in rows.tolist():
            link = self._shared.get(row)
            if link is not None:
                others = list(link.rows)
                self.values[others, part] = self.values[row, part]
                self._newer[others] = True
                found += others
        return np.array(sorted(set(found)), np.intp)

    def clear(self) -> None:
        """Forget all connections; the transforms keep their rows' values only if they were disconnected before."""
        self._watched.clear()
        self._shared.clear()

    def _link_of(self, transform: Transform) -> RowLink | None:
        for link in transform.links:
            if isinstance(link, RowLink) and link.table is self:
                return link
        return None


class RowLink:
    """The rows of a table that follow one transform, in the order in which they began to. ``first`` is one of them."""

    __slots__ = ("first", "rows", "table", "transform", "watched")

    def __init__(self, table: TransformRows, transform: Transform, row: int) -> None:
        self.table = table
        self.transform = transform
        self.first = row
        self.rows = {row: None}
        self.watched = False

    def watch(self) -> None:
        """See ``TransformRows.watch``."""
        self.table.watch(self)

    def update(self) -> None:
        """Have the transform take over the value of its rows."""
        row = self.table.values[self.first]
        self.transform.take(glm.vec3(row[POSITION]), glm.quat(*row[ROTATION].tolist()), glm.vec3(row[SCALE]))
        self.table._newer[list(self.rows)] = False
