"""Rigs: the nodes that animations move, and the joints that meshes follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.animation.curve import Path
from renderwright.engine.animation.pose import Floats, Pose

Level = tuple[slice, NDArray[np.intp]]
"""The nodes of one depth and their parents."""


@dataclass(frozen=True, eq=False)
class Rig:
    """A tree of nodes, ordered by depth.

    ``parents`` (j,) are numbers of nodes, -1 for roots. ``fixed`` is float32 (j, 3, 4): the local matrices at rest, the
    upper three rows. ``animated`` (a,) are the nodes that clips move; their translations (a, 3), rotations
    (a, 4: x, y, z, w) and scales (a, 3) at rest are in ``rest``, with the ``morphs`` (w, 1).

    ``joints`` (p,) is the node of each matrix that meshes follow, and ``inverse_binds`` float32 (p, 3, 4) takes a
    vertex to that node's space.
    """

    names: tuple[str, ...]
    parents: NDArray[np.intp]
    fixed: Floats
    animated: NDArray[np.intp]
    rest: Pose
    joints: NDArray[np.intp]
    inverse_binds: Floats

    @property
    def morph_count(self) -> int:
        """The number of morph weights of a character."""
        return int(self.rest[Path.WEIGHT].shape[1])

    def matrices(self, pose: Pose, count: int) -> Floats:
        """The matrices of all nodes of ``count`` characters in model space: float32 (3, 4, j, n)."""
        local = np.empty((3, 4, len(self.parents), count), np.float32)
        if len(self.animated) < len(self.parents):
            local[:] = self._fixed_columns
        if len(self.animated):
            self._write_local(local, pose)
        for nodes, parents in self._levels:
            local[:, :, nodes] = _product(local[:, :, parents], local[:, :, nodes])
        return local

    def palettes(self, matrices: Floats) -> Floats:
        """The matrices that vertices follow, from those of all nodes: float32 (n, p, 3, 4)."""
        found = _product(matrices[:, :, self.joints], self._inverse_columns)
        return np.ascontiguousarray(found.transpose(3, 2, 0, 1))

    def _write_local(self, local: Floats, pose: Pose) -> None:
        moved = _columns(pose)
        every = len(self.animated) == len(self.parents)
        into = local if every else np.empty((3, 4, len(self.animated), local.shape[3]), np.float32)
        write_matrices(into, *moved)
        if not every:
            local[:, :, self.animated] = into

    @cached_property
    def _fixed_columns(self) -> Floats:
        return np.ascontiguousarray(self.fixed.transpose(1, 2, 0))[..., None]

    @cached_property
    def _inverse_columns(self) -> Floats:
        return np.ascontiguousarray(self.inverse_binds.transpose(1, 2, 0))[..., None]

    @cached_property
    def _levels(self) -> tuple[Level, ...]:
        """The nodes by depth, without the roots."""
        depths = depths_of(self.parents)
        edges = np.flatnonzero(np.diff(depths, prepend=-1, append=-1)).tolist()
        return tuple((slice(a, b), self.parents[a:b]) for a, b in pairwise(edges) if depths[a] > 0)


def depths_of(parents: Sequence[int] | NDArray[np.intp]) -> NDArray[np.intp]:
    """The depth of each node of a tree in which parents come first; 0 for roots."""
    depths = np.zeros(len(parents), np.intp)
    for node, parent in enumerate(parents):
        if parent >= 0:
            depths[node] = depths[parent] + 1
    return depths


def write_matrices(into: Floats, translations: Floats, rotations: Floats, scales: Floats) -> None:
    """Write matrices (3, 4, ...) of translations (3, ...), unit rotations (4, ...: x, y, z, w) and scales (3, ...)."""
    x, y, z, w = rotations
    x2, y2, z2 = x + x, y + y, z + z
    xx, yy, zz = x * x2, y * y2, z * z2
    xy, xz, yz = x * y2, x * z2, y * z2
    wx, wy, wz = w * x2, w * y2, w * z2
    one = np.float32(1.0)
    axes = (
        (one - (yy + zz), xy - wz, xz + wy),
        (xy + wz, one - (xx + zz), yz - wx),
        (xz - wy, yz + wx, one - (xx + yy)),
    )
    for row, values in enumerate(axes):
        for column, value in enumerate(values):
            np.multiply(value, scales[column], out=into[row, column])
    into[:, 3] = translations


def _columns(pose: Pose) -> tuple[Floats, Floats, Floats]:
    """Translations, rotations and scales with the characters last, (width, a, n)."""
    t, r, s = (np.ascontiguousarray(pose[path].transpose(2, 1, 0)) for path in _PLACES)
    return t, r, s


_PLACES = (Path.TRANSLATION, Path.ROTATION, Path.SCALE)


def _product(a: Floats, b: Floats) -> Floats:
    """Products of affine matrices (3, 4, ...)."""
    found: Floats = a[:, 0, None] * b[0]
    found += a[:, 1, None] * b[1]
    found += a[:, 2, None] * b[2]
    found[:, 3] += a[:, 3]
    return found
