"""Generation of missing normals and tangents, and interleaving of vertex attributes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Indices = NDArray[np.uint32]


def interleaved(positions: Floats, normals: Floats, uvs: Floats, tangents: Floats) -> Floats:
    """Interleave attributes of shapes (n, 3), (n, 3), (n, 2) and (n, 4) to the vertex array of a Mesh, (n, 12)."""
    return np.concatenate([positions, normals, uvs, tangents], axis=1, dtype=np.float32)


def normalized(vectors: NDArray[np.floating]) -> Floats:
    """Rows scaled to unit length. Zero rows stay zero."""
    length = lengths(vectors)
    return np.asarray(vectors / np.where(length > 0.0, length, 1.0)[:, None], np.float32)


def lengths(vectors: NDArray[np.floating]) -> NDArray[Any]:
    """The length of each row."""
    return np.asarray(np.sqrt(np.einsum("ij,ij->i", vectors, vectors)))


def flat_normals(positions: Floats) -> Floats:
    """Face normals for unshared vertices: rows 3i, 3i+1, 3i+2 of ``positions`` (n, 3) are a triangle."""
    corners = positions.reshape(-1, 3, 3)
    faces = normalized(_cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
    return np.repeat(faces, 3, axis=0)


def generated_tangents(positions: Floats, normals: Floats, uvs: Floats, indices: Indices) -> Floats:
    """Tangents (n, 4) that follow the uv, averaged over the triangles of each vertex (Lengyel, FGED 2, section 7.5).

    Where the uv is degenerate, the result is any tangent of the surface.
    """
    corners = [indices[corner::3] for corner in range(3)]
    along_u, along_v = _directions([positions[corner] for corner in corners], [uvs[corner] for corner in corners])
    count = len(positions)
    return _tangents(normals, _summed(along_u, indices, count), _summed(along_v, indices, count))


def flat_tangents(positions: Floats, normals: Floats, uvs: Floats) -> Floats:
    """``generated_tangents`` of unshared vertices with the normals of their faces."""
    corners = [slice(corner, None, 3) for corner in range(3)]
    along_u, along_v = _directions([positions[corner] for corner in corners], [uvs[corner] for corner in corners])
    return np.repeat(_tangents(normals[::3], along_u, along_v), 3, axis=0)


def _directions(positions: Sequence[Floats], uvs: Sequence[Floats]) -> tuple[Floats, Floats]:
    """The directions of u and v on triangles with these corners, as long as their areas."""
    edge, other = positions[1] - positions[0], positions[2] - positions[0]
    turn, other_turn = uvs[1] - uvs[0], uvs[2] - uvs[0]
    determinant = turn[:, 0] * other_turn[:, 1] - other_turn[:, 0] * turn[:, 1]
    # Only directions matter, so the sign of the determinant suffices. Triangles with degenerate uv have weight 0.
    area = (lengths(_cross(edge, other)) * np.sign(determinant))[:, None]
    along_u = edge * other_turn[:, 1:] - other * turn[:, 1:]
    along_v = other * turn[:, :1] - edge * other_turn[:, :1]
    return normalized(along_u) * area, normalized(along_v) * area


def _tangents(normals: Floats, along_u: Floats, along_v: Floats) -> Floats:
    """Unit tangents (n, 4) to normals, along u as far as they can be."""
    tangents = along_u - normals * np.einsum("ij,ij->i", normals, along_u)[:, None]
    lost = lengths(tangents) <= 1e-3 * lengths(along_u)
    tangents[lost] = _any_perpendicular(normals[lost])
    tangents = normalized(tangents)
    # The bitangent points up the image, against v.
    against = np.einsum("ij,ij->i", _cross(normals, tangents), along_v) > 0.0
    handedness = np.where(against, -1.0, 1.0).astype(np.float32)
    return np.concatenate([tangents, handedness[:, None]], axis=1)


def _summed(of_triangles: Floats, indices: Indices, count: int) -> Floats:
    """The sum of the vectors of each vertex' triangles, (count, 3)."""
    of_corners = np.repeat(of_triangles, 3, axis=0)
    sums = np.empty((count, 3), np.float32)
    for axis in range(3):
        sums[:, axis] = np.bincount(indices, of_corners[:, axis], count)
    return sums


def _cross(left: Floats, right: Floats) -> Floats:
    """The cross products of the rows; numpy's own takes several times as long."""
    (ax, ay, az), (bx, by, bz) = left.T, right.T
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], axis=1)


def _any_perpendicular(normals: Floats) -> Floats:
    """X projected to the surface; Z where the normal is parallel to X."""
    axis = np.where(np.abs(normals[:, :1]) < 0.9, [[1.0, 0.0, 0.0]], [[0.0, 0.0, 1.0]])
    return np.asarray(axis - normals * np.einsum("ij,ij->i", normals, axis)[:, None], np.float32)
