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
from renderwright.engine.animation.workspace import Workspace

Level = tuple[slice, NDArray[np.intp] | None]
"""The nodes of one depth and their parents; None for roots."""


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

    def matrices(self, pose: Pose, count: int, work: Workspace | None = None) -> Floats:
        """The matrices of all nodes of ``count`` characters in model space: float32 (3, 4, j, n).

        They are in the memory of ``work``, if it is given.
        """
        work = work or Workspace()
        shape = (3, 4, len(self.parents), count)
        local, placed = work.array("local", *shape), work.array("placed", *shape)
        if len(self.animated) < len(self.parents):
            local[:] = self._fixed_columns
        if len(self.animated):
            self._write_local(local, pose, work)
        for nodes, parents in self._levels:
            if parents is None:
                placed[:, :, nodes] = local[:, :, nodes]
                continue
            above = work.array("above", 3, 4, len(parents), count)
            np.take(placed, parents, axis=2, out=above, mode="clip")
            _multiply(above, local[:, :, nodes], placed[:, :, nodes])
        return placed

    def palettes(self, matrices: Floats) -> Floats:
        """The matrices that vertices follow, from those of all nodes: float32 (n, p, 3, 4)."""
        found = np.empty((matrices.shape[3], len(self.joints), 3, 4), np.float32)
        self.write_palettes(matrices, found, Workspace())
        return found

    def write_palettes(self, matrices: Floats, into: Floats, work: Workspace) -> None:
        """Write the same."""
        shape = (3, 4, len(self.joints), matrices.shape[3])
        joints, found = work.array("joints", *shape), work.array("palettes", *shape)
        np.take(matrices, self.joints, axis=2, out=joints, mode="clip")
        _multiply(joints, self._inverse_columns, found)
        into[:] = found.transpose(3, 2, 0, 1)

    def _write_local(self, local: Floats, pose: Pose, work: Workspace) -> None:
        moved = _columns(pose)
        every = len(self.animated) == len(self.parents)
        into = local if every else work.array("moved", 3, 4, len(self.animated), local.shape[3])
        write_matrices(into, *moved, work)
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
        """The nodes by depth."""
        depths = depths_of(self.parents)
        edges = np.flatnonzero(np.diff(depths, prepend=-1, append=-1)).tolist()
        return tuple((slice(a, b), self.parents[a:b] if depths[a] else None) for a, b in pairwise(edges))


def depths_of(parents: Sequence[int] | NDArray[np.intp]) -> NDArray[np.intp]:
    """The depth of each node of a tree in which parents come first; 0 for roots."""
    depths = np.zeros(len(parents), np.intp)
    for node, parent in enumerate(parents):
        if parent >= 0:
            depths[node] = depths[parent] + 1
    return depths


def write_matrices(
    into: Floats, translations: Floats, rotations: Floats, scales: Floats, work: Workspace | None = None
) -> None:
    """Write matrices (3, 4, ...) of translations (3, ...), rotations (4, ...: x, y, z, w) and scales (3, ...).

    Rotations may have any length.
    """
    products = (work or Workspace()).array("rotations", 4, *rotations.shape)
    squares = np.add.reduce(rotations * rotations, axis=0)
    doubled = rotations * (np.float32(2.0) / np.maximum(squares, np.float32(1e-30)))
    np.multiply(rotations[:, None], doubled, out=products)
    for row in range(3):
        following, last = (row + 1) % 3, (row + 2) % 3
        diagonal = into[row, row]
        np.add(products[following, following], products[last, last], out=diagonal)
        np.subtract(np.float32(1.0), diagonal, out=diagonal)
        np.subtract(products[row, following], products[last, 3], out=into[row, following])
        np.add(products[row, last], products[following, 3], out=into[row, last])
    if not (scales == 1.0).all():
        np.multiply(into[:, :3], scales, out=into[:, :3])
    into[:, 3] = translations


def _columns(pose: Pose) -> tuple[Floats, Floats, Floats]:
    """Translations, rotations and scales with the characters last, (width, a, n)."""
    t, r, s = (np.ascontiguousarray(pose[path].transpose(2, 1, 0)) for path in _PLACES)
    return t, r, s


_PLACES = (Path.TRANSLATION, Path.ROTATION, Path.SCALE)


def _multiply(a: Floats, b: Floats, into: Floats) -> None:
    """Write products of affine matrices (3, 4, ...)."""
    np.einsum("ik...,kj...->ij...", a[:, :3], b, out=into)
    np.add(into[:, 3], a[:, 3], out=into[:, 3])
