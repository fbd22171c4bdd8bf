"""A column of a group of entities, which behaves like a numpy array."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin
from numpy.typing import NDArray

from renderwright.engine.scene.rows import Rows


class Column(NDArrayOperatorsMixin):
    """The positions, rotations or scales of a group: float32 (entities, components).

    It reads as an array, and writing to it moves the entities: ``column[3] = (0, 1, 0)``, ``column[:, 1] += 0.5``,
    ``column += velocity``. What indexing or arithmetic returns is a copy.
    """

    def __init__(
        self, source: object, read: Callable[[], NDArray[np.float32]], write: Callable[[Any, Rows | None], None]
    ) -> None:
        """``read`` returns a copy; ``write`` takes values for all entities (None) or for some of them.

        ``source`` compares equal for columns of the same group and values.
        """
        self.source = source
        self._read = read
        self._write = write

    def __repr__(self) -> str:
        return f"Column({self._read()!r})"

    def __len__(self) -> int:
        return len(self._read())

    @property
    def shape(self) -> tuple[int, ...]:
        """(entities, components)."""
        return self._read().shape

    @property
    def dtype(self) -> np.dtype[np.float32]:
        """float32."""
        return np.dtype(np.float32)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return self._read().astype(dtype or np.float32, copy=False)

    def __getitem__(self, key: Any) -> Any:
        return self._read()[key]

    def __setitem__(self, key: Any, values: Any) -> None:
        before = self._read()
        after = before.copy()
        after[key] = values
        changed = np.flatnonzero((after != before).any(axis=1))
        self._write(after[changed], changed)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, out: Any = None, **options: Any) -> Any:
        arrays = [each._read() if isinstance(each, Column) else each for each in inputs]
        if out is None:
            return getattr(ufunc, method)(*arrays, **options)
        (target,) = out
        if not isinstance(target, Column):
            return getattr(ufunc, method)(*arrays, out=out, **options)
        target._write(getattr(ufunc, method)(*arrays, **options), None)
        return target
