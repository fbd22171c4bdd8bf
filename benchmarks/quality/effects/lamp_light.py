"""Temporal anti-aliasing of small lamps: it keeps their light, still and in a slow pan, and they do not blink."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.quality.lamps import Lamps, kept, right_light
from benchmarks.quality.play import chosen
from benchmarks.quality.row import HALF, Row
from renderwright.render.backend.protocol import Backend

MOST = 0.05
"""Bound of the change of a lamp's light, as a share of it."""


class PannedLamps(Lamps):
    """The lamps in a slow pan, 4 texels in the measured frames and those before them."""

    speed = 0.055
    start = -2.86


def rows(backend: Backend) -> Iterator[Row]:
    """The largest change of the light over lamps of all widths and strengths, and the mean flicker in the pan."""
    right = right_light(Lamps, backend)
    for name, game in (("still", Lamps), ("slow pan", PannedLamps)):
        without, with_it = (kept(game, backend, right, chosen(enable)) for enable in ((), ("taa",)))
        yield Row(f"taa, lamps, {name}", "256 samples a texel", "largest change", without.off, with_it.off, MOST)
    bare, steady = float(without.change.mean()), float(with_it.change.mean())
    yield Row("taa, lamps, flicker in the pan", "the frame before", "mean change", bare, steady, HALF * bare)
