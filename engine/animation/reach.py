"""How far animations can move what follows a rig: bounds that hold for every blend of the clips."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.animation.clip import Clip
from renderwright.engine.animation.curve import Interpolation, Path
from renderwright.engine.animation.rig import Rig
from renderwright.engine.animation.track import Track

Vectors = NDArray[np.float64]

_FARTHEST = 1e18
"""Metres, and stretches: products of two have a square that float32 has as well."""

_SLACK = 1.0 + 1e-4
"""More than the rounding of positions that are computed with float32."""


@dataclass(frozen=True, eq=False)
class _Frame:
    """The frame of a node in model space.

    The origin is in a sphere. If ``axes`` is not None they are the frame's axes (3, 3), which never change; otherwise
    the frame turns in any way and stretches by ``stretch`` at most.
    """

    center: Vectors
    radius: float
    axes: Vectors | None
    stretch: float

    def around(self, low: Vectors, high: Vectors) -> tuple[Vectors, float]:
        """A sphere around all places of a box of the frame's space."""
        if self.axes is None:
            return self.center, self.radius + self.stretch * float(np.linalg.norm(np.maximum(abs(low), abs(high))))
        middle = self.center + self.axes @ ((low + high) / 2.0)
        return middle, self.radius + self.stretch * float(np.linalg.norm((high - low) / 2.0))


@dataclass(frozen=True, eq=False)
class Reach:
    """The frames of a rig's joints under all blends of some clips. ``weights`` (w,) are the largest morph weights."""

    _nodes: tuple[_Frame, ...]
    _frames: tuple[_Frame, ...]
    _inverse_binds: Vectors
    weights: Vectors

    @property
    def finite(self) -> bool:
        """Whether all nodes stay where float32 has numbers."""
        return all(
            bool(np.linalg.norm(frame.center) + frame.radius + frame.stretch < _FARTHEST) for frame in self._nodes
        )

    @classmethod
    def of(cls, rig: Rig, clips: Sequence[Clip]) -> Reach:
        """Bounds for all blends of the clips and the rest pose."""
        ranges = _Ranges(rig, clips)
        frames: list[_Frame] = []
        root = _Frame(np.zeros(3), 0.0, np.eye(3), 1.0)
        for node, parent in enumerate(rig.parents.tolist()):
            frames.append(ranges.frame(node, frames[parent] if parent >= 0 else root))
        weights = np.maximum(np.abs(ranges.box(Path.WEIGHT)).max(axis=0)[:, 0], 1.0)
        joints = tuple(frames[node] for node in rig.joints.tolist())
        return cls(tuple(frames), joints, rig.inverse_binds.astype(np.float64), weights)

    def spheres(
        self, joints: NDArray[np.intp], points: NDArray[np.float32], moved: Vectors
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Spheres around points (n, 3) that follow a joint (n,) each: centres (m, 3), radii (m,).

        ``moved`` (n,) is how far morph targets move each point before.
        """
        centers, radii = [], []
        for joint in np.unique(joints).tolist():
            mine = joints == joint
            bind = self._inverse_binds[joint]
            there = points[mine].astype(np.float64) @ bind[:, :3].T + bind[:, 3]
            farther = float(moved[mine].max()) * float(np.linalg.norm(bind[:, :3], 2))
            center, radius = self._frames[joint].around(there.min(axis=0) - farther, there.max(axis=0) + farther)
            centers.append(center)
            radii.append(radius * _SLACK + 1e-6 * float(np.linalg.norm(center)))
        return np.array(centers, np.float32), np.array(radii, np.float32)


class _Ranges:
    """The values that clips and the rest pose give to nodes."""

    def __init__(self, rig: Rig, clips: Sequence[Clip]) -> None:
        self._rig = rig
        self._place = {node: place for place, node in enumerate(rig.animated.tolist())}
        self._boxes = {path: np.repeat(part.astype(np.float64), 2, axis=0) for path, part in rig.rest.parts.items()}
        self._turning: set[int] = set()
        for track in (track for clip in clips for track in clip.tracks):
            if track.path is Path.ROTATION:
                self._turning |= set(track.targets.tolist())
                continue
            hull = _hull(track)
            box = self._boxes[track.path]
            box[0, track.targets] = np.minimum(box[0, track.targets], hull.min(axis=0))
            box[1, track.targets] = np.maximum(box[1, track.targets], hull.max(axis=0))

    def box(self, path: Path) -> Vectors:
        """The least and the largest values (2, targets, width)."""
        return self._boxes[path]

    def frame(self, node: int, parent: _Frame) -> _Frame:
        """The frame of a node by that of its parent."""
        place = self._place.get(node)
        fixed = self._rig.fixed[node].astype(np.float64)
        if place is None:
            low = high = fixed[:, 3]
            still, stretch = True, float(np.linalg.norm(fixed[:, :3], 2))
        else:
            low, high = self._boxes[Path.TRANSLATION][:, place]
            scales = self._boxes[Path.SCALE][:, place]
            still = place not in self._turning and bool((scales[0] == scales[1]).all())
            stretch = float(np.abs(scales).max())
        center, radius = parent.around(low, high)
        if still and parent.axes is not None:
            axes = parent.axes @ fixed[:, :3]
            return _Frame(center, radius, axes, float(np.linalg.norm(axes, 2)))
        return _Frame(center, radius, None, parent.stretch * stretch)


def _hull(track: Track) -> Vectors:
    """Values (k, m, width) whose convex hull holds the whole track."""
    values = track.values.astype(np.float64)
    if track.interpolation is not Interpolation.CUBIC:
        return values
    thirds = np.diff(track.times)[:, None, None] / 3.0  # the control points of the same cubic as a Bezier curve
    return np.concatenate([values, values[:-1] + thirds * track.leaving[:-1], values[1:] - thirds * track.arriving[1:]])
