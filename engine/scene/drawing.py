"""Makes draw lists from a table: only models that move are computed."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.scene.arrangement import Arrangement
from renderwright.engine.scene.change_log import ChangeLog
from renderwright.engine.scene.compiled_matrices import ModelWriter
from renderwright.engine.scene.draw_list import DrawList, Stamp
from renderwright.engine.scene.entity_table import EntityTable
from renderwright.engine.scene.rows import Rows, union

_MOST_COPIES = 8
_OWN_REFERENCES = 2
"""References to an array that only its copy has, while they are counted."""


@dataclass(eq=False)
class _Copy:
    """Model matrices as they were at a revision."""

    models: NDArray[np.float32]
    revision: int

    @property
    def free(self) -> bool:
        """Whether no draw list and no view refers to the array any more."""
        return sys.getrefcount(self.models) <= _OWN_REFERENCES


class Drawing:
    """The draw lists of one table.

    A draw list keeps its models, so each has an array of its own. An array whose list is gone is patched with what has
    changed since, and used again.
    """

    def __init__(self, table: EntityTable, writer: ModelWriter) -> None:
        self._table = table
        self._writer = writer
        self._arrangement: Arrangement | None = None
        self._copies: list[_Copy] = []
        self._log = ChangeLog(0)
        self._alpha = 0.0
        self._last = DrawList.empty()

    def draw_list(self, arrangement: Arrangement, alpha: float) -> DrawList:
        """The draw list at ``alpha``; the last one if nothing has changed."""
        table = self._table
        changed, moves = table.changed.take(), alpha != self._alpha and bool(table.moving)
        self._alpha = alpha
        if arrangement is not self._arrangement:
            return self._first(arrangement)
        if moves:
            changed = union([changed, table.moving.rows()]) if len(changed) else table.moving.rows()
        places = arrangement.places[changed]
        if len(places) and places.min() < 0:
            places = places[places >= 0]
        if not len(places):
            return self._last
        self._log.note(places)
        copy = self._free_copy()
        outdated = self._log.between(copy.revision, self._log.revision)
        self._write(copy.models, arrangement, outdated, table.previous.values, alpha)
        copy.revision = self._log.revision
        return self._listed(copy, arrangement)

    def models_now(self, arrangement: Arrangement) -> NDArray[np.float32]:
        """The models at the current positions, float32 (n, 4, 4)."""
        models = np.empty((len(arrangement.rows), 4, 4), np.float32)
        self._write(models, arrangement, None, self._table.current.values, 1.0)
        return models

    def _first(self, arrangement: Arrangement) -> DrawList:
        """The first draw list of an arrangement."""
        models = np.empty((len(arrangement.rows), 4, 4), np.float32)
        self._write(models, arrangement, None, self._table.previous.values, self._alpha)
        self._arrangement, self._log = arrangement, ChangeLog(len(models))
        self._copies = [_Copy(models, self._log.revision)]
        del models
        return self._listed(self._copies[0], arrangement)

    def _free_copy(self) -> _Copy:
        """A copy of the models that no draw list has. It may be out of date."""
        for copy in self._copies:
            if copy.free:
                return copy
        copy = _Copy(self._last.models.copy(), self._last.stamp.revision)
        self._copies = [*self._copies, copy][-_MOST_COPIES:]
        return copy

    def _listed(self, copy: _Copy, arrangement: Arrangement) -> DrawList:
        models = copy.models.view()
        models.flags.writeable = False
        self._last = DrawList(models, arrangement.batches, arrangement.numbers, Stamp(self._log, copy.revision))
        return self._last

    def _write(
        self,
        models: NDArray[np.float32],
        arrangement: Arrangement,
        places: Rows | None,
        previous: NDArray[np.float32],
        alpha: float,
    ) -> None:
        """Write the models at some places, None for all, interpolated from ``previous`` to now."""
        table = self._table
        rows = arrangement.rows if places is None else arrangement.rows[places]
        places = arrangement.all_places if places is None else places
        self._writer.write(models, places, rows, previous, table.current.values, alpha)
        if arrangement.has_locals:
            placed = np.flatnonzero(table.has_local[rows])
            # The factors are swapped because both arrays are column-major, that is, transposed.
            models[places[placed]] = np.matmul(table.local[rows[placed]], models[places[placed]])
