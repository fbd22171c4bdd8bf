"""Depth of field against the mean of 256 pictures from points on the lens."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.quality.averages import mean_light, thin_lens
from benchmarks.quality.play import chosen, played
from benchmarks.quality.row import Row, compared
from benchmarks.quality.scenes import Alley
from renderwright.render.backend.protocol import Backend
from renderwright.render.types.resources import Extent

EXTENT: Extent = (480, 270)
PLACES = 256
FOCI = {"near": 2.2, "far": 9.0}
"""Focus distances in metres."""
APERTURE = 0.12
"""Diameter of the lens, in metres."""


def rows(backend: Backend) -> Iterator[Row]:
    """A row for each focus distance."""
    for name, focus in FOCI.items():
        with played(Alley, backend, EXTENT) as play:
            without = play.picture()
            right = mean_light(play, thin_lens(PLACES, APERTURE, focus))
        settings = {"focus": str(focus), "aperture": str(APERTURE), "largest": "0.05"}
        with played(Alley, backend, EXTENT, chosen(["depth_of_field"], depth_of_field=settings)) as play:
            with_it = play.picture()
        yield compared(f"depth_of_field, sharp {name}", f"{PLACES} places on the lens", right, without, with_it)
