"""The tone mapper's node alone, on pictures made for it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import plugins.tonemap
from plugins.tonemap.nodes import tonemap
from plugins.tonemap.settings import Operator, TonemapSettings
from render.testing import run_node

pytestmark = pytest.mark.vulkan

SHADERS = Path(plugins.tonemap.__file__).parent / "glsl"


def mapped(hdr: np.ndarray, **settings) -> np.ndarray:
    """The picture as 8-bit sRGB, (height, width, 4)."""
    chosen = TonemapSettings(**{"dither": False, **settings})
    height, width = hdr.shape[:2]
    result = run_node(
        lambda reg: tonemap(reg, chosen),
        inputs={"source": hdr.astype(np.float32)},
        outputs=["result"],
        size=(width, height),
        shader_paths=[SHADERS],
    )["result"]
    assert result.shape == (height, width, 4)
    assert result.dtype == np.uint8
    return result


def ramp(stops: float = 10.0) -> np.ndarray:
    """Greys from 2 to the power of -stops up to 2 to the power of stops, from left to right."""
    greys = np.exp2(np.linspace(-stops, stops, 64))
    return np.repeat(np.repeat(greys[None, :, None], 4, axis=0), 3, axis=2)


@pytest.mark.parametrize("operator", Operator)
def test_greys_stay_grey_and_grow_from_black_to_white(operator) -> None:
    result = mapped(ramp(), operator=operator).astype(int)
    greys = result[0, :, 0]
    assert np.all(np.diff(greys) >= 0)
    assert greys[0] <= 6
    assert greys[-1] >= 250
    assert np.abs(result[..., :3] - result[..., :1]).max() <= 2
    assert np.all(result[..., 3] == 255)


def test_neutral_keeps_colours_that_fit() -> None:
    """Below the start of its shoulder the curve only takes the 4 % of Fresnel reflection away."""
    color = np.full((4, 4, 3), (0.4, 0.3, 0.2))
    linear = mapped(color, operator="neutral")[0, 0, :3] / 255.0
    linear = np.where(linear <= 0.04045, linear / 12.92, ((linear + 0.055) / 1.055) ** 2.4)
    assert linear == pytest.approx([0.36, 0.26, 0.16], abs=0.006)


def test_exposure_counts_in_stops() -> None:
    dark = mapped(np.full((4, 4, 3), 0.1), exposure=2.0)
    bright = mapped(np.full((4, 4, 3), 0.4), exposure=0.0)
    assert np.array_equal(dark, bright)


def test_dither_stays_within_a_step() -> None:
    picture = np.full((16, 16, 3), 0.2)
    plain, noisy = (mapped(picture, dither=dither).astype(int) for dither in (False, True))
    assert np.abs(plain - noisy).max() <= 1
    assert np.any(plain != noisy)
