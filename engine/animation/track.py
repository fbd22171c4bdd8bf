"""Curves with common keyframe times as one array, sampled at many times at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.animation.curve import Curve, Interpolation, Path

_SMALLEST_ANGLE = np.float32(1e-3)
"""Radians. The weights of a slerp over a smaller angle are those of this one, up to rounding."""

_MOST_GROWTH = 8
"""Curves with other times are put on common times if that makes at most so many times the keyframes."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Track:
    """Curves of one path and interpolation with the same times.

    ``targets`` is (m,); ``values`` float32 (k, m, width), and so are the slopes of cubic splines. There are two
    keyframes at least.
    """

    path: Path
    interpolation: Interpolation
    targets: NDArray[np.intp]
    times: NDArray[np.float64]
    values: Floats
    arriving: Floats
    leaving: Floats

    def sample(self, times: NDArray[np.float64]) -> Floats:
        """The values at times (n,) in seconds: float32 (n, m, width). Before and after the keyframes they stay."""
        at = np.searchsorted(self.times, times, side="right") - 1
        if self.interpolation is Interpolation.STEP:
            held: Floats = self.values[at.clip(0)]
            return held
        at = at.clip(0, len(self.times) - 2)
        part = ((times - self.times[at]) / self._spans[at]).clip(0.0, 1.0).astype(np.float32)[:, None, None]
        if self.interpolation is Interpolation.CUBIC:
            return self._spline(at, part)
        if self.path is Path.ROTATION:
            return self._slerp(at, part)
        before: Floats = self.values[at]
        return before + (self.values[at + 1] - before) * part

    @cached_property
    def _spans(self) -> NDArray[np.float64]:
        return np.diff(self.times)

    def _spline(self, at: NDArray[np.intp], part: Floats) -> Floats:
        span = self._spans[at].astype(np.float32)[:, None, None]
        square, cube = part * part, part * part * part
        found: Floats = (
            (2.0 * cube - 3.0 * square + 1.0) * self.values[at]
            + span * (cube - 2.0 * square + part) * self.leaving[at]
            + (3.0 * square - 2.0 * cube) * self.values[at + 1]
            + span * (cube - square) * self.arriving[at + 1]
        )
        return unit(found) if self.path is Path.ROTATION else found

    def _slerp(self, at: NDArray[np.intp], part: Floats) -> Floats:
        following, angles, scales = self._arcs
        angle, scale = angles[at], scales[at]
        turned: Floats = np.sin((1.0 - part) * angle) * scale * self.values[at]
        turned += np.sin(part * angle) * scale * following[at]
        return turned

    @cached_property
    def _arcs(self) -> tuple[Floats, Floats, Floats]:
        """For each keyframe but the last: the next rotation with the sign of the shorter way, the angle, 1 / sine."""
        before, after = self.values[:-1], self.values[1:]
        cosine = np.einsum("kmw,kmw->km", before, after)[..., None]
        angle = np.arccos(np.abs(cosine).clip(0.0, 1.0)).clip(_SMALLEST_ANGLE)
        return np.where(cosine < 0.0, -after, after), angle, np.float32(1.0) / np.sin(angle)


def unit(rotations: Floats) -> Floats:
    """Rotations (..., 4) with length 1."""
    length = np.sqrt(np.einsum("...w,...w->...", rotations, rotations))[..., None]
    unit_: Floats = rotations / np.maximum(length, np.float32(1e-12))
    return unit_


def tracks_of(curves: Iterable[Curve]) -> tuple[Track, ...]:
    """The curves in as few tracks as their times allow."""
    kinds: dict[tuple[Path, Interpolation], list[Curve]] = {}
    for curve in curves:
        kinds.setdefault((curve.path, curve.interpolation), []).append(curve)
    return tuple(_track(same) for alike in kinds.values() for same in _with_common_times(alike))


def _with_common_times(curves: Sequence[Curve]) -> list[list[Curve]]:
    """Curves of one kind in groups with the same times.

    Piecewise linear curves stay the same with more keyframes, so they are put on the times of all.
    """
    groups: dict[bytes, list[Curve]] = {}
    for curve in curves:
        groups.setdefault(curve.times.tobytes(), []).append(curve)
    if len(groups) > 1 and curves[0].interpolation is Interpolation.LINEAR:
        times = np.unique(np.concatenate([curve.times for curve in curves]))
        if len(times) * len(curves) <= _MOST_GROWTH * sum(len(curve.times) for curve in curves):
            return [[_at_times(curve, times) for curve in curves]]
    return list(groups.values())


def _at_times(curve: Curve, times: NDArray[np.float64]) -> Curve:
    return replace(curve, times=times, values=_track([curve]).sample(times)[:, 0])


def _track(curves: Sequence[Curve]) -> Track:
    first = curves[0]
    times = first.times if len(first.times) > 1 else np.array([first.times[0], first.times[0] + 1.0])

    def stacked(arrays: Iterable[Floats | None]) -> Floats:
        stack = np.stack([array for array in arrays if array is not None], axis=1)
        return np.ascontiguousarray(stack if len(stack) > 1 else np.repeat(stack, 2, axis=0))

    values = stacked(curve.values for curve in curves)
    cubic = first.interpolation is Interpolation.CUBIC
    return Track(
        first.path,
        first.interpolation,
        np.array([curve.target for curve in curves], np.intp),
        times,
        values,
        stacked(curve.arriving for curve in curves) if cubic else values,
        stacked(curve.leaving for curve in curves) if cubic else values,
    )
