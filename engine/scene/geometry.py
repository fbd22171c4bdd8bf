"""Generation of missing normals and tangents, and interleaving of vertex attributes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Indices = NDArray[np.uint32]


def interleaved(positions: Floats, normals: Floats, uvs: Floats, tangents: Floats) -> Floats:
    """Interleave attributes of shapes (n, 3), (n, 3), (n, 2) and (n, 4) to the vertex array of a Mesh, (n, 12)."""
    return np.ascontiguousarray(np.concatenate([positions, normals, uvs, tangents], axis=1), np.float32)


def normalized(vectors: NDArray[np.floating]) -> Floats:
    """Rows scaled to unit length. Zero rows stay zero."""
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(length > 0.0, length, 1.0), np.float32)


def flat_normals(positions: Floats) -> Floats:
    """Face normals for unshared vertices: rows 3i, 3i+1, 3i+2 of ``positions`` (n, 3) are a triangle."""
    corners = positions.reshape(-1, 3, 3)
    faces = normalized(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
    return np.repeat(faces, 3, axis=0)


def generated_tangents(positions: Floats, normals: Floats, uvs: Floats, indices: Indices) -> Floats:
    """Tangents (n, 4) that follow the uv, averaged over the triangles of each vertex (Lengyel, FGED 2, section 7.5).

    Where the uv is degenerate, the result is any tangent of the surface.
    """
    triangles = indices.reshape(-1, 3)
    edges = positions[triangles[:, 1:]] - positions[triangles[:, :1]]
    turns = uvs[triangles[:, 1:]] - uvs[triangles[:, :1]]
    determinant = turns[:, 0, 0] * turns[:, 1, 1] - turns[:, 1, 0] * turns[:, 0, 1]
    # Only directions matter, so the sign of the determinant suffices. Triangles with degenerate uv have weight 0.
    sign = np.sign(determinant)[:, None]
    along_u = (edges[:, 0] * turns[:, 1, 1, None] - edges[:, 1] * turns[:, 0, 1, None]) * sign
    along_v = (edges[:, 1] * turns[:, 0, 0, None] - edges[:, 0] * turns[:, 1, 0, None]) * sign
    area = np.linalg.norm(np.cross(edges[:, 0], edges[:, 1]), axis=1, keepdims=True)
    sum_u, sum_v = np.zeros_like(positions), np.zeros_like(positions)
    for corner in range(3):
        np.add.at(sum_u, triangles[:, corner], normalized(along_u) * area)
        np.add.at(sum_v, triangles[:, corner], normalized(along_v) * area)
    tangents = sum_u - normals * np.einsum("ij,ij->i", normals, sum_u)[:, None]
    lost = np.linalg.norm(tangents, axis=1) <= 1e-3 * np.linalg.norm(sum_u, axis=1)
    tangents[lost] = _any_perpendicular(normals[lost])
    tangents = normalized(tangents)
    # The bitangent points up the image, against v.
    against = np.einsum("ij,ij->i", np.cross(normals, tangents), sum_v) > 0.0
    handedness = np.where(against, -1.0, 1.0).astype(np.float32)
    return np.concatenate([tangents, handedness[:, None]], axis=1)


def _any_perpendicular(normals: Floats) -> Floats:
    """X projected to the surface; Z where the normal is parallel to X."""
    axis = np.where(np.abs(normals[:, :1]) < 0.9, [[1.0, 0.0, 0.0]], [[0.0, 0.0, 1.0]])
    return np.asarray(axis - normals * np.einsum("ij,ij->i", normals, axis)[:, None], np.float32)
