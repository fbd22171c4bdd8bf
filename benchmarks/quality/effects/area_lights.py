"""Light from rectangles on floors against a numerical integration of the same surface model."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.quality.rectangle_light import BACK, PANEL, SUNKEN, Floor, deviation
from benchmarks.quality.row import Row
from renderwright.render.backend.protocol import Backend

LIGHTS = {"above": PANEL, "from behind": BACK, "half below": SUNKEN}
FLOORS = {"rough": Floor(0.5, 0.0, 0.9), "smooth": Floor(0.5, 0.0, 0.4), "metal": Floor(0.7, 1.0, 0.3)}
MOST = 0.13
"""Bound of the mean difference of texels, as a share of the mean light."""


def rows(backend: Backend) -> Iterator[Row]:
    """The mean difference of texels, for each light on each floor."""
    for place, light in LIGHTS.items():
        for name, floor in FLOORS.items():
            off = deviation(backend, floor, light)
            yield Row(f"rectangle light, {place}, {name}", "9,216 points", "mean difference", None, off.mean, MOST)
