"""Poses of animated nodes, and their blends."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.animation.curve import Path
from renderwright.engine.animation.track import unit

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Pose:
    """Poses of n characters, by path: float32 (n, targets, width).

    The targets are the animated nodes of a rig, of ``Path.WEIGHT`` its morph weights. An array with one row is that of
    all characters.
    """

    parts: dict[Path, Floats]

    def __getitem__(self, path: Path) -> Floats:
        return self.parts[path]


class Blend:
    """Adds up weighted poses of n characters; what lacks to a weight of 1 is the rest pose."""

    def __init__(self, rest: Pose, count: int) -> None:
        self._rest = rest
        self._total = np.zeros(count, np.float32)
        self._parts = {path: np.zeros((count, *part.shape[1:]), np.float32) for path, part in rest.parts.items()}

    def add(self, rows: NDArray[np.intp], pose: Pose, weights: Floats) -> None:
        """Add a pose of each of the characters ``rows``, with weights (n,). A row occurs once."""
        self._total[rows] += weights
        share = weights[:, None, None]
        for path, part in pose.parts.items():
            sum_ = self._parts[path]
            if path is Path.ROTATION:
                # Both signs are the same rotation: the nearer one.
                part = np.where(np.einsum("nmw,nmw->nm", sum_[rows], part)[..., None] < 0.0, -part, part)
            sum_[rows] += part * share

    def result(self) -> Pose:
        """The blend."""
        rows = np.flatnonzero(self._total < 1.0)
        if len(rows):
            self.add(rows, self._rest, np.float32(1.0) - self._total[rows])
        whole: Floats = self._total[:, None, None]
        parts: dict[Path, Floats] = {
            path: (part / whole).astype(np.float32, copy=False) for path, part in self._parts.items()
        }
        parts[Path.ROTATION] = unit(self._parts[Path.ROTATION])
        return Pose(parts)
