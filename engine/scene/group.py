"""Groups of entities, which are moved by numpy arrays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from renderwright.engine.caller import caller_location
from renderwright.engine.scene.column import Column
from renderwright.engine.scene.entity import Entity
from renderwright.engine.scene.entity_table import EntityTable
from renderwright.engine.scene.entity_values import flags_of, masks_of, numbers_of, rotations_of, shortened
from renderwright.engine.scene.fixed_attributes import FixedAttributes
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.matrices import POSITION, ROTATION, SCALE
from renderwright.engine.scene.mesh import Mesh
from renderwright.engine.scene.rows import Rows
from renderwright.engine.scene.surfaces import Surface
from renderwright.render.errors import UsageError


class GroupIndexError(UsageError, IndexError):
    """A group has no such part."""

    @classmethod
    def of(cls, key: object, count: int) -> GroupIndexError:
        """The error for a key of a group of ``count`` entities."""
        hint = f"give a number below {count}, a slice, an array of such numbers, or a mask of shape {(count,)}"
        if isinstance(key, list):
            key = np.array(key)
        if not isinstance(key, np.ndarray):
            shown = shortened(key)
        elif key.dtype == np.bool_:
            shown = f"mask of shape {key.shape}"
        elif key.ndim == 1 and key.dtype.kind in "iu":
            shown = str(key[(key >= count) | (key < -count)][0])
        else:
            shown = f"array of dtype {key.dtype} and shape {key.shape}"
        return cls(f"a group of {count} entities has no {shown}", hint=hint, where=caller_location())


class Group(FixedAttributes):
    """Some entities of a scene, in a fixed order: ``scene.spawn_many`` and ``scene.group`` make groups.

    ``positions`` (n, 3), ``rotations`` (n, 4: w, x, y, z) and ``scales`` (n, 3) are columns of float32 that can be read
    and written like numpy arrays. ``visible``, ``casts_shadow`` and ``layers`` take one value, or one for each entity;
    ``set_surface`` is for all. ``group[3]`` is an entity, ``group[10:20]`` a group. Entities that are
    removed from the scene leave their groups.
    """

    __slots__ = ("_all", "_numbers", "_removals", "_table")

    def __init__(self, table: EntityTable, rows: Rows) -> None:
        self._table = table
        self._all = rows
        self._numbers = table.number[rows]
        self._removals = table.removals

    def __repr__(self) -> str:
        return f"Group({len(self)} entities)"

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Entity]:
        return (Entity.of_row(self._table, row) for row in self.rows.tolist())

    @overload
    def __getitem__(self, key: int) -> Entity: ...

    @overload
    def __getitem__(self, key: slice | NDArray[np.integer] | NDArray[np.bool_]) -> Group: ...

    def __getitem__(self, key: int | slice | NDArray[np.integer] | NDArray[np.bool_]) -> Entity | Group:
        """An entity by its position in the group, or a group by a slice, an array of positions or a mask.

        Raises ``GroupIndexError`` for others.
        """
        try:
            chosen = self.rows[key]
        except IndexError:
            raise GroupIndexError.of(key, len(self)) from None
        if not isinstance(chosen, np.ndarray):
            return Entity.of_row(self._table, int(chosen))
        if chosen.ndim != 1:
            raise GroupIndexError.of(key, len(self))
        return Group(self._table, chosen)

    @property
    def table(self) -> EntityTable:
        """The table of the entities' scene."""
        return self._table

    @property
    def rows(self) -> Rows:
        """The entities' rows in the scene's arrays."""
        table = self._table
        if table.removals != self._removals:
            left = table.alive[self._all] & (table.number[self._all] == self._numbers)
            self._all, self._numbers = self._all[left], self._numbers[left]
            self._removals = table.removals
        return self._all

    @property
    def positions(self) -> Column:
        """Positions in metres, (n, 3)."""
        return self._column("positions", POSITION)

    @positions.setter
    def positions(self, values: ArrayLike | Column) -> None:
        self._set("positions", POSITION, values)

    @property
    def rotations(self) -> Column:
        """Unit quaternions (n, 4): w, x, y, z."""
        return self._column("rotations", ROTATION)

    @rotations.setter
    def rotations(self, values: ArrayLike | Column) -> None:
        self._set("rotations", ROTATION, values)

    @property
    def scales(self) -> Column:
        """Scales along the local axes, (n, 3)."""
        return self._column("scales", SCALE)

    @scales.setter
    def scales(self, values: ArrayLike | Column) -> None:
        self._set("scales", SCALE, values)

    @property
    def visible(self) -> NDArray[np.bool_]:
        """Which entities are drawn, (n,); a copy."""
        return self._table.visible[self.rows]

    @visible.setter
    def visible(self, values: ArrayLike) -> None:
        self._table.set_flags(self._table.visible, self.rows, flags_of("visible", len(self), values))

    @property
    def casts_shadow(self) -> NDArray[np.bool_]:
        """Which entities are drawn into shadow maps, (n,); a copy."""
        return self._table.casts_shadow[self.rows]

    @casts_shadow.setter
    def casts_shadow(self, values: ArrayLike) -> None:
        self._table.set_flags(self._table.casts_shadow, self.rows, flags_of("casts_shadow", len(self), values))

    @property
    def layers(self) -> NDArray[np.uint32]:
        """The entities' layers, masks of 32 bits, (n,); a copy."""
        return self._table.layers[self.rows]

    @layers.setter
    def layers(self, values: ArrayLike) -> None:
        self._table.set_flags(self._table.layers, self.rows, masks_of("layers", len(self), values))

    def set_surface(self, mesh: Mesh, material: Material) -> None:
        """Give all entities this mesh and material."""
        if len(self):
            self._table.set_surface(self.rows, Surface.of(mesh, material))

    def snap(self) -> None:
        """Reset the previous transforms, so that a teleport is not interpolated."""
        self._table.snap(self.rows)

    def _column(self, name: str, part: slice) -> Column:
        def read() -> NDArray[np.float32]:
            self._table.collect()
            return self._table.current.values[self.rows, part]

        def write(values: NDArray[np.float32], some: Rows | None) -> None:
            self._write(name, part, values, some)

        return Column(name, self, read, write)

    def _set(self, name: str, part: slice, values: ArrayLike | Column) -> None:
        if isinstance(values, Column) and values.is_of(name, self):
            return  # ``group.positions += ...`` has written to the column before it assigns it
        self._write(name, part, values, None)

    def _write(self, name: str, part: slice, values: ArrayLike, some: Rows | None) -> None:
        rows = self.rows if some is None else self.rows[some]
        if part == ROTATION:
            checked = rotations_of(len(rows), values, some)
        else:
            checked = numbers_of(name, len(rows), part.stop - part.start, values, some)
        self._table.set_transforms(rows, part, checked)
