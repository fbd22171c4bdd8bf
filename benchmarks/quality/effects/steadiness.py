"""Temporal anti-aliasing over time: still things hold still, and what has passed leaves nothing behind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from benchmarks.quality.averages import DIMENSION, Changed, moved_by
from benchmarks.quality.play import Floats, chosen, played
from benchmarks.quality.row import Row
from benchmarks.quality.scenes import NoBall, PassingBall, StillScene
from renderwright.engine.game import Game
from renderwright.plugins.taa.jitter import offsets
from renderwright.render.backend.protocol import Backend
from renderwright.render.types.resources import Extent

EXTENT: Extent = (160, 90)
STEADIER = 0.1
"""Share of the flicker of bare jitter that may be left."""
SAMPLES, SETTLED = 16, 24
"""Places within a texel, and frames until the past has built up."""
STEP = 1 / 255
GHOST, EDGE_GHOST = 2.5 * STEP, 5.5 * STEP
"""What may be left one frame after something has passed: two steps of 8 bits, five where edges come to light."""
NOTHING = 0.5 * STEP

Mask = NDArray[np.bool_]


def rows(backend: Backend) -> Iterator[Row]:
    """Flicker, and what a ball leaves behind."""
    bare, steady = flicker(_jittered(backend)), flicker(_frames(StillScene, backend, SETTLED + SAMPLES, SAMPLES, True))
    yield Row("taa, flicker", "the frame before", "mean change", bare, steady, STEADIER * bare)
    left = trail(backend)
    reference = "frames without the ball"
    yield Row("taa, trail", reference, "largest difference", None, left.flat, GHOST)
    yield Row("taa, trail on edges", reference, "largest difference", None, left.edges, EDGE_GHOST)


def flicker(frames: list[Floats]) -> float:
    """Mean difference from frame to frame."""
    return float(np.mean([np.abs(one - other).mean() for one, other in pairwise(frames)]))


@dataclass(frozen=True)
class Trail:
    """Largest differences one frame after a ball has passed: on ``flat`` ground, on ``edges`` that come to light.

    ``ball`` is that of the ball itself, ``texels`` are how many were looked at, flat ones and all.
    """

    flat: float
    edges: float
    ball: float
    texels: tuple[int, int]


def trail(backend: Backend, frames: int = 24, kept: int = 10) -> Trail:
    """Let a ball fly by for so many frames, and look at where it was in the last ones and is no more."""
    with_ball, without = (_frames(game, backend, frames, kept, True) for game in (PassingBall, NoBall))
    plain, empty = (_frames(game, backend, frames, kept, False) for game in (PassingBall, NoBall))
    apart = [np.abs(one - other).max(axis=2) for one, other in zip(plain, empty, strict=True)]
    seen = [difference > 0.02 for difference in apart]
    edges = grown(np.abs(np.diff(empty[-1], axis=0, append=0.0)).max(axis=2) > 0.05, 1)
    passed = np.logical_or.reduce(seen[:-1]) & ~grown(apart[-1] > NOTHING, 2)  # nor in the edge of its shadow
    difference = np.abs(with_ball[-1] - without[-1]).max(axis=2)
    flat = passed & ~edges
    return Trail(
        float(difference[flat].max()),
        float(difference[passed].max()),
        float(difference[seen[-1]].max()),
        (int(flat.sum()), int(passed.sum())),
    )


def grown(mask: Mask, texels: int) -> Mask:
    """The mask and all within so many texels of it."""
    result = mask.copy()
    for y in range(-texels, texels + 1):
        for x in range(-texels, texels + 1):
            result |= np.roll(mask, (y, x), axis=(0, 1))
    return result


def _frames(game: type[Game], backend: Backend, count: int, kept: int, taa: bool) -> list[Floats]:
    """The last ones of so many frames."""
    with played(game, backend, EXTENT, chosen(["taa"] if taa else [], tonemap={"dither": "false"})) as play:
        shown = []
        for number in range(count):
            play.frames()
            if number >= count - kept:
                shown.append(play.shown())
    return shown


def _jittered(backend: Backend) -> list[Floats]:
    """Frames at the places of temporal anti-aliasing, shown as they are."""
    shown = []
    with played(StillScene, backend, EXTENT, chosen(tonemap={"dither": "false"})) as play:
        for place in offsets(SAMPLES):
            play.session.splits[DIMENSION] = Changed(moved_by(*place))
            play.frames()
            shown.append(play.shown())
    return shown
