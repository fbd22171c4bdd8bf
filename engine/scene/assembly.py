"""Meshes that are put together from others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from pyglm import glm

from renderwright.engine.scene.mesh import Mesh
from renderwright.engine.scene.primitives import box

Part = tuple[Mesh, tuple[float, float, float], tuple[float, float, float]]
"""A mesh, its place in metres, and its turns about x, y and z in radians."""
Corner = tuple[float, float, float]


def assembled(name: str, parts: Sequence[Part]) -> Mesh:
    """One mesh of several, without their levels of detail, colours and second texture coordinates."""
    vertices, indices, count = [], [], 0
    for mesh, place, (x, y, z) in parts:
        turn = np.array(glm.mat3_cast(glm.quat(glm.vec3(x, y, z))), np.float32)
        moved = mesh.vertices.copy()
        for first in (0, 3, 8):  # positions, normals, tangents
            moved[:, first : first + 3] = moved[:, first : first + 3] @ turn.T
        moved[:, :3] += np.array(place, np.float32)
        vertices.append(moved)
        indices.append(mesh.indices + np.uint32(count))
        count += len(moved)
    return Mesh(name, np.concatenate(vertices), np.concatenate(indices))


def block(low: Corner, high: Corner) -> Part:
    """A box between two corners in metres, whose images repeat each metre: those of neighbours fit together."""
    size, middle = np.subtract(high, low), 0.5 * np.add(high, low)
    mesh = box((float(size[0]), float(size[1]), float(size[2])))
    vertices = mesh.vertices.copy()
    places = vertices[:, :3] + middle.astype(np.float32)
    right, normal = vertices[:, 8:11], vertices[:, 3:6]
    vertices[:, 6] = (places * right).sum(axis=1)
    vertices[:, 7] = -(places * np.cross(normal, right)).sum(axis=1)
    x, y, z = middle.tolist()
    return Mesh("block", vertices, mesh.indices), (x, y, z), (0.0, 0.0, 0.0)
