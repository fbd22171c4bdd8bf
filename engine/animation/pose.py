"""Poses of animated nodes, and their blends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from renderwright.engine.animation.curve import Path

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Pose:
    """Poses of n characters, by path: float32 (n, targets, width).

    The targets are the animated nodes of a rig, of ``Path.WEIGHT`` its morph weights. An array with one row is that of
    all characters. Rotations may have any length.
    """

    parts: dict[Path, Floats]

    def __getitem__(self, path: Path) -> Floats:
        return self.parts[path]


@dataclass(frozen=True, eq=False)
class Played:
    """The poses of some plays, of one clip: ``plays`` (k,) are their numbers among all plays."""

    plays: NDArray[np.intp]
    pose: Pose


class Blend:
    """Weighted means of what characters play; what lacks to a weight of 1 is the rest pose.

    ``characters`` (p,) has the character of each play, ascending, and ``weights`` (p,) its weight. ``count`` is the
    number of characters.
    """

    def __init__(self, rest: Pose, count: int, characters: NDArray[np.intp], weights: Floats) -> None:
        self._rest = rest
        self._count = count
        total = np.bincount(characters, weights, count).astype(np.float32)
        self._resting = np.flatnonzero(total < 1.0)
        self._rest_weights = np.float32(1.0) - total[self._resting]
        self._scale = np.float32(1.0) / np.maximum(total, np.float32(1.0))
        self._weights = weights
        # The first play of each character, the second of each that has one, and so on: no character twice.
        rank = np.arange(len(characters)) - np.searchsorted(characters, characters)
        self._turns = [np.flatnonzero(rank == turn) for turn in range(int(rank.max(initial=-1)) + 1)]
        self._rows = [characters[turn] for turn in self._turns]
        self._plain = len(characters) == count and len(self._turns) == 1 and bool((weights == 1.0).all())

    def of(self, played: Sequence[Played]) -> Pose:
        """The blend."""
        return Pose({path: self._part(path, played) for path in Path})

    def _part(self, path: Path, played: Sequence[Played]) -> Floats:
        rest = self._rest[path]
        if all(each.pose[path] is rest for each in played):
            return rest
        every = np.empty((len(self._weights), *rest.shape[1:]), np.float32)
        for each in played:
            every[each.plays] = each.pose[path]
        return every if self._plain else self._sum(path, every)

    def _sum(self, path: Path, every: Floats) -> Floats:
        first = self._turns[0]
        begun: Floats = every[first] * self._weights[first, None, None]
        if len(first) == self._count:
            sum_ = begun
        else:
            sum_ = np.zeros((self._count, *every.shape[1:]), np.float32)
            sum_[self._rows[0]] = begun
        for turn, rows in zip(self._turns[1:], self._rows[1:], strict=True):
            _add(path, sum_, rows, every[turn], self._weights[turn])
        if len(self._resting):
            _add(path, sum_, self._resting, self._rest[path], self._rest_weights)
        return sum_ if path is Path.ROTATION else np.multiply(sum_, self._scale[:, None, None], out=sum_)


def _add(path: Path, sum_: Floats, rows: NDArray[np.intp], part: Floats, weights: Floats) -> None:
    """Add weighted poses to those of ``rows``. Of the two signs of a rotation, the nearer one is added."""
    share = weights[:, None, None]
    every = len(rows) == len(sum_)
    before = sum_ if every else sum_[rows]
    if path is Path.ROTATION:
        share = np.copysign(share, np.einsum("nmw,nmw->nm", before, part)[..., None])
    if every:
        sum_ += part * share
    else:
        sum_[rows] = before + part * share
