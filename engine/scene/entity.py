"""Entities: meshes with materials and transforms in a scene."""

from __future__ import annotations

from collections.abc import Callable

from pyglm import glm

from renderwright.engine.scene.material import Material
from renderwright.engine.scene.mesh import Mesh
from renderwright.engine.scene.transform import Transform


class Entity:
    """A drawable object.

    Change ``transform`` to move it. Entities that share one transform object move together. ``previous`` is the
    transform at the start of the current fixed step; drawing interpolates between the two. ``local`` is a constant
    matrix applied before the transform (the placement of a part in its model). Mesh, material, ``casts_shadow`` and
    ``visible`` may be assigned at any time.
    """

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
    ) -> None:
        self.name = name or mesh.name
        self.transform = transform if transform is not None else Transform()
        self.previous = self.transform.copy()
        self._mesh = mesh
        self._material = material
        self._casts_shadow = casts_shadow
        self._visible = visible
        self._local = glm.mat4(local) if local is not None else glm.mat4(1.0)
        #: Set by the scene that contains the entity. The argument tells whether meshes or materials changed.
        self._changed: Callable[[bool], None] | None = None

    def __repr__(self) -> str:
        return f"Entity({self.name!r})"

    @property
    def mesh(self) -> Mesh:
        """The mesh."""
        return self._mesh

    @mesh.setter
    def mesh(self, mesh: Mesh) -> None:
        if mesh is not self._mesh:
            self._mesh = mesh
            self._notify(True)

    @property
    def material(self) -> Material:
        """The material of the whole mesh."""
        return self._material

    @material.setter
    def material(self, material: Material) -> None:
        if material is not self._material:
            self._material = material
            self._notify(True)

    @property
    def casts_shadow(self) -> bool:
        """Whether the entity is drawn into shadow maps."""
        return self._casts_shadow

    @casts_shadow.setter
    def casts_shadow(self, casts_shadow: bool) -> None:
        if casts_shadow != self._casts_shadow:
            self._casts_shadow = casts_shadow
            self._notify(False)

    @property
    def visible(self) -> bool:
        """Whether the entity is drawn."""
        return self._visible

    @visible.setter
    def visible(self, visible: bool) -> None:
        if visible != self._visible:
            self._visible = visible
            self._notify(False)

    @property
    def local(self) -> glm.mat4:
        """A copy of the constant matrix from mesh to entity space."""
        return glm.mat4(self._local)

    def snap(self) -> None:
        """Reset the previous transform, so that a teleport is not interpolated."""
        self.previous.set(self.transform)

    def _notify(self, content: bool) -> None:
        if self._changed is not None:
            self._changed(content)
