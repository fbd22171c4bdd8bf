"""A column of a group of entities, which behaves like a numpy array."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin
from numpy.typing import NDArray

from renderwright.engine.caller import caller_location
from renderwright.engine.scene.entity_values import shortened
from renderwright.engine.scene.rows import Rows
from renderwright.render.errors import UsageError


class Column(NDArrayOperatorsMixin):
    """A column of a group, such as its positions: float32 (entities, components).

    It reads as an array, and writing to it moves the entities: ``column[3] = (0, 1, 0)``, ``column[:, 1] += 0.5``,
    ``column += velocity``. What indexing or arithmetic returns is a copy.
    """

    def __init__(
        self,
        name: str,
        group: object,
        read: Callable[[], NDArray[np.float32]],
        write: Callable[[Any, Rows | None], None],
    ) -> None:
        """``read`` returns a copy; ``write`` takes values for all entities (None) or for some of them."""
        self._name = name
        self._group = group
        self._read = read
        self._write = write

    def is_of(self, name: str, group: object) -> bool:
        """Whether it is the column of that name of a group."""
        return self._group is group and self._name == name

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
        """Raises ``UsageError`` if there is no such part, or the values do not fit it."""
        before = self._read()
        after = before.copy()
        try:
            part = before[key]
        except IndexError:
            raise self._refused(
                f"{self._name} of {len(before)} entities have no [{_shown_key(key)}]",
                f"they are an array of shape {before.shape}",
            ) from None
        try:
            after[key] = values
        except (TypeError, ValueError):
            raise self._refused(
                f"{self._name}[{_shown_key(key)}] of {len(before)} entities cannot be {_shown_values(values)}",
                f"give numbers, or an array of numbers of shape {part.shape}",
            ) from None
        changed = np.flatnonzero((after != before).any(axis=tuple(range(1, before.ndim))))
        self._write(after[changed], changed)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, out: Any = None, **options: Any) -> Any:
        arrays = [each._read() if isinstance(each, Column) else each for each in inputs]
        if out is None:
            return getattr(ufunc, method)(*arrays, **options)
        (target,) = out
        if not isinstance(target, Column):
            return getattr(ufunc, method)(*arrays, out=out, **options)
        try:
            values = getattr(ufunc, method)(*arrays, **options)
        except (TypeError, ValueError):
            other = next((each for each in inputs if each is not target), None)
            raise target._refused(
                f"{target._name} of {len(target)} entities cannot be combined in place with {_shown_values(other)}",
                f"give numbers, or an array of numbers of shape {target.shape}",
            ) from None
        target._write(values, None)
        return target

    def _refused(self, message: str, hint: str) -> UsageError:
        return UsageError(message, hint=hint, where=caller_location())


def _shown_key(key: Any) -> str:
    """A key as it was written, and of an array its shape."""
    if isinstance(key, tuple):
        return ", ".join(_shown_key(each) for each in key)
    if isinstance(key, slice):
        bounds = [key.start, key.stop] if key.step is None else [key.start, key.stop, key.step]
        return ":".join("" if bound is None else str(bound) for bound in bounds)
    if isinstance(key, np.ndarray | list):
        array = np.asarray(key)
        return f"{'mask' if array.dtype == np.bool_ else 'array'} of shape {array.shape}"
    return shortened(key)


def _shown_values(values: Any) -> str:
    """An array by its shape or dtype, another value as it is."""
    try:
        array = np.asarray(values)
    except ValueError:
        return "an array whose rows have different lengths"
    if array.ndim == 0:
        return shortened(values)
    return f"an array of shape {array.shape}" if array.dtype.kind in "biuf" else f"an array of dtype {array.dtype}"
