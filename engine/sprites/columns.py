"""Arrays of one length that grow together."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.scene.rows import Rows


class Columns:
    """Arrays by name, each of a type and a number of components (0: one value a row, without a dimension)."""

    def __init__(self, **columns: tuple[type, int]) -> None:
        self.length = 0
        self._arrays: dict[str, NDArray[Any]] = {
            name: np.zeros((0, width) if width else 0, dtype) for name, (dtype, width) in columns.items()
        }

    def __getitem__(self, name: str) -> NDArray[Any]:
        """A view of the column's rows, valid until rows are added."""
        return self._arrays[name][: self.length]

    def add(self, count: int) -> Rows:
        """New rows at the end, of zeros or of what was there before."""
        first, self.length = self.length, self.length + count
        for name, array in self._arrays.items():
            if len(array) < self.length:
                grown = np.zeros((max(64, 2 * self.length), *array.shape[1:]), array.dtype)
                grown[:first] = array[:first]
                self._arrays[name] = grown
        return np.arange(first, self.length)

    def keep(self, rows: Rows) -> None:
        """Leave these rows, in this order."""
        for array in self._arrays.values():
            array[: len(rows)] = array[: self.length][rows]
        self.length = len(rows)
