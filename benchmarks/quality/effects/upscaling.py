"""Temporal upscaling beside temporal anti-aliasing at full size: still pictures, a flying camera, and ghosts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.quality.averages import mean_shown, texel_grid
from benchmarks.quality.effects.steadiness import EDGE_GHOST, GHOST, trail
from benchmarks.quality.flip import flip_of_shown
from benchmarks.quality.play import Floats, chosen, played
from benchmarks.quality.row import STEP, Row
from benchmarks.quality.scenes import Beams, OrbitEnd, OrbitingCamera, StillScene
from renderwright.engine.game import Game
from renderwright.engine.options import PluginChoice
from renderwright.render.backend.protocol import Backend
from renderwright.render.types.resources import Extent

EXTENT: Extent = (160, 90)
SCALES = (0.77, 0.67, 0.5)
STILL_FRAMES = 32
NEAR_TAA = 0.02
"""FLIP by which upscaling may be worse than TAA at full size."""
SCENES: tuple[tuple[str, type[Game], type[Game], int], ...] = (
    ("32 still frames: thin things", StillScene, StillScene, STILL_FRAMES),
    ("32 still frames: edges", Beams, Beams, STILL_FRAMES),
    ("a flying camera", OrbitingCamera, OrbitEnd, OrbitingCamera.frames),
)
"""Name, the game, the game whose still picture its last frame should be, and the number of frames."""


def rows(backend: Backend) -> Iterator[Row]:
    """Rows for three scenes and of a ball's ghosts, at each scale. The picture without upscaling is that of TAA."""
    for name, game, still, frames in SCENES:
        right = still_picture(still, backend)
        taa = last_frame(game, backend, frames, anti_aliased())
        native = difference(right, taa)
        for scale in SCALES:
            shown = last_frame(game, backend, frames, upscaled(scale))
            error, pictures = difference(right, shown), {"reference": right, "without": taa, "with": shown}
            title = f"upscaling from {scale:g}, {name}"
            yield Row(title, "64 samples a texel", "FLIP", native, error, native + NEAR_TAA, pictures)
    for scale in SCALES:
        left = trail(backend, upscaled(scale), texel=1.0 / scale)
        name = f"upscaling from {scale:g}, trail"
        yield Row(name, "frames without the ball", "largest difference", None, left.flat, GHOST)
        yield Row(f"{name} on edges", "frames without the ball", "largest difference", None, left.edges, EDGE_GHOST)


def upscaled(scale: float) -> PluginChoice:
    """The plugin at a scale."""
    return chosen(["upscaling"], upscaling={"scale": str(scale)}, tonemap={"dither": "false"})


def anti_aliased() -> PluginChoice:
    """Temporal anti-aliasing at full size."""
    return chosen(["taa"], tonemap={"dither": "false"})


def still_picture(game: type[Game], backend: Backend) -> Floats:
    """A still game with 64 samples a texel."""
    with played(game, backend, EXTENT, chosen(tonemap={"dither": "false"})) as play:
        return mean_shown(play, texel_grid(8))


def last_frame(game: type[Game], backend: Backend, frames: int, choice: PluginChoice) -> Floats:
    """The last of so many frames, sRGB-encoded."""
    with played(game, backend, EXTENT, choice) as play:
        play.frames(frames)
        return play.shown()


def difference(right: Floats, shown: Floats) -> float:
    """FLIP, in which differences up to one step of 8 bits are none."""
    return flip_of_shown(right, np.where(np.abs(shown - right) <= STEP, right, shown))
