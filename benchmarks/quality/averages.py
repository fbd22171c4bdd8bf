"""Means of many pictures with changed views: other sample positions in the texel, or other points on the lens.

A still scene is rendered once for each change; sums are in float64.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from pyglm import glm

from benchmarks.quality.flip import decoded, encoded
from benchmarks.quality.play import Floats, Play
from renderwright.engine.scene import Camera
from renderwright.engine.scene.algebra import rotate
from renderwright.engine.views import Frustum, View

Change = Callable[[View], View]
"""The change of the view for one picture of the mean."""

DIMENSION = "sample"


@dataclass(frozen=True)
class Changed:
    """A ``Split`` into one part: the changed view."""

    change: Change
    count: int = 1

    def part(self, view: View, number: int) -> View:
        """The changed view."""
        return self.change(view)


def moved_by(right: float, down: float) -> Change:
    """Sample at an offset in texels from the centre of each texel."""
    return lambda view: replace(view, offset=(view.offset[0] + right, view.offset[1] + down))


def texel_grid(side: int) -> list[Change]:
    """A regular grid of ``side`` x ``side`` sample positions in the texel."""
    places = [(number + 0.5) / side - 0.5 for number in range(side)]
    return [moved_by(right, down) for down in places for right in places]


def thin_lens(count: int, diameter: float, focus: float) -> list[Change]:
    """Views from ``count`` points, evenly over a lens of that diameter, that agree at the distance ``focus``.

    Lengths are in metres, ``focus`` is along the viewing axis.
    """
    return [_through(place[0] * diameter / 2, place[1] * diameter / 2, focus) for place in disk(count)]


def disk(count: int) -> list[tuple[float, float]]:
    """Points evenly over the unit disk (Vogel 1979, the sunflower)."""
    turn = math.pi * (3.0 - math.sqrt(5.0))
    reaches = [math.sqrt((number + 0.5) / count) for number in range(count)]
    return [(reach * math.cos(number * turn), reach * math.sin(number * turn)) for number, reach in enumerate(reaches)]


def _through(right: float, up: float, focus: float) -> Change:
    def change(view: View) -> View:
        old, seen = view.camera, view.frustum
        turn = old.orientation()
        x, y = rotate(turn, glm.vec3(1.0, 0.0, 0.0)), rotate(turn, glm.vec3(0.0, 1.0, 0.0))
        camera = Camera(old.position + x * right + y * up, None, turn, old.up, old.fov_y, old.near)
        aside, above = right / focus, up / focus
        frustum = Frustum(seen.left + aside, seen.right - aside, seen.down + above, seen.up - above)
        return replace(view, camera=camera, frustum=frustum)

    return change


def mean_light(play: Play, changes: Sequence[Change]) -> Floats:
    """The mean light over all changes."""
    return _mean(play, changes, play.light)


def mean_shown(play: Play, changes: Sequence[Change]) -> Floats:
    """The mean light of the displayed pictures over all changes, sRGB-encoded, as of a display with more texels."""
    return encoded(_mean(play, changes, lambda: decoded(play.shown())))


def _mean(play: Play, changes: Sequence[Change], look: Callable[[], Floats]) -> Floats:
    width, height = play.session.extent
    total = np.zeros((height, width, 3), np.float64)
    for change in changes:
        play.session.splits[DIMENSION] = Changed(change)
        play.frames()
        total += look()
    del play.session.splits[DIMENSION]
    return (total / len(changes)).astype(np.float32)
