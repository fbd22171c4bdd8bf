"""All that animates a model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from renderwright.engine.animation.clip import Clip
from renderwright.engine.animation.curve import Path
from renderwright.engine.animation.pose import Pose
from renderwright.engine.animation.rig import Rig


@dataclass(frozen=True, eq=False)
class AnimationSet:
    """A rig with its clips. ``morphs`` are the names of the rig's morph weights, which may share one."""

    rig: Rig
    clips: tuple[Clip, ...]
    morphs: tuple[str, ...]

    @classmethod
    def empty(cls) -> AnimationSet:
        """The animations of a model that does not move."""
        none = {path: np.zeros((1, 0, path.width), np.float32) for path in Path}
        numbers, matrices = np.zeros(0, np.intp), np.zeros((0, 3, 4), np.float32)
        return cls(Rig((), numbers, matrices, numbers, Pose(none), numbers, matrices), (), ())
