"""The tone mapper's node alone, on pictures made for it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from renderwright.engine.testing import run_node
from renderwright.plugins.tonemap import nodes
from renderwright.plugins.tonemap.nodes import tonemap
from renderwright.plugins.tonemap.settings import Operator, TonemapSettings

pytestmark = pytest.mark.vulkan

SHADERS = Path(nodes.__file__).parent / "glsl"


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


def encoded(linear: np.ndarray) -> np.ndarray:
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * np.maximum(linear, 1e-9) ** (1 / 2.4) - 0.055)


def colors() -> np.ndarray:
    return 2.0 ** np.random.default_rng(3).uniform(-7.0, 5.0, (8, 8, 3))


def test_aces_is_the_published_fit() -> None:
    """Stephen Hill's fit of the reference rendering and output transforms (2015), in rows."""
    hdr = colors()
    inward = np.array([[0.59719, 0.35458, 0.04823], [0.07600, 0.90834, 0.01566], [0.02840, 0.13383, 0.83777]])
    outward = np.array([[1.60475, -0.53108, -0.07367], [-0.10208, 1.10813, -0.00605], [-0.00327, -0.07276, 1.07602]])
    v = hdr @ inward.T
    v = (v * (v + 0.0245786) - 0.000090537) / (v * (0.983729 * v + 0.4329510) + 0.238081)
    expected = encoded(np.clip(v @ outward.T, 0.0, 1.0)) * 255.0
    assert np.abs(mapped(hdr, operator="aces")[..., :3] - expected).max() <= 1.0


def test_neutral_is_the_published_curve() -> None:
    """Khronos PBR Neutral (2024), the formulas of its specification, one colour at a time."""

    def curve(color: np.ndarray) -> np.ndarray:
        x = color.min()
        color = color - (x - 6.25 * x * x if x < 0.08 else 0.04)
        peak = color.max()
        if peak < 0.76:
            return color
        new_peak = 1.0 - 0.24 * 0.24 / (peak + 0.24 - 0.76)
        g = 1.0 - 1.0 / (0.15 * (peak - new_peak) + 1.0)
        return color * (new_peak / peak) * (1.0 - g) + new_peak * g

    hdr = colors()
    expected = encoded(np.apply_along_axis(curve, 2, hdr)) * 255.0
    assert np.abs(mapped(hdr, operator="neutral")[..., :3] - expected).max() <= 1.0


def test_agx_follows_the_published_sigmoid() -> None:
    """Greys through AgX: log2 from -12.47393 to 4.026069 stops, the sixth-order polynomial, then the punchy look."""
    grey = 2.0 ** np.linspace(-10.0, 4.0, 64)
    x = np.clip((np.log2(grey) + 12.47393) / (4.026069 + 12.47393), 0.0, 1.0)
    shaped = 15.5 * x**6 - 40.14 * x**5 + 31.96 * x**4 - 6.868 * x**3 + 0.4298 * x**2 + 0.1191 * x - 0.00232
    expected = np.clip(np.maximum(shaped, 0.0) ** 1.35, 0.0, 1.0) * 255.0
    shown = mapped(np.repeat(np.repeat(grey[None, :, None], 4, axis=0), 3, axis=2), operator="agx")
    assert np.abs(shown[0, :, :3] - expected[:, None]).max() <= 1.5


def test_dither_stays_within_a_step() -> None:
    picture = np.full((16, 16, 3), 0.2)
    plain, noisy = (mapped(picture, dither=dither).astype(int) for dither in (False, True))
    assert np.abs(plain - noisy).max() <= 1
    assert np.any(plain != noisy)


def test_dither_keeps_the_mean_and_its_noise_is_alike_between_any_two_steps() -> None:
    """With triangular noise the mean is right to a fraction of a step, and the variance no lower at whole steps."""
    variances = []
    for step in np.linspace(100.0, 101.0, 6):
        linear = ((step / 255.0 + 0.055) / 1.055) ** 2.4
        # Neutral only takes 0.04 away from a grey of this brightness.
        shown = mapped(np.full((64, 64, 3), linear + 0.04), operator="neutral", dither=True)[..., 0].astype(float)
        assert shown.mean() == pytest.approx(step, abs=0.08)  # drivers may round to sRGB as roughly as that
        variances.append(shown.var())
    assert variances == pytest.approx([0.25] * 6, abs=0.06)


def test_dither_leaves_black_and_white_alone() -> None:
    for light, shown in ((0.0, 0), (1e6, 255)):
        assert np.all(mapped(np.full((16, 16, 3), light), operator="aces", dither=True)[..., :3] == shown)
