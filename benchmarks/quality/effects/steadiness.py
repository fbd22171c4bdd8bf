"""Temporal anti-aliasing over time: no flicker of still objects, and no ghosts of moving ones."""

from __future__ import annotations

import math
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
from renderwright.engine.options import PluginChoice
from renderwright.engine.renderer.jitter import offsets
from renderwright.render.backend.protocol import Backend
from renderwright.render.types.resources import Extent

EXTENT: Extent = (160, 90)
STEADIER = 0.1
"""Bound of the flicker, as a share of the flicker of jitter alone."""
SAMPLES, SETTLED = 16, 24
"""Sample positions in a texel, and frames until the history has converged."""
STEP = 1 / 255
GHOST, EDGE_GHOST = 2.5 * STEP, 5.5 * STEP
"""Bounds of the ghost one frame after an object has passed: two 8-bit steps, five on disoccluded edges."""
NOTHING = 0.5 * STEP
KEPT = 10
"""Frames in which the ball has passed."""
BARE = chosen(tonemap={"dither": "false"})
TAA = chosen(["taa"], tonemap={"dither": "false"})

Mask = NDArray[np.bool_]


def rows(backend: Backend) -> Iterator[Row]:
    """Rows of flicker and of the ghosts of a ball."""
    bare, steady = flicker(_jittered(backend)), flicker(_frames(StillScene, backend, SETTLED + SAMPLES, SAMPLES, TAA))
    yield Row("taa, flicker", "the frame before", "mean change", bare, steady, STEADIER * bare)
    left = trail(backend)
    reference = "frames without the ball"
    yield Row("taa, trail", reference, "largest difference", None, left.flat, GHOST)
    yield Row("taa, trail on edges", reference, "largest difference", None, left.edges, EDGE_GHOST)


def flicker(frames: list[Floats]) -> float:
    """Mean difference between consecutive frames."""
    return float(np.mean([np.abs(one - other).mean() for one, other in pairwise(frames)]))


@dataclass(frozen=True)
class Trail:
    """Largest differences one frame after a ball has passed: on ``flat`` ground, and including disoccluded ``edges``.

    ``ball`` is the difference of the ball itself, ``texels`` the numbers of measured texels: flat ones, and all.
    """

    flat: float
    edges: float
    ball: float
    texels: tuple[int, int]


def trail(backend: Backend, choice: PluginChoice = TAA, *, texel: float = 1.0, frames: int = 24) -> Trail:
    """Render a passing ball and compare the texels that it covered in the last frames and no longer covers.

    ``choice`` has the plugin to measure. ``texel`` is the size of a rendered texel in texels of the picture: smooth
    edges of the ball are two of them wide, other edges one.
    """
    with_ball, without = (_frames(game, backend, frames, KEPT, choice) for game in (PassingBall, NoBall))
    plain, empty = (_frames(game, backend, frames, KEPT, BARE) for game in (PassingBall, NoBall))
    apart = [np.abs(one - other).max(axis=2) for one, other in zip(plain, empty, strict=True)]
    seen = [difference > 0.02 for difference in apart]
    edges = grown(np.abs(np.diff(empty[-1], axis=0, append=0.0)).max(axis=2) > 0.05, math.ceil(texel))
    passed = np.logical_or.reduce(seen[:-1]) & ~grown(
        apart[-1] > NOTHING, math.ceil(2 * texel)
    )  # excludes the edge of its shadow
    difference = np.abs(with_ball[-1] - without[-1]).max(axis=2)
    flat = passed & ~edges
    return Trail(
        float(difference[flat].max()),
        float(difference[passed].max()),
        float(difference[seen[-1]].max()),
        (int(flat.sum()), int(passed.sum())),
    )


def grown(mask: Mask, texels: int) -> Mask:
    """The mask dilated by ``texels`` texels."""
    result = mask.copy()
    for y in range(-texels, texels + 1):
        for x in range(-texels, texels + 1):
            result |= np.roll(mask, (y, x), axis=(0, 1))
    return result


def _frames(game: type[Game], backend: Backend, count: int, kept: int, choice: PluginChoice) -> list[Floats]:
    """The last ``kept`` of ``count`` frames."""
    with played(game, backend, EXTENT, choice) as play:
        shown = []
        for number in range(count):
            play.frames()
            if number >= count - kept:
                shown.append(play.shown())
    return shown


def _jittered(backend: Backend) -> list[Floats]:
    """Frames with the jitter of temporal anti-aliasing but without its history."""
    shown = []
    with played(StillScene, backend, EXTENT, BARE) as play:
        for place in offsets(SAMPLES):
            play.session.splits[DIMENSION] = Changed(moved_by(*place))
            play.frames()
            shown.append(play.shown())
    return shown
