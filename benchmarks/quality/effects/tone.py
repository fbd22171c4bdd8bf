"""Tone mapping against its formulas in float64, and exposure against the exposure from all texels."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.quality.flip import encoded
from benchmarks.quality.play import Floats, chosen, played
from benchmarks.quality.row import Row, compared
from benchmarks.quality.scenes import Alley
from benchmarks.quality.tone_curves import aces, agx, exposure, neutral
from renderwright.render.backend.protocol import Backend
from renderwright.render.types.resources import Extent

EXTENT: Extent = (160, 90)
CURVES = {"agx": agx, "aces": aces, "neutral": neutral}
TO_EIGHT_BITS = 0.015
"""Bound of FLIP from rounding to 8 bits with dither."""
DARK, BRIGHT, CENTER = 0.5, 0.05, 0.5
"""The plugin's defaults."""


class Night(Alley):
    """A scene that is too dark without exposure."""

    plugins = ("tonemap",)


def rows(backend: Backend) -> Iterator[Row]:
    """Rows of each curve with the default exposure, and of AgX with an adaptive one."""
    light, cut_off = _looked_at(backend)
    for name, curve in CURVES.items():
        with_it = _mapped(backend, operator=name)
        right = encoded(curve(light).astype(np.float32))
        without = encoded(light.astype(np.float32))
        reference = "the formula in float64"
        yield compared(f"tonemap, {name}", reference, right, without, with_it, linear=False, most=TO_EIGHT_BITS)
    factor = exposure(light, DARK, BRIGHT, CENTER)
    right = encoded(agx(light * factor).astype(np.float32))
    reference = "the exposure by every texel, float64"
    adapted = _mapped(backend, operator="agx", auto_exposure="true")
    yield compared("tonemap, exposure", reference, right, cut_off, adapted, linear=False, most=TO_EIGHT_BITS)


def _looked_at(backend: Backend) -> tuple[np.ndarray, Floats]:
    """The input of the tone mapper, float64, and its output with a fixed exposure."""
    with played(Night, backend, EXTENT) as play:
        play.frames(2)
        return play.light().astype(np.float64), play.shown()


def _mapped(backend: Backend, **settings: str) -> Floats:
    with played(Night, backend, EXTENT, chosen(tonemap=settings)) as play:
        play.frames(2)  # the first frame measures the exposure of the second
        return play.shown()
