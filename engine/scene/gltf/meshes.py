"""glTF primitives to meshes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.scene.decoding import shown
from renderwright.engine.scene.geometry import (
    flat_normals,
    flat_tangents,
    generated_tangents,
    interleaved,
    lengths,
    normalized,
)
from renderwright.engine.scene.gltf.accessors import read_floats, read_indices
from renderwright.engine.scene.gltf.draco import decode_primitive
from renderwright.engine.scene.gltf.file import GltfFile
from renderwright.engine.scene.gltf.uvs import MaterialUvs, UvMapping
from renderwright.engine.scene.mesh import Mesh
from renderwright.render.errors import AssetError

_TRIANGLES, _STRIP, _FAN = 4, 5, 6
_POINTS_AND_LINES = range(4)

PLAIN_UVS = MaterialUvs()


def read_primitive(file: GltfFile, primitive: Any, name: str, label: str, uvs: MaterialUvs = PLAIN_UVS) -> Mesh | None:
    """Read the mesh of one primitive; None for points and lines, which are not drawn. Raises AssetError.

    ``uvs`` says which texture coordinates its material needs. Missing normals are computed per face and missing
    tangents from the coordinates of the normal map, as glTF specifies.
    """
    mode = _TRIANGLES if primitive.mode is None else primitive.mode
    if mode not in (_TRIANGLES, _STRIP, _FAN):
        if mode not in _POINTS_AND_LINES:
            raise file.problem(label, f"there is no mode {shown(str(mode))}")
        file.notices.add(label, "points and lines are not drawn")
        return None
    if primitive.attributes is None or primitive.attributes.POSITION is None:
        raise file.problem(label, "no positions")
    if decode_primitive(file, primitive, label):
        mode = _TRIANGLES
    _check_stored(file, primitive, label)
    attributes = _Attributes(file, primitive, label)
    indices = _read_indices(file, primitive, mode, attributes.count, label)
    normals, tangents = attributes.read("NORMAL", 3), attributes.read("TANGENT", 4)
    first = attributes.uvs(uvs.first)
    second = attributes.uvs(uvs.second) if uvs.second is not None else None
    colors = attributes.colors()
    # Vertices without normals are not shared.
    file.spend("vertices", attributes.count if normals is not None else len(indices), label)
    positions = attributes.positions
    flat = normals is None
    if normals is None:
        unshared = indices
        indices = np.arange(len(unshared), dtype=np.uint32)
        positions, first, tangents = positions[unshared], first[unshared], None
        second, colors = (None if values is None else values[unshared] for values in (second, colors))
        normals = flat_normals(positions)
    normals = _usable_normals(normals)
    mapped = second if second is not None and uvs.normal == uvs.second else first
    tangents = _usable_tangents(tangents, positions, normals, mapped, None if flat else indices)
    try:
        vertices = interleaved(positions, normals, first, tangents)
        return Mesh(name, vertices, indices, colors=colors, second_uvs=second)
    except AssetError as error:
        raise file.problem(label, error.message, hint=error.hint) from error


class _Attributes:
    """The vertex attributes of a primitive."""

    def __init__(self, file: GltfFile, primitive: Any, label: str) -> None:
        self._file = file
        self._attributes = primitive.attributes
        self._label = label
        self.positions = read_floats(file, self._attributes.POSITION, 3, f"{label} POSITION")
        self.count = len(self.positions)

    def read(self, semantic: str, *widths: int) -> NDArray[np.float32] | None:
        """The values of an attribute, None without it. Raises AssetError."""
        accessor = getattr(self._attributes, semantic, None)
        if accessor is None:
            return None
        values = read_floats(self._file, accessor, widths, f"{self._label} {semantic}")
        if len(values) != self.count:
            message = f"{len(values)} of {semantic} for {self.count} positions"
            raise self._file.problem(self._label, message)
        return values

    def uvs(self, mapping: UvMapping) -> NDArray[np.float32]:
        """The coordinates of a mapping, 0 without them."""
        values = self.read(f"TEXCOORD_{mapping.number}", 2)
        return mapping.apply(np.zeros((self.count, 2), np.float32) if values is None else values)

    def colors(self) -> NDArray[np.float32] | None:
        """The colours (n, 4), None without any that change something."""
        values = self.read("COLOR_0", 3, 4)
        if values is None or bool((values >= 1.0).all()):
            return None
        if values.shape[1] == 4:
            return values
        return np.concatenate([values, np.ones((self.count, 1), np.float32)], axis=1)


def _read_indices(file: GltfFile, primitive: Any, mode: int, count: int, label: str) -> NDArray[np.uint32]:
    """The indices of the triangles of ``count`` vertices. Raises AssetError."""
    if primitive.indices is None:
        indices = np.arange(count, dtype=np.uint32)
    else:
        indices = read_indices(file, primitive.indices, label)
    file.spend("indices", len(indices) if mode == _TRIANGLES else 3 * len(indices), label)
    indices = triangle_corners(indices, mode)
    if len(indices) == 0 or int(indices.max()) >= count:
        raise file.problem(label, f"{len(indices)} indices into {count} vertices, the largest {indices.max(initial=0)}")
    return indices


def _check_stored(file: GltfFile, primitive: Any, label: str) -> None:
    """Refuse a primitive with positions that only an extension has: it would be a point."""
    number = primitive.attributes.POSITION
    positions = file.element("accessors", number, label)
    stored = positions.bufferView is not None or positions.sparse is not None or number in file.decoded
    extensions = [str(name) for name in primitive.extensions or ()]
    if extensions and not stored:
        raise file.problem(
            label,
            f"its positions are in {shown(', '.join(extensions))} alone, which is not supported",
            hint="export without compression",
        )


def triangle_corners(indices: NDArray[np.uint32], mode: int) -> NDArray[np.uint32]:
    """Convert a list, strip or fan to a triangle list. An incomplete last triangle is dropped."""
    if mode == _TRIANGLES:
        return indices[: len(indices) // 3 * 3]
    first = np.arange(max(0, len(indices) - 2))
    if mode == _FAN:
        corners = np.stack([first + 1, first + 2, np.zeros_like(first)], axis=1)
    else:
        odd = first % 2
        corners = np.stack([first, first + 1 + odd, first + 2 - odd], axis=1)
    return indices[corners.reshape(-1)]


def _usable_tangents(
    tangents: NDArray[np.float32] | None,
    positions: NDArray[np.float32],
    normals: NDArray[np.float32],
    uvs: NDArray[np.float32],
    indices: NDArray[np.uint32] | None,
) -> NDArray[np.float32]:
    """Unit tangents: those of the file, or generated ones. Vertices without ``indices`` are not shared."""
    if tangents is None:
        if indices is None:
            return flat_tangents(positions, normals, uvs)
        return generated_tangents(positions, normals, uvs, indices)
    sign = np.where(tangents[:, 3:] < 0.0, -1.0, 1.0).astype(np.float32)
    return np.concatenate([normalized(tangents[:, :3]), sign], axis=1)


def _usable_normals(normals: NDArray[np.float32]) -> NDArray[np.float32]:
    """Unit normals. Zero normals of degenerate triangles are replaced by +Y."""
    unit = normalized(normals)
    unit[lengths(unit) < 0.5] = (0.0, 1.0, 0.0)
    return unit
