"""Bounding spheres of entities in world space."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.scene.arrangement import Arrangement
from renderwright.engine.scene.bounds import Bounds, bounds_of_spheres


def world_spheres(
    arrangement: Arrangement, models: NDArray[np.float32], sheared: NDArray[np.bool_]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Centres (n, 3) and radii (n,) of the visible entities. ``sheared`` models may be other than scaled rotations."""
    spheres = arrangement.spheres
    axes = models[:, :3, :3]
    centers = np.einsum("nc,ncr->nr", spheres[:, :3], axes) + models[:, 3, :3]
    # The longest column bounds the scaling of a matrix without shear; the Frobenius norm bounds any other.
    stretch = np.sqrt(np.einsum("ncr,ncr->nc", axes, axes).max(axis=1, initial=0.0))
    if sheared.any():
        stretch[sheared] = np.linalg.norm(axes[sheared].reshape(-1, 9), axis=1)
    return centers, spheres[:, 3] * stretch


class WorldBounds:
    """Models and spheres of the last arrangement at current positions, computed again only after a move."""

    def __init__(self) -> None:
        self._arrangement: Arrangement | None = None
        self._moves = -1
        self.models: NDArray[np.float32] = np.zeros((0, 4, 4), np.float32)
        self.centers: NDArray[np.float32] = np.zeros((0, 3), np.float32)
        self.radii: NDArray[np.float32] = np.zeros(0, np.float32)
        self._bounds: dict[bool, Bounds] = {}

    def is_of(self, arrangement: Arrangement, moves: int) -> bool:
        """Whether the spheres are those of this arrangement after that many moves."""
        return self._arrangement is arrangement and self._moves == moves

    def update(
        self, arrangement: Arrangement, moves: int, models: NDArray[np.float32], sheared: NDArray[np.bool_]
    ) -> None:
        """Compute the spheres from the current models in drawing order."""
        self._arrangement, self._moves, self.models = arrangement, moves, models
        self.centers, self.radii = world_spheres(arrangement, models, sheared)
        self._bounds.clear()

    def bounds(self, *, shadow_casters_only: bool) -> Bounds:
        """A sphere around all of them."""
        if shadow_casters_only not in self._bounds:
            centers, radii = self.centers, self.radii
            if shadow_casters_only and self._arrangement is not None:
                casting = self._arrangement.casts_shadow
                centers, radii = centers[casting], radii[casting]
            self._bounds[shadow_casters_only] = bounds_of_spheres(centers, radii)
        return self._bounds[shadow_casters_only]
