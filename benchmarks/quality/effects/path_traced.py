"""Scenes against a path tracer: a room by its probe, thin glass and masked leaves, a panel, and 500 lamps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.quality.path_scenes import PathScene
from benchmarks.quality.path_tracer import EXTENT, SCENES, kept_reference
from benchmarks.quality.play import Floats, chosen, played
from benchmarks.quality.row import Row, compared
from renderwright.render.backend.protocol import Backend

FINER = 2
"""Size of our picture, in each direction, as a multiple of the reference's."""
FRAMES = 30
"""Frames until probes are measured and shadow maps drawn."""
BOUNDS = {"room": 0.15, "glass_and_leaves": 0.1, "panel": 0.1, "many_lamps": 0.1}


def rows(backend: Backend) -> Iterator[Row]:
    """A row for each scene. ``without`` is the same scene without what is measured."""
    for name, game in SCENES.items():
        plain: type[PathScene] = type(f"Plain{game.__name__}", (game,), {"plain": True})
        right = kept_reference(name)
        bare, with_it = (seen(one, backend) for one in (plain, game))
        title = f"path traced: {game.title.lower()}"
        yield compared(title, f"{game.samples} paths a texel", right, bare, with_it, most=BOUNDS[name])


def seen(game: type[PathScene], backend: Backend) -> Floats:
    """Our picture in the size of the reference, each texel the mean of some."""
    width, height = EXTENT
    with played(game, backend, (width * FINER, height * FINER), chosen()) as play:
        play.frames(FRAMES)
        return np.asarray(play.light().reshape(height, FINER, width, FINER, 3).mean(axis=(1, 3)), np.float32)
