"""Shadows against many lights: a small light for PCF, a large one for PCSS, whose edges follow its size.

Against rays: corners, which nothing shades, and edges of small lights, right at their casters and far from them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.quality.flip import encoded
from benchmarks.quality.play import Floats, Settings
from benchmarks.quality.ray_shadows import CORNERS, EDGES, LitScene, lit, ray_reference
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
RAYS = 256
DARKENING = 0.0005
"""Bound of the share of the light that corners lose."""
NEARER = 0.6
"""Bound of the error of PCSS, as a share of that of PCF. The rest is that of the map's texels."""
MAP = 1024
"""Side of the maps of the sun's hard shadows in texels, which suffices for the small picture."""

PCF: Settings = {"edges": "pcf"}
PCSS: Settings = {"edges": "pcss"}
FILTERS = {"pcf": PCF, "pcss": PCSS}
CASES: dict[str, tuple[Case, Settings]] = {
    "shadows, pcf: sun": (sun_case(REAL_SUN_ANGLE, MAP), PCF),
    "shadows, pcf: lamp": (lamp_case(SMALL_LAMP_RADIUS), PCF),
    "shadows, pcf: spotlight": (lamp_case(SMALL_LAMP_RADIUS, SpotYard), PCF),
    "shadows, pcss: sun": (sun_case(SUN_ANGLE, MAP), PCSS),
    "shadows, pcss: lamp": (lamp_case(LAMP_RADIUS), PCSS),
    "shadows, pcss: spotlight": (lamp_case(LAMP_RADIUS, SpotYard), PCSS),
}


def rows(backend: Backend) -> Iterator[Row]:
    """A row for each kind of light and of shadow filter, and rows of corners and of edges."""
    for name, (case, settings) in CASES.items():
        right = reference(case, backend, EXTENT, LIGHTS)
        without, with_it = (shaded(case, backend, EXTENT, one) for one in (None, settings))
        yield compared(name, f"{LIGHTS} hard shadows, the light at as many places", right, without, with_it)
    for edges, settings in FILTERS.items():
        for light, scenes in CORNERS.items():
            darker = float(np.mean([_darkening(scene, backend, settings) for scene in scenes]))
            name = f"shadows, {edges}: corners, {light}"
            yield Row(name, "no shadows", "mean darkening", None, darker, DARKENING)
    for name, scene in EDGES.items():
        yield _beside_pcf(name, scene, backend)


def _darkening(scene: type[LitScene], backend: Backend, settings: Settings) -> float:
    """The share of the light that is lost where nothing shades."""
    bare, seen = (lit(scene, backend, EXTENT, one) for one in (None, scene.sized(settings)))
    return float(1.0 - seen.mean() / bare.mean())


def _beside_pcf(name: str, scene: type[LitScene], backend: Backend) -> Row:
    """The error of PCSS, and that of PCF instead of that without shadows."""
    right = ray_reference(scene, backend, EXTENT, RAYS)
    even, soft = (lit(scene, backend, EXTENT, scene.sized(one)) for one in (PCF, PCSS))
    before, after = (_relative(right, one) for one in (even, soft))
    pictures = {"reference": encoded(right), "without": encoded(even), "with": encoded(soft)}
    title = f"shadows, pcss instead of pcf: {name}"
    return Row(title, f"{RAYS} rays a texel", "mean relative error", before, after, NEARER * before, pictures)


def _relative(right: Floats, seen: Floats) -> float:
    return float(np.abs(seen - right).mean() / right.mean())
