"""Draw lists: model matrices in one array, grouped by mesh and material."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.scene.entity import Entity
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.mesh import Mesh
from renderwright.engine.scene.transform import Transform

#: Floats per packed transform: position xyz, rotation wxyz, scale xyz.
TRANSFORM_FLOATS = 10


@dataclass(frozen=True)
class DrawBatch:
    """``count`` instances of one mesh with one material: the models ``first`` to ``first + count - 1``."""

    mesh: Mesh
    material: Material
    first: int
    count: int
    casts_shadow: bool


@dataclass(frozen=True, eq=False)
class DrawList:
    """The draws of one picture of a scene.

    ``models`` is float32 (n, 4, 4), read-only, in column-major memory: ``models[i].tobytes()`` is a GLSL mat4 and
    ``models[i].T`` the matrix in mathematical notation. Batches cover 0..n-1 in order without gaps; batches of one
    (mesh, material) are adjacent. ``entities`` holds the entity of each model, so that two draw lists can be compared.
    """

    models: NDArray[np.float32]
    batches: tuple[DrawBatch, ...]
    entities: tuple[Entity, ...]


def models_before(before: DrawList, now: DrawList) -> NDArray[np.float32]:
    """The models of ``now`` as they were in ``before``, same shape. New entities get their current model."""
    if before.entities is now.entities:
        return before.models
    rows = {entity: row for row, entity in enumerate(before.entities)}
    old = np.array([rows.get(entity, -1) for entity in now.entities], np.int64)
    known = old >= 0
    models = now.models.copy()
    models[known] = before.models[old[known]]
    return models


def pack_transforms(transforms: Iterable[Transform]) -> bytes:
    """Pack transforms as float32, ``TRANSFORM_FLOATS`` each."""
    parts: list[bytes] = []
    for transform in transforms:
        parts += (transform.position.to_bytes(), transform.rotation.to_bytes(), transform.scale.to_bytes())
    return b"".join(parts)


def interpolated_models(previous: bytes, current: bytes, alpha: float) -> NDArray[np.float32]:
    """Interpolated matrices of two lists of packed transforms, float32 (n, 4, 4) in column-major memory.

    Vectorised equivalent of ``Transform.interpolate(previous, current, alpha).matrix()``.
    """
    a = np.frombuffer(previous, np.float32).reshape(-1, TRANSFORM_FLOATS)
    b = np.frombuffer(current, np.float32).reshape(-1, TRANSFORM_FLOATS)
    if previous == current:
        return _matrices(b)
    mixed = a + (b - a) * np.float32(alpha)
    # Entities at rest keep their exact values for every alpha.
    moved = np.nonzero((a != b).any(axis=1))[0]
    mixed[:, 3:7] = b[:, 3:7]
    mixed[moved, 3:7] = _slerp(a[moved, 3:7], b[moved, 3:7], alpha)
    return _matrices(mixed)


def _slerp(a: NDArray[np.float32], b: NDArray[np.float32], t: float) -> NDArray[np.float32]:
    """Spherical interpolation of unit quaternions (n, 4) along the shorter arc (Shoemake 1985)."""
    cosine = np.einsum("ij,ij->i", a, b)
    b = np.where(cosine[:, None] < 0.0, -b, b)
    angle = np.arccos(np.clip(np.abs(cosine), 0.0, 1.0))
    sine = np.sin(angle)
    near = sine < 1e-4  # linear interpolation is accurate here
    safe = np.where(near, 1.0, sine)
    weight_a = np.where(near, 1.0 - t, np.sin((1.0 - t) * angle) / safe)
    weight_b = np.where(near, t, np.sin(t * angle) / safe)
    mixed = a * weight_a[:, None] + b * weight_b[:, None]
    length = np.linalg.norm(mixed, axis=1, keepdims=True)
    return (mixed / np.where(length > 0.0, length, 1.0)).astype(np.float32)


def _matrices(packed: NDArray[np.float32]) -> NDArray[np.float32]:
    """Translation * rotation * scale of each row; index order [instance, column, row]."""
    w, x, y, z = packed[:, 3], packed[:, 4], packed[:, 5], packed[:, 6]
    models = np.zeros((len(packed), 4, 4), np.float32)
    models[:, 0, 0] = 1.0 - 2.0 * (y * y + z * z)
    models[:, 0, 1] = 2.0 * (x * y + w * z)
    models[:, 0, 2] = 2.0 * (x * z - w * y)
    models[:, 1, 0] = 2.0 * (x * y - w * z)
    models[:, 1, 1] = 1.0 - 2.0 * (x * x + z * z)
    models[:, 1, 2] = 2.0 * (y * z + w * x)
    models[:, 2, 0] = 2.0 * (x * z + w * y)
    models[:, 2, 1] = 2.0 * (y * z - w * x)
    models[:, 2, 2] = 1.0 - 2.0 * (x * x + y * y)
    models[:, :3, :3] *= packed[:, 7:10, None]
    models[:, 3, :3] = packed[:, 0:3]
    models[:, 3, 3] = 1.0
    return models
