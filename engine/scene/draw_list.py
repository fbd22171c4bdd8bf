"""Draw lists: model matrices in one array, grouped by mesh and material."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.animation.poses import NO_POSES, Poses
from renderwright.engine.scene.change_log import ChangeLog
from renderwright.engine.scene.layers import FIRST_LAYER
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.mesh import Mesh
from renderwright.engine.scene.rows import Rows


@dataclass(frozen=True)
class DrawBatch:
    """``count`` instances of one mesh with one material: the models ``first`` to ``first + count - 1``.

    ``layers`` is the mask of all of them.
    """

    mesh: Mesh
    material: Material
    first: int
    count: int
    casts_shadow: bool
    layers: int = FIRST_LAYER

    @property
    def in_shadow_maps(self) -> bool:
        """Whether it casts shadows; blended surfaces never do."""
        return self.casts_shadow and self.material.drawn_as != "blend"


class Stamp(NamedTuple):
    """Identifies the contents of a draw list, for ``DrawList.changed_since``."""

    log: ChangeLog
    revision: int


@dataclass(frozen=True, eq=False)
class DrawList:
    """The draws of one picture of a scene.

    ``models`` is float32 (n, 4, 4), read-only, in column-major memory: ``models[i].tobytes()`` is a GLSL mat4 and
    ``models[i].T`` the matrix in mathematical notation. Batches cover 0..n-1 in order without gaps; batches of one
    (mesh, material) are adjacent. ``numbers`` are the numbers of the entities (``Entity.number``). The lists of one
    arrangement have the same ``batches`` and ``numbers`` objects. ``poses`` are those of the characters.
    """

    models: NDArray[np.float32]
    batches: tuple[DrawBatch, ...]
    numbers: NDArray[np.int64]
    stamp: Stamp
    poses: Poses = NO_POSES

    @classmethod
    def empty(cls) -> DrawList:
        """The draws of nothing."""
        return cls(np.zeros((0, 4, 4), np.float32), (), np.zeros(0, np.int64), Stamp(ChangeLog(0), 0))

    def with_poses(self, poses: Poses) -> DrawList:
        """The same draws with characters in other poses."""
        return self if poses is self.poses else replace(self, poses=poses)

    def changed_since(self, stamp: Stamp | None) -> Rows | None:
        """The models that may differ from those of an earlier list; None if all may, or the arrangement does."""
        if stamp is None or stamp.log is not self.stamp.log:
            return None
        return self.stamp.log.between(stamp.revision, self.stamp.revision)


def models_before(before: DrawList, now: DrawList) -> NDArray[np.float32]:
    """The models of ``now`` as they were in ``before``, same shape. New entities get their current model."""
    if before.numbers is now.numbers:
        return before.models
    models = now.models.copy()
    _, old, new = np.intersect1d(before.numbers, now.numbers, assume_unique=True, return_indices=True)
    models[new] = before.models[old]
    return models
