"""Motion blur against the mean of 256 pictures at moments while the shutter is open."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.quality.play import Floats, chosen, played
from benchmarks.quality.row import Row, compared
from benchmarks.quality.scenes import InMotion, Panned
from renderwright.render.backend.protocol import Backend
from renderwright.render.types.resources import Extent

EXTENT: Extent = (240, 135)
MOMENTS = 256
FRAME = 1 / 24
"""Duration of a frame in seconds, as in a film."""
SHUTTER = 0.5
"""Share of a frame during which the shutter is open, centred on the moment of the frame."""


def rows(backend: Backend) -> Iterator[Row]:
    """Rows of objects moving in front of a still camera, and of a turning camera."""
    for name, game in (("things", InMotion), ("things and camera", Panned)):
        without, with_it = (_second_frame(game, backend, enable) for enable in ((), ("motion_blur",)))
        right = moments(game, backend, FRAME, SHUTTER * FRAME)
        yield compared(f"motion_blur, {name} move", f"{MOMENTS} moments", right, without, with_it)


def moments(game: type[InMotion], backend: Backend, middle: float, length: float, count: int = MOMENTS) -> Floats:
    """The mean light of ``count`` moments, evenly over ``length`` seconds around ``middle``, a moment of the game."""
    between = length / count

    class Slow(game):  # type: ignore[misc, valid-type]
        step = between
        begin = middle - 0.5 * (length - between)

    with played(Slow, backend, EXTENT, frame=between) as play:
        play.frames()  # it shows the state before the first step, as does each frame from here on
        total = play.light().astype(np.float64)
        for _ in range(count - 1):
            total += play.picture()
    return (total / count).astype(np.float32)


def _second_frame(game: type[InMotion], backend: Backend, enable: tuple[str, ...]) -> Floats:
    """The light at ``FRAME`` seconds, after one previous frame."""

    class Film(game):  # type: ignore[misc, valid-type]
        step = FRAME

    choice = chosen(enable, **({"motion_blur": {"shutter": str(SHUTTER)}} if enable else {}))
    with played(Film, backend, EXTENT, choice, frame=FRAME) as play:
        play.frames(2)
        return play.light()
