"""Clips: the named animations of a model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.animation.curve import Curve
from renderwright.engine.animation.pose import Pose
from renderwright.engine.animation.track import Track, tracks_of


@dataclass(frozen=True, eq=False)
class Clip:
    """A named animation. ``duration`` is the time of its last keyframe in seconds."""

    name: str
    duration: float
    tracks: tuple[Track, ...]

    @classmethod
    def of(cls, name: str, curves: Iterable[Curve]) -> Clip:
        """The clip of some curves."""
        curves = tuple(curves)
        return cls(name, max((float(curve.times[-1]) for curve in curves), default=0.0), tracks_of(curves))

    def sample(self, times: NDArray[np.float64], rest: Pose) -> Pose:
        """The poses at times (n,). What the clip does not move is as in ``rest``, a pose of one row."""
        parts = dict(rest.parts)
        own = set()
        for track in self.tracks:
            values, below = track.sample(times), parts[track.path]
            if _is_all(track.targets, below.shape[1]):
                parts[track.path] = values
            elif track.path in own:
                below[:, track.targets] = values
            else:
                parts[track.path] = np.repeat(below, len(times), axis=0)
                parts[track.path][:, track.targets] = values
            own.add(track.path)
        return Pose(parts)


def _is_all(targets: NDArray[np.intp], count: int) -> bool:
    return len(targets) == count and bool((targets == np.arange(count)).all())
