"""FXAA leaves what is even alone and brings edges nearer to what they cover."""

from __future__ import annotations

import numpy as np
import pytest

import renderwright.plugins.fxaa as fxaa

pytestmark = pytest.mark.vulkan

RESULT = "tone/fxaa/smooth"


def smoothed(make_effect, picture: np.ndarray, **settings) -> np.ndarray:
    bench = make_effect(fxaa, fxaa.FxaaSettings(**settings), {"source": picture}, (RESULT,), "tone")
    bench.frames()
    return bench.texels(RESULT)[..., :3]


def half_plane(slope: float, samples: int = 1, size: int = 48) -> np.ndarray:
    """Dark above a line and bright below it, 8-bit sRGB; with samples, the share of each texel below the line."""
    at = (np.arange(size * samples) + 0.5) / samples
    bright = (at[:, None] - size / 2 > slope * (at[None, :] - size / 2)).astype(float)
    share = bright.reshape(size, samples, size, samples).mean(axis=(1, 3))
    linear = 0.02 + 0.6 * share
    encoded = np.round(255.0 * (1.055 * linear ** (1 / 2.4) - 0.055)).astype(np.uint8)
    return np.repeat(encoded[..., None], 3, axis=2)


@pytest.mark.parametrize("color", [(0, 0, 0), (3, 3, 3), (128, 40, 200), (255, 255, 255)])
def test_an_even_picture_is_left_alone(make_effect, color) -> None:
    picture = np.full((16, 24, 3), color, np.uint8)
    assert np.array_equal(smoothed(make_effect, picture), picture)


def test_texture_of_low_contrast_is_left_alone(make_effect) -> None:
    noise = np.random.default_rng(1).integers(120, 128, (32, 32, 1), dtype=np.uint8)
    picture = np.repeat(noise, 3, axis=2)
    assert np.array_equal(smoothed(make_effect, picture), picture)


@pytest.mark.parametrize("turned", [False, True])
def test_a_straight_edge_along_the_texels_stays_sharp(make_effect, turned: bool) -> None:
    picture = half_plane(0.0)
    picture = np.ascontiguousarray(picture.transpose(1, 0, 2)) if turned else picture
    assert np.array_equal(smoothed(make_effect, picture), picture)


@pytest.mark.parametrize("slope", [0.08, 0.2, 0.45, 1.0])
@pytest.mark.parametrize("turned", [False, True])
def test_a_slanted_edge_comes_nearer_to_its_coverage(make_effect, slope: float, turned: bool) -> None:
    jagged, exact = half_plane(slope), half_plane(slope, samples=16)
    if turned:
        jagged, exact = (np.ascontiguousarray(picture.transpose(1, 0, 2)) for picture in (jagged, exact))
    result = smoothed(make_effect, jagged)
    inner = slice(8, -8)
    before, after = (
        np.abs(picture[inner, inner].astype(float) - exact[inner, inner]).mean() for picture in (jagged, result)
    )
    assert after < (0.6 if slope < 0.9 else 0.75) * before
    far = np.abs(np.subtract.outer(np.arange(48), slope * (np.arange(48) - 24)) - 24) > 4
    far = far.T if turned else far
    assert np.array_equal(result[far], jagged[far]), "only the edge changes"


def test_an_edge_between_colours_of_one_luminance_is_smoothed(make_effect) -> None:
    mask = half_plane(0.2)[..., :1] > 100
    red, green = (np.array(color, np.uint8) for color in ((170, 60, 60), (60, 107, 60)))
    jagged = np.where(mask, red, green)
    result = smoothed(make_effect, jagged)
    changed = (result != jagged).any(axis=-1)
    assert changed.sum() > 40
    assert np.abs(result[changed].astype(int) - jagged[changed]).max() > 20


@pytest.mark.parametrize("turned", [False, True])
def test_a_steep_gradient_is_left_alone(make_effect, turned: bool) -> None:
    """Rows that change by as much from one to the next, along with a shift, are no jagged edge."""
    y, x = np.mgrid[:48, :48]
    linear = np.clip((y + x // 6 - 24) / 8.0, 0.05, 1.0) ** 2
    encoded = np.round(255.0 * (1.055 * linear ** (1 / 2.4) - 0.055)).astype(np.uint8)
    encoded = encoded.T if turned else encoded
    picture = np.ascontiguousarray(np.repeat(encoded[..., None], 3, axis=2))
    inner = (encoded > 40) & (encoded < 210)
    assert inner.sum() > 150
    changed = np.abs(smoothed(make_effect, picture).astype(int) - picture)[inner]
    assert changed.max() <= 5, "rows differ by 32"


def test_the_sides_of_a_box_along_the_texels_stay_sharp(make_effect) -> None:
    picture = np.full((40, 40, 3), 220, np.uint8)
    picture[8:30, 10:33] = 30
    assert np.array_equal(smoothed(make_effect, picture), picture)


def test_a_slope_of_even_steps_is_fitted_over_several(make_effect) -> None:
    """Runs of two and three texels, of which one alone does not tell where the edge is."""
    jagged, exact = half_plane(0.4), half_plane(0.4, samples=16)
    result = smoothed(make_effect, jagged)
    inner = slice(8, -8)
    before, after = (np.abs(one[inner, inner].astype(float) - exact[inner, inner]).mean() for one in (jagged, result))
    assert after < 0.15 * before


@pytest.mark.parametrize("width", [2, 3])
def test_the_end_of_something_narrow_is_not_rounded(make_effect, width: int) -> None:
    picture = np.full((24, 24, 3), 220, np.uint8)
    picture[:18, 10 : 10 + width] = 30
    assert np.array_equal(smoothed(make_effect, picture, subpixel=0.0)[17:], picture[17:])


def test_longer_searches_smooth_flatter_slopes(make_effect) -> None:
    jagged, exact = half_plane(0.05), half_plane(0.05, samples=16)
    errors = [
        np.abs(smoothed(make_effect, jagged, search=search).astype(float) - exact)[8:-8, 8:-8].mean()
        for search in (2, 16)
    ]
    assert errors[1] < 0.8 * errors[0]


def test_a_lone_texel_is_softened_as_far_as_asked(make_effect) -> None:
    picture = np.full((9, 9, 3), 20, np.uint8)
    picture[4, 4] = 250
    left = [int(smoothed(make_effect, picture, subpixel=subpixel)[4, 4, 0]) for subpixel in (0.0, 0.5, 1.0)]
    assert left[0] > left[1] > left[2]
