"""Attributes that only some meshes have: colours and second texture coordinates of vertices.

They are in a buffer of their own. Meshes that have them come first in the buffer of vertices, so that both buffers have
the same numbers of vertices, and shaders know others by their number.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.scene.mesh import Mesh

ATTRIBUTE_WORDS = 4
"""Words of a vertex: colour as four 16-bit fractions in two words, second texture coordinates as two floats."""


def has_attributes(mesh: Mesh) -> bool:
    """Whether the mesh has any of them."""
    return mesh.colors is not None or mesh.second_uvs is not None


def with_attributes_first(meshes: Sequence[Mesh]) -> Sequence[Mesh]:
    """The meshes in the order of the buffers."""
    if not any(map(has_attributes, meshes)):
        return meshes
    return sorted(meshes, key=has_attributes, reverse=True)


def packed_attributes(meshes: Sequence[Mesh]) -> NDArray[np.uint32]:
    """The buffer's contents for meshes in its order, uint32 (1 + n, 4): a row with the number n, then the vertices."""
    packed = [_packed(mesh) for mesh in meshes if has_attributes(mesh)]
    head = np.zeros((1, ATTRIBUTE_WORDS), np.uint32)
    head[0, 0] = sum(len(words) for words in packed)
    return np.concatenate([head, *packed])


def _packed(mesh: Mesh) -> NDArray[np.uint32]:
    count = len(mesh.vertices)
    words = np.empty((count, ATTRIBUTE_WORDS), np.uint32)
    colors = np.ones((count, 4), np.float32) if mesh.colors is None else np.clip(mesh.colors, 0.0, 1.0)
    words[:, :2] = np.rint(colors * np.float32(65535.0)).astype("<u2").view("<u4")
    uvs = mesh.uvs if mesh.second_uvs is None else mesh.second_uvs
    words[:, 2:] = np.ascontiguousarray(uvs, np.float32).view(np.uint32)
    return words
