"""glTF primitives to meshes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.scene.decoding import shown
from renderwright.engine.scene.geometry import flat_normals, generated_tangents, interleaved, lengths, normalized
from renderwright.engine.scene.gltf_accessors import read_floats, read_indices
from renderwright.engine.scene.gltf_file import GltfFile
from renderwright.engine.scene.mesh import Mesh
from renderwright.render.errors import AssetError

_TRIANGLES, _STRIP, _FAN = 4, 5, 6


def read_primitive(file: GltfFile, primitive: Any, name: str, label: str) -> Mesh | None:
    """Read the mesh of one primitive; None for points and lines, which are not drawn. Raises AssetError.

    Missing normals are computed per face and missing tangents from the uv, as glTF specifies.
    """
    mode = _TRIANGLES if primitive.mode is None else primitive.mode
    if mode not in (_TRIANGLES, _STRIP, _FAN):
        file.notices.add(label, "points and lines are not drawn")
        return None
    attributes = primitive.attributes
    if attributes.POSITION is None:
        raise file.problem(label, "no positions")
    _check_stored(file, primitive, label)
    positions = read_floats(file, attributes.POSITION, 3, f"{label} POSITION")
    count = len(positions)
    if primitive.indices is None:
        indices = np.arange(count, dtype=np.uint32)
    else:
        indices = read_indices(file, primitive.indices, label)
    file.spend("indices", len(indices) if mode == _TRIANGLES else 3 * len(indices), label)
    indices = _triangles(indices, mode)
    if len(indices) == 0 or int(indices.max()) >= count:
        raise file.problem(label, f"{len(indices)} indices into {count} vertices, the largest {indices.max(initial=0)}")

    def attribute(semantic: str, width: int) -> NDArray[np.float32] | None:
        accessor = getattr(attributes, semantic, None)
        if accessor is None:
            return None
        values = read_floats(file, accessor, width, f"{label} {semantic}")
        if len(values) != count:
            raise file.problem(label, f"{len(values)} of {semantic} for {count} positions")
        return values

    normals, tangents = attribute("NORMAL", 3), attribute("TANGENT", 4)
    uvs = attribute("TEXCOORD_0", 2)
    if uvs is None:
        uvs = np.zeros((count, 2), np.float32)
    # Vertices without normals are not shared.
    file.spend("vertices", count if normals is not None else len(indices), label)
    if normals is None:
        positions, uvs, tangents = positions[indices], uvs[indices], None
        indices = np.arange(len(indices), dtype=np.uint32)
        normals = flat_normals(positions)
    normals = _usable_normals(normals)
    if tangents is None:
        tangents = generated_tangents(positions, normals, uvs, indices)
    else:
        sign = np.where(tangents[:, 3:] < 0.0, -1.0, 1.0).astype(np.float32)
        tangents = np.concatenate([normalized(tangents[:, :3]), sign], axis=1)
    try:
        return Mesh(name, interleaved(positions, normals, uvs, tangents), indices)
    except AssetError as error:
        raise file.problem(label, error.message, hint=error.hint) from error


def _check_stored(file: GltfFile, primitive: Any, label: str) -> None:
    """Refuse a primitive with positions that only an extension has: it would be a point."""
    positions = file.element("accessors", primitive.attributes.POSITION, label)
    extensions = [str(name) for name in primitive.extensions or ()]
    if extensions and positions.bufferView is None and positions.sparse is None:
        raise file.problem(
            label,
            f"its positions are in {shown(', '.join(extensions))} alone, which is not supported",
            hint="export without compression",
        )


def _triangles(indices: NDArray[np.uint32], mode: int) -> NDArray[np.uint32]:
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


def _usable_normals(normals: NDArray[np.float32]) -> NDArray[np.float32]:
    """Unit normals. Zero normals of degenerate triangles are replaced by +Y."""
    unit = normalized(normals)
    unit[lengths(unit) < 0.5] = (0.0, 1.0, 0.0)
    return unit
