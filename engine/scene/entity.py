"""Entities: meshes with materials and transforms in a scene."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import ClassVar

import numpy as np
from pyglm import glm

from renderwright.engine.caller import caller_location
from renderwright.engine.scene.entity_table import EntityTable
from renderwright.engine.scene.entity_values import flag_of, mask_of, shortened
from renderwright.engine.scene.fixed_attributes import FixedAttributes
from renderwright.engine.scene.layers import FIRST_LAYER
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.mesh import Mesh
from renderwright.engine.scene.number_rules import refusal
from renderwright.engine.scene.rows import Rows
from renderwright.engine.scene.surfaces import Surface
from renderwright.engine.scene.transform import Transform
from renderwright.render.errors import UsageError

_OF_THE_TRANSFORM = "write entity.transform.{0} = ...: an entity's {0} is that of its transform"
_OF_THE_MATERIAL = "write entity.material = dataclasses.replace(entity.material, {}=...)"
_ELSEWHERE = {
    **{name: _OF_THE_TRANSFORM.format(name) for name in Transform.number_rules},
    **{field.name: _OF_THE_MATERIAL.format(field.name) for field in fields(Material) if field.init},
    "color": _OF_THE_MATERIAL.format("base_color"),
}


class Entity(FixedAttributes):
    """A drawable object.

    Change ``transform`` to move it. Entities that share one transform object move together. ``previous`` is the
    transform at the start of the current fixed step; drawing interpolates between the two. ``local`` is a constant
    matrix applied before the transform (the placement of a part in its model). Mesh, material, ``casts_shadow``,
    ``visible`` and ``layers`` may be assigned at any time. ``layers`` is a mask of 32 bits: a camera shows the entity
    if ``Camera.layers`` has a bit in common. Its shadow is shown to all cameras.

    In a scene, an entity is a view of a row of the scene's arrays; outside, it has values of its own.
    """

    __slots__ = (
        "_casts_shadow",
        "_layers",
        "_local",
        "_previous",
        "_row",
        "_surface",
        "_table",
        "_transform",
        "_visible",
        "name",
    )

    elsewhere: ClassVar[Mapping[str, str]] = _ELSEWHERE

    name: str

    def __init__(
        self,
        mesh: Mesh,
        material: Material,
        transform: Transform | None = None,
        casts_shadow: bool = True,
        visible: bool = True,
        *,
        name: str = "",
        local: glm.mat4 | None = None,
        layers: int = FIRST_LAYER,
    ) -> None:
        self._surface = Surface.of(mesh, material)
        self.name = name or mesh.name
        self._transform: Transform | None = Transform() if transform is None else self._checked_transform(transform)
        self._previous: Transform | None = None
        self._casts_shadow = flag_of(self._named("casts_shadow"), casts_shadow)
        self._visible = flag_of(self._named("visible"), visible)
        self._layers = mask_of(self._named("layers"), layers)
        self._local = glm.mat4(1.0) if local is None else self._checked_local(glm.mat4(local))
        #: The table of the scene that contains the entity.
        self._table: EntityTable | None = None
        self._row = -1

    def __repr__(self) -> str:
        return f"Entity({self.name!r})"

    @property
    def number(self) -> int:
        """The number of the entity in its scene, counted from 0 and never given out again; -1 outside of scenes."""
        return int(self._table.number[self._row]) if self._table is not None else -1

    @property
    def transform(self) -> Transform:
        """The transform. An assigned one replaces the object, which may be another entity's as well."""
        if self._transform is None:
            assert self._table is not None
            self._transform = self._table.current.show(self._row)
        return self._transform

    @transform.setter
    def transform(self, transform: Transform) -> None:
        self._check_numbers(self._checked_transform(transform))
        table = self._table
        if table is not None:
            table.collect()
            if self._transform is not None:
                table.current.disconnect(self._row, self._transform)
            table.current.connect(self._row, transform)
            table.moved(self._rows)
        self._transform = transform

    @property
    def previous(self) -> Transform:
        """The transform at the start of the current fixed step."""
        if self._previous is None:
            table = self._table
            self._previous = table.previous.show(self._row) if table is not None else self.transform.copy()
        return self._previous

    @property
    def mesh(self) -> Mesh:
        """The mesh."""
        return self._drawn.mesh

    @mesh.setter
    def mesh(self, mesh: Mesh) -> None:
        self._set_surface(Surface.of(mesh, self._drawn.material))

    @property
    def material(self) -> Material:
        """The material of the whole mesh."""
        return self._drawn.material

    @material.setter
    def material(self, material: Material) -> None:
        self._set_surface(Surface.of(self._drawn.mesh, material))

    @property
    def casts_shadow(self) -> bool:
        """Whether the entity is drawn into shadow maps."""
        return self._casts_shadow if self._table is None else bool(self._table.casts_shadow[self._row])

    @casts_shadow.setter
    def casts_shadow(self, casts_shadow: bool) -> None:
        self._casts_shadow = casts_shadow = flag_of(self._named("casts_shadow"), casts_shadow)
        if self._table is not None and casts_shadow != self._table.casts_shadow[self._row]:
            self._table.set_flags(self._table.casts_shadow, self._rows, casts_shadow)

    @property
    def visible(self) -> bool:
        """Whether the entity is drawn."""
        return self._visible if self._table is None else bool(self._table.visible[self._row])

    @visible.setter
    def visible(self, visible: bool) -> None:
        self._visible = visible = flag_of(self._named("visible"), visible)
        if self._table is not None and visible != self._table.visible[self._row]:
            self._table.set_flags(self._table.visible, self._rows, visible)

    @property
    def layers(self) -> int:
        """The layers that the entity is in, a mask of 32 bits."""
        return self._layers if self._table is None else int(self._table.layers[self._row])

    @layers.setter
    def layers(self, layers: int) -> None:
        self._layers = layers = mask_of(self._named("layers"), layers)
        if self._table is not None and layers != self._table.layers[self._row]:
            self._table.set_flags(self._table.layers, self._rows, layers)

    @property
    def local(self) -> glm.mat4:
        """A copy of the constant matrix from mesh to entity space."""
        return glm.mat4(self._local)

    def snap(self) -> None:
        """Reset the previous transform, so that a teleport is not interpolated."""
        if self._table is not None:
            self._table.snap(self._rows)
        else:
            self.previous.set(self.transform)

    # -- for scenes

    @classmethod
    def of_row(cls, table: EntityTable, row: int) -> Entity:
        """The entity of a row, which has one object at most."""
        entity = table.objects.get(row)
        if entity is None:
            surface = table.surfaces[table.surface[row]]
            entity = cls.__new__(cls)
            entity.name = surface.mesh.name
            entity._transform = entity._previous = None
            entity._local = glm.mat4(1.0)
            entity._table, entity._row = table, row
            table.objects[row] = entity
        return entity

    @property
    def table(self) -> EntityTable | None:
        """The table of the entity's scene."""
        return self._table

    @property
    def row(self) -> int:
        """The row in the table."""
        return self._row

    def enter(self, table: EntityTable) -> None:
        """Become a view of a new row."""
        surface, transform = self._surface, self.transform
        self._check_numbers(transform)
        rows = table.add(surface, 1, casts_shadow=self._casts_shadow, visible=self._visible, layers=self._layers)
        row = int(rows[0])
        table.set_local(row, self._local)
        table.current.connect(row, transform)
        table.previous.values[row] = table.current.values[row]
        table.objects[row] = self
        self._table, self._row = table, row
        if self._previous is not None:
            self._previous.set(transform)
            table.previous.connect(row, self._previous)

    def leave(self) -> None:
        """Take the row's values over, and leave the row without an object."""
        table = self._table
        assert table is not None
        self._surface, self._layers = self._drawn, self.layers
        self._visible, self._casts_shadow = self.visible, self.casts_shadow
        table.current.disconnect(self._row, self.transform)
        if self._previous is not None:
            table.previous.disconnect(self._row, self._previous)
        del table.objects[self._row]
        self._table, self._row = None, -1

    # -- inside

    @property
    def _rows(self) -> Rows:
        return np.array([self._row], np.intp)

    @property
    def _drawn(self) -> Surface:
        return self._surface if self._table is None else self._table.surfaces[self._table.surface[self._row]]

    def _named(self, field: str) -> str:
        return f'{field} of the entity "{self.name}"'

    def _checked_transform(self, transform: Transform) -> Transform:
        if not isinstance(transform, Transform):
            raise UsageError(
                f"the {self._named('transform')} cannot be {shortened(transform)}",
                hint="give a Transform, such as Transform(position=glm.vec3(0, 1, 0))",
                where=caller_location(),
            )
        return transform

    def _check_numbers(self, transform: Transform) -> None:
        """Refuse a transform that had an invalid number set in place before it got here."""
        if field := transform.invalid_field():
            name, value = self._named(f"transform.{field}"), getattr(transform, field)
            raise refusal(name, value, transform.number_rules[field], caller_location())

    def _checked_local(self, local: glm.mat4) -> glm.mat4:
        if local - local != glm.mat4(0.0):
            raise UsageError(
                f"{self._named('local')} has a number that is not finite",
                hint="give a matrix of finite numbers",
                where=caller_location(),
            )
        return local

    def _set_surface(self, surface: Surface) -> None:
        if self._table is None:
            self._surface = surface
        elif surface != self._drawn:
            self._table.set_surface(self._rows, surface)
