"""Shadows against many lights: a small light for PCF, a large one for PCSS, whose edges follow its size."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.quality.play import Settings
from benchmarks.quality.row import Row, compared
from benchmarks.quality.soft_shadows import (
    LAMP_RADIUS,
    REAL_SUN_ANGLE,
    SMALL_LAMP_RADIUS,
    SUN_ANGLE,
    Case,
    SpotYard,
    lamp_case,
    reference,
    shaded,
    sun_case,
)
from renderwright.render.backend.protocol import Backend
from renderwright.render.types.resources import Extent

EXTENT: Extent = (160, 90)
LIGHTS = 256
MAP = 1024
"""Side of the maps of the sun's hard shadows in texels, which suffices for the small picture."""

PCF: Settings = {"edges": "pcf"}
PCSS: Settings = {"edges": "pcss", "softness": "1"}
CASES: dict[str, tuple[Case, Settings]] = {
    "shadows, pcf: sun": (sun_case(REAL_SUN_ANGLE, MAP), PCF),
    "shadows, pcf: lamp": (lamp_case(SMALL_LAMP_RADIUS), PCF),
    "shadows, pcf: spotlight": (lamp_case(SMALL_LAMP_RADIUS, SpotYard), PCF),
    "shadows, pcss: sun": (sun_case(SUN_ANGLE, MAP), PCSS),
    "shadows, pcss: lamp": (lamp_case(LAMP_RADIUS), PCSS),
    "shadows, pcss: spotlight": (lamp_case(LAMP_RADIUS, SpotYard), PCSS),
}


def rows(backend: Backend) -> Iterator[Row]:
    """A row for each kind of light and of shadow filter."""
    for name, (case, settings) in CASES.items():
        right = reference(case, backend, EXTENT, LIGHTS)
        without, with_it = (shaded(case, backend, EXTENT, one) for one in (None, settings))
        yield compared(name, f"{LIGHTS} hard shadows, the light at as many places", right, without, with_it)
