"""Depth of field against the mean of 256 pictures from points on the lens, and lamps that become large disks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.quality.averages import mean_light, thin_lens
from benchmarks.quality.bokeh import EXTENT as BOKEH_EXTENT
from benchmarks.quality.bokeh import Bokeh, BokehBeforeWall, BokehOverlapping, disks, unlit
from benchmarks.quality.play import Floats, Settings, chosen, played
from benchmarks.quality.row import NEAR, Row, compared
from benchmarks.quality.scenes import Alley
from renderwright.render.backend.protocol import Backend
from renderwright.render.types.resources import Extent

EXTENT: Extent = (480, 270)
PLACES = 256
FOCI = {"near": 2.2, "far": 9.0}
"""Focus distances in metres."""
APERTURE = 0.12
"""Diameter of the lens, in metres."""
EVEN = NEAR * 2.4 / 0.5
"""Bound of the deviation inside a disk: in sRGB, whose exponent is 1 / 2.4, it changes medium grey by ``NEAR``."""
KEPT = 0.05
"""Bound of the change of a lamp's light, as a share of it."""
LEAK = 0.02
"""Bound of the light around a disk, as a share of the light inside."""


def rows(backend: Backend) -> Iterator[Row]:
    """A row for each focus distance, and rows of disks."""
    for name, focus in FOCI.items():
        with played(Alley, backend, EXTENT) as play:
            without = play.picture()
            right = mean_light(play, thin_lens(PLACES, APERTURE, focus))
        settings = _settings(focus, APERTURE, 0.05)
        with played(Alley, backend, EXTENT, chosen(["depth_of_field"], depth_of_field=settings)) as play:
            with_it = play.picture()
        effect = f"depth_of_field, sharp {name}"
        yield compared(effect, f"{PLACES} places on the lens", right, without, with_it, steps=False)
    yield from _even(Bokeh, "disks behind the focus", backend)
    yield from _even(BokehBeforeWall, "disks in front", backend)
    yield _overlapping(backend)


def _even(game: type[Bokeh], name: str, backend: Backend) -> Iterator[Row]:
    """The worst of the lamps of a game, by each measure."""
    added, lamps = (_picture(game, backend, lens) - _picture(unlit(game), backend, lens) for lens in (True, False))
    seen = disks(game, *(one.mean(axis=2, dtype=np.float64) for one in (added, lamps)))
    effect = f"depth_of_field, {name}"
    yield Row(effect, "even light", "largest deviation", None, float(seen.unevenness.max()), EVEN)
    yield Row(f"{effect}: light kept", "the light without it", "largest change", None, seen.changed, KEPT)
    yield Row(f"{effect}: light around", "none", "largest mean", None, float(seen.leak.max()), LEAK)


def _overlapping(backend: Backend) -> Row:
    game = BokehOverlapping
    with played(game, backend, BOKEH_EXTENT) as play:
        right = mean_light(play, thin_lens(PLACES, game.aperture(), game.focus))
    without, with_it = (_picture(game, backend, lens) for lens in (False, True))
    return compared("depth_of_field, overlapping disks", f"{PLACES} places on the lens", right, without, with_it)


def _picture(game: type[Bokeh], backend: Backend, lens: bool) -> Floats:
    settings = _settings(game.focus, game.aperture(), game.largest)
    choice = chosen(["depth_of_field"], depth_of_field=settings) if lens else chosen()
    with played(game, backend, BOKEH_EXTENT, choice) as play:
        return play.picture()


def _settings(focus: float, aperture: float, largest: float) -> Settings:
    return {"focus": str(focus), "aperture": str(aperture), "largest": str(largest)}
