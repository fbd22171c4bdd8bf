"""Triangle meshes in the engine's vertex layout."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from pyglm import glm

from renderwright.engine.scene.bounds import Bounds, bounds_of_points, bounds_of_spheres, box_around
from renderwright.render.errors import AssetError

#: Floats per vertex: position xyz, normal xyz, uv, tangent xyzw.
VERTEX_FLOATS = 12

#: Limit of a position in metres, on each axis: the square of a larger distance may overflow a float.
MAX_REACH = 1e18

_Scalar = TypeVar("_Scalar", bound=np.generic)


class Level(NamedTuple):
    """A coarser mesh for sizes below ``size``: the diameter of the bounding sphere in heights of the picture."""

    mesh: Mesh
    size: float


@dataclass(frozen=True, eq=False)
class Mesh:
    """Indexed triangles with counter-clockwise front faces.

    ``vertices`` is float32 (n, 12): position xyz in metres, unit normal xyz, uv with (0, 0) at the top left of an
    image, and tangent xyzw: xyz is the direction of increasing u, and cross(normal, tangent) * w points up the image.
    ``indices`` is uint32 (m,), three per triangle. The arrays become read-only. Meshes compare by identity.

    ``levels`` are coarser meshes for small sizes on the screen, the finest first. ``colors``, float32 (n, 4) from 0 to
    1, linear, multiply the base colour and its alpha; ``second_uvs``, float32 (n, 2), are for the images of
    ``Material.second_uv``. A mesh without them takes no memory for them. Raises AssetError.
    """

    name: str
    vertices: NDArray[np.float32]
    indices: NDArray[np.uint32]
    levels: tuple[Level, ...] = ()
    colors: NDArray[np.float32] | None = None
    second_uvs: NDArray[np.float32] | None = None
    #: Bounding sphere of all vertices, including those of the levels.
    bounds: Bounds = field(init=False)
    #: Half the sides of a box along the axes around the same centre and the same vertices.
    reach: glm.vec3 = field(init=False)

    def __post_init__(self) -> None:
        _check(self.name, self.vertices, self.indices)
        object.__setattr__(self, "vertices", _read_only(self.vertices))
        object.__setattr__(self, "indices", _read_only(self.indices))
        for name, width in (("colors", 4), ("second_uvs", 2)):
            values = getattr(self, name)
            if values is not None:
                _check_attribute(self.name, name, values, (len(self.vertices), width))
                object.__setattr__(self, name, _read_only(values))
        object.__setattr__(self, "levels", _checked_levels(self.name, self.levels))
        own = bounds_of_points(self.positions)
        object.__setattr__(self, "bounds", _around(own, [level.mesh.bounds for level in self.levels]))
        every = (self, *(level.mesh for level in self.levels))
        object.__setattr__(self, "reach", box_around(self.bounds.center, [mesh.positions for mesh in every]))

    @property
    def positions(self) -> NDArray[np.float32]:
        """Positions (n, 3), a view."""
        return self.vertices[:, 0:3]

    @property
    def normals(self) -> NDArray[np.float32]:
        """Normals (n, 3), a view."""
        return self.vertices[:, 3:6]

    @property
    def uvs(self) -> NDArray[np.float32]:
        """Texture coordinates (n, 2), a view."""
        return self.vertices[:, 6:8]

    @property
    def tangents(self) -> NDArray[np.float32]:
        """Tangents (n, 4), a view."""
        return self.vertices[:, 8:12]

    @property
    def triangle_count(self) -> int:
        """Number of triangles."""
        return len(self.indices) // 3

    def with_levels(self, *levels: tuple[Mesh, float]) -> Mesh:
        """A copy with coarser meshes for small sizes: pairs of a mesh and the size below which it is drawn."""
        return replace(self, levels=tuple(Level(*level) for level in levels))

    def mirrored(self) -> Mesh:
        """A copy for use with a mirroring matrix, with flipped winding, normals and bitangents.

        Normals are turned by the cofactors of a matrix, whose sign is the other one if it mirrors: like the winding.
        """
        vertices = self.vertices.copy()
        vertices[:, 3:6] *= -1.0
        vertices[:, 11] *= -1.0
        flipped = np.ascontiguousarray(self.indices.reshape(-1, 3)[:, [0, 2, 1]]).reshape(-1)
        levels = tuple(Level(level.mesh.mirrored(), level.size) for level in self.levels)
        return Mesh(f"{self.name} (mirrored)", vertices, flipped, levels, self.colors, self.second_uvs)


def _read_only(array: NDArray[_Scalar]) -> NDArray[_Scalar]:
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view


def _check(name: str, vertices: NDArray[np.float32], indices: NDArray[np.uint32]) -> None:
    if vertices.dtype != np.float32 or vertices.ndim != 2 or vertices.shape[1] != VERTEX_FLOATS or not len(vertices):
        raise AssetError(
            f'mesh "{name}": vertices are {vertices.dtype} {vertices.shape}',
            hint=f"give a float32 array of shape (n, {VERTEX_FLOATS}), not empty",
        )
    if indices.dtype != np.uint32 or indices.ndim != 1 or not len(indices) or len(indices) % 3:
        raise AssetError(
            f'mesh "{name}": indices are {indices.dtype} {indices.shape}',
            hint="give a uint32 array of shape (m,), three per triangle, not empty",
        )
    largest = int(indices.max())
    if largest >= len(vertices):
        raise AssetError(
            f'mesh "{name}": index {largest} with {len(vertices)} vertices',
            hint=f"indices go from 0 to {len(vertices) - 1}",
        )
    reach = float(np.abs(vertices[:, 0:3]).max())
    if reach > MAX_REACH and np.isfinite(reach):
        raise AssetError(f'mesh "{name}": a position is {reach:g} m away', hint="use metres as the unit")
    if not np.isfinite(vertices).all():
        bad = int(np.argwhere(~np.isfinite(vertices))[0][0])
        raise AssetError(f'mesh "{name}": vertex {bad} is not finite', hint="export the mesh without NaN or infinity")


def _check_attribute(mesh: str, name: str, values: NDArray[np.float32], shape: tuple[int, int]) -> None:
    if values.dtype != np.float32 or values.shape != shape or not np.isfinite(values).all():
        raise AssetError(
            f'mesh "{mesh}": {name} are {values.dtype} {values.shape}',
            hint=f"give a float32 array of shape {shape} of finite numbers",
        )


def _around(own: Bounds, others: Sequence[Bounds]) -> Bounds:
    if not others:
        return own
    every = (own, *others)
    return bounds_of_spheres(
        np.array([bounds.center for bounds in every], np.float32),
        np.array([bounds.radius for bounds in every], np.float32),
    )


def _checked_levels(name: str, levels: Sequence[tuple[Mesh, float]]) -> tuple[Level, ...]:
    checked = tuple(Level(*level) for level in levels)
    before = math.inf
    for number, (mesh, size) in enumerate(checked, 1):
        if not 0.0 < size < before:
            raise AssetError(
                f'mesh "{name}": level {number} is for sizes below {size:g}',
                hint="give a size above 0 and below that of the level before it, as a part of the picture's height",
            )
        if mesh.levels:
            raise AssetError(
                f'mesh "{name}": level {number}, mesh "{mesh.name}", has levels itself',
                hint="list all levels in the finest mesh",
            )
        before = size
    return checked
