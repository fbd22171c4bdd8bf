"""Meshes in the rest pose of their rig: of models that are shown without a character."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.animation.curve import Path
from renderwright.engine.scene.deformation import Deformation
from renderwright.engine.scene.mesh import Mesh

_POSITION, _NORMAL, _TANGENT = slice(0, 3), slice(3, 6), slice(8, 11)
"""Columns of a vertex."""


def follows_rest_pose(deformation: Deformation) -> bool:
    """Whether the rest pose moves the vertices, by joints or by weights of morph targets, and not only the node."""
    return deformation.influences is not None or bool(_rest_weights(deformation).any())


def mesh_at_rest(mesh: Mesh, deformation: Deformation) -> Mesh:
    """A mesh in model space as it is at rest: after its morph targets and its joints. The GPU moves characters alike.

    Raises AssetError where the pose leads beyond all places.
    """
    rig = deformation.rig
    palette = rig.palettes(rig.matrices(rig.rest, 1))[0]
    vertices = mesh.vertices.copy()
    if deformation.morphs is not None:
        moved = np.einsum("t,tnc->nc", _rest_weights(deformation), deformation.morphs)
        for place, columns in enumerate((_POSITION, _NORMAL, _TANGENT)):
            vertices[:, columns] += moved[:, 3 * place : 3 * place + 3]
    matrices = deformation.matrices_of_vertices(palette)
    linear = matrices[:, :, :3]
    x, y, z = linear[:, 0], linear[:, 1], linear[:, 2]
    # The cofactors turn normals, also where a matrix stretches.
    cofactors = np.stack((np.cross(y, z), np.cross(z, x), np.cross(x, y)), axis=1)
    vertices[:, _POSITION] = np.einsum("nij,nj->ni", linear, vertices[:, _POSITION]) + matrices[:, :, 3]
    vertices[:, _NORMAL] = _unit(np.einsum("nij,nj->ni", cofactors, vertices[:, _NORMAL]), vertices[:, _NORMAL])
    vertices[:, _TANGENT] = _unit(np.einsum("nij,nj->ni", linear, vertices[:, _TANGENT]), vertices[:, _TANGENT])
    return Mesh(mesh.name, vertices, mesh.indices, colors=mesh.colors, second_uvs=mesh.second_uvs)


def _rest_weights(deformation: Deformation) -> NDArray[np.float32]:
    count = len(deformation.morphs) if deformation.morphs is not None else 0
    return deformation.rig.rest[Path.WEIGHT][0, deformation.weight : deformation.weight + count, 0]


def _unit(directions: NDArray[Any], otherwise: NDArray[np.float32]) -> NDArray[Any]:
    lengths = np.linalg.norm(directions, axis=1, keepdims=True)
    return np.where(lengths > 0.0, directions / np.where(lengths > 0.0, lengths, 1.0), otherwise)
