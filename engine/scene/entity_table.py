"""The entities of a scene as rows of arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from pyglm import glm

from renderwright.engine.scene.matrices import ROTATION, TRANSFORM_FLOATS
from renderwright.engine.scene.rows import NO_ROWS, Rows, RowSet
from renderwright.engine.scene.surfaces import Surface, Surfaces
from renderwright.engine.scene.transform_rows import TransformRows
from renderwright.render.errors import UsageError

if TYPE_CHECKING:
    from renderwright.engine.scene.entity import Entity

Flags = bool | NDArray[np.bool_]
Masks = int | NDArray[np.uint32]

_FIRST_SIZE = 64
_WHOLE = slice(0, TRANSFORM_FLOATS)


class EntityTable:
    """A row for each entity. Rows of removed entities are used again; numbers of entities are not.

    ``number`` counts additions, so it tells the order. ``moving`` are rows whose ``previous`` may differ from
    ``current``; ``changed`` are rows that pictures do not show yet. ``arrangement`` counts changes of the set of
    visible entities and of their surfaces, layers and shadows, ``revision`` changes of contents.
    """

    def __init__(self) -> None:
        self.revision = 0
        self.arrangement = 0
        self.removals = 0
        self.surfaces = Surfaces()
        self.current, self.previous = TransformRows(), TransformRows()
        self.moving, self.changed = RowSet(), RowSet()
        #: Increases with every change of ``current``.
        self.moves = 0
        self.number: NDArray[np.int64] = np.zeros(0, np.int64)
        self.alive: NDArray[np.bool_] = np.zeros(0, np.bool_)
        self.visible: NDArray[np.bool_] = np.zeros(0, np.bool_)
        self.casts_shadow: NDArray[np.bool_] = np.zeros(0, np.bool_)
        self.static: NDArray[np.bool_] = np.zeros(0, np.bool_)
        self.layers: NDArray[np.uint32] = np.zeros(0, np.uint32)
        self.surface: NDArray[np.int32] = np.zeros(0, np.int32)
        #: Constant matrices, float32 (rows, 4, 4) in column-major memory, where ``has_local``.
        self.has_local: NDArray[np.bool_] = np.zeros(0, np.bool_)
        self.local: NDArray[np.float32] = np.zeros((0, 4, 4), np.float32)
        #: Entities that have objects, by row.
        self.objects: dict[int, Entity] = {}
        #: Static entities that have moved all the same.
        self.broken_promises = RowSet()
        self._end = 0
        self._added = 0
        self._free: list[int] = []

    def __len__(self) -> int:
        return self._end - len(self._free)

    # -- rows

    def add(self, surface: Surface, count: int, *, casts_shadow: Flags, visible: Flags, layers: Masks) -> Rows:
        """New rows. Their transforms and local matrices are not set. Flags and masks may be one for all."""
        rows = self._allocate(count)
        self.number[rows] = np.arange(self._added, self._added + count)
        self._added += count
        self.alive[rows] = True
        self.visible[rows] = visible
        self.casts_shadow[rows] = casts_shadow
        self.static[rows] = False
        self.layers[rows] = layers
        self.has_local[rows] = False
        self.surface[rows] = self.surfaces.acquire(surface, count)
        self.rearrange(content=True)
        return rows

    def remove(self, rows: Rows) -> None:
        """Free rows, which no object belongs to any more."""
        for number, users in zip(*np.unique(self.surface[rows], return_counts=True), strict=True):
            self.surfaces.release(int(number), int(users))
        self.alive[rows] = self.visible[rows] = False
        self._free += rows.tolist()
        if len(self._free) == self._end:
            self._end, self._free = 0, []
        self.removals += 1
        self.rearrange(content=True)

    def set_local(self, row: int, matrix: glm.mat4) -> None:
        """Set a row's constant matrix."""
        if matrix == glm.mat4(1.0):
            return
        if not len(self.local):
            self.local = np.zeros((len(self.number), 4, 4), np.float32)
        self.local[row] = np.frombuffer(matrix.to_bytes(), np.float32).reshape(4, 4)
        self.has_local[row] = True

    def set_surface(self, rows: Rows, surface: Surface) -> None:
        """Set mesh and material of rows."""
        before = self.surface[rows]
        number = self.surfaces.acquire(surface, len(rows))
        self.surface[rows] = number
        for old, users in zip(*np.unique(before, return_counts=True), strict=True):
            self.surfaces.release(int(old), int(users))
        if (before != number).any():
            self.rearrange(content=True)

    def set_flags(self, flags: NDArray[np.bool_] | NDArray[np.uint32], rows: Rows, values: Flags | Masks) -> None:
        """Set one of ``visible``, ``casts_shadow`` and ``layers``."""
        before = flags[rows]
        flags[rows] = values
        if not np.array_equal(before, flags[rows]):
            self.rearrange(content=False)

    def rearrange(self, *, content: bool) -> None:
        """Note a change of the arrangement, and of contents."""
        self.arrangement += 1
        if content:
            self.revision += 1

    def in_order(self) -> Rows:
        """All rows in use in the order of their addition."""
        rows = np.flatnonzero(self.alive[: self._end])
        numbers = self.number[rows]
        if (numbers[1:] > numbers[:-1]).all():
            return rows
        return rows[np.argsort(numbers, kind="stable")]

    def surfaces_in_order(self) -> list[Surface]:
        """The surfaces in use in the order of their first entity."""
        numbers, first = np.unique(self.surface[self.in_order()], return_index=True)
        return [self.surfaces[number] for number in numbers[np.argsort(first)].tolist()]

    # -- transforms

    def collect(self) -> None:
        """Take over the values of transforms that were changed as objects."""
        moved, reset = self.current.collect(), self.previous.collect()
        if len(moved):
            self._check(moved)
            self.moved(moved)
        if len(reset):
            self.moving.add(reset)
            self.changed.add(reset)

    def _check(self, rows: Rows) -> None:
        """Raise ``UsageError`` if a transform that was changed in place has an invalid number."""
        values = self.current.values[rows]
        finite = np.isfinite(values).all(axis=1)
        if not finite.all():
            raise self._invalid(rows[np.argmin(finite)], "a number that is not finite", "give finite numbers")
        rotations = values[:, ROTATION]
        if not rotations[:, 0].all():
            turned = rotations.any(axis=1)
            if not turned.all():
                raise self._invalid(rows[np.argmin(turned)], "a rotation of length 0", "give unit quaternions")

    def _invalid(self, row: np.intp, what: str, hint: str) -> UsageError:
        entity = self.objects.get(int(row))
        name = f'of the entity "{entity.name}" ' if entity is not None else ""
        return UsageError(f"a transform {name}has {what}", hint=hint)

    def set_transforms(self, rows: Rows, part: slice, values: NDArray[np.float32]) -> None:
        """Set columns of ``current``."""
        self.collect()
        also = self.current.assign(rows, part, values)
        self.moved(rows)
        if len(also):
            self.moved(also)

    def moved(self, rows: Rows) -> None:
        """Note that rows of ``current`` have changed."""
        self.moves += 1
        self.moving.add(rows)
        self.changed.add(rows)
        static = self.static[rows]
        if static.any():
            self.broken_promises.add(rows[static])
            self.static[rows] = False

    def snap(self, rows: Rows) -> None:
        """Set ``previous`` to ``current``."""
        self.collect()
        self.previous.assign(rows, _WHOLE, self.current.values[rows])
        self.changed.add(rows)

    def begin_step(self) -> None:
        """Set ``previous`` to ``current`` wherever they may differ."""
        self.collect()
        rows = self.moving.take()
        if len(rows):
            self.previous.assign(rows, _WHOLE, self.current.values[rows])
            self.changed.add(rows)

    # -- inside

    def _allocate(self, count: int) -> Rows:
        if count <= len(self._free):
            taken = np.array(sorted(self._free[len(self._free) - count :]), np.intp) if count else NO_ROWS
            del self._free[len(self._free) - count :]
            return taken
        first, self._end = self._end, self._end + count
        if self._end > len(self.number):
            self._grow(max(_FIRST_SIZE, self._end, 2 * len(self.number)))
        return np.arange(first, self._end)

    def _grow(self, rows: int) -> None:
        more = rows - len(self.number)
        for name in ("number", "alive", "visible", "casts_shadow", "static", "layers", "surface", "has_local"):
            column = getattr(self, name)
            setattr(self, name, np.concatenate([column, np.zeros(more, column.dtype)]))
        if len(self.local):
            self.local = np.concatenate([self.local, np.zeros((more, 4, 4), np.float32)])
        self.current.grow(rows)
        self.previous.grow(rows)
