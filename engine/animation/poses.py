"""What animations make of a scene at one moment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.animation.pose import Floats
from renderwright.engine.animation.rig import Rig


@dataclass(frozen=True, eq=False)
class RigPoses:
    """The poses of all characters of a rig, by their rows; the arrays do not change any more.

    ``palettes`` is float32 (n, p, 3, 4): the upper rows of the matrices from a mesh to model space. ``weights`` is
    float32 (n, w). ``revisions`` is int64 (n,): a row with the same number has the same pose.
    """

    palettes: Floats
    weights: Floats
    revisions: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Poses:
    """The poses of all characters of a scene. The same object as long as nothing moves."""

    by_rig: Mapping[Rig, RigPoses]


NO_POSES = Poses({})
