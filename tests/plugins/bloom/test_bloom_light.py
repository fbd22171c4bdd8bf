"""Bloom moves light about without making or losing any, and does not flicker."""

from __future__ import annotations

import numpy as np
import pytest

import renderwright.plugins.bloom as bloom
from renderwright.plugins.bloom.settings import BloomSettings

pytestmark = pytest.mark.vulkan

SIZE = (96, 144)


def bloomed(run_effect, picture: np.ndarray, **settings) -> np.ndarray:
    return run_effect(bloom, BloomSettings(**settings), "combine", source=picture.astype(np.float32))


def soft_lights() -> np.ndarray:
    """A dim picture with lights of many texels, up to 40 times as bright, away from the border."""
    rows, columns = np.mgrid[0 : SIZE[0], 0 : SIZE[1]]
    picture = np.full((*SIZE, 3), 0.2)
    for row, column, color in ((48, 56, (8, 4, 1)), (52, 84, (1, 3, 8)), (40, 70, (3, 3, 3))):
        light = np.exp(-((rows - row) ** 2 + (columns - column) ** 2) / (2 * 6.0**2))
        picture += light[..., None] * np.array(color)
    return picture


def luminance(picture: np.ndarray) -> np.ndarray:
    return picture @ np.array([0.2126, 0.7152, 0.0722])


def test_an_even_picture_stays_as_it_is(run_effect) -> None:
    picture = np.full((*SIZE, 3), (0.5, 2.0, 8.0))
    assert np.allclose(bloomed(run_effect, picture, intensity=1.0), picture, rtol=2e-3)


def test_without_intensity_nothing_changes(run_effect) -> None:
    picture = soft_lights().astype(np.float16)
    assert np.array_equal(bloomed(run_effect, picture, intensity=0.0), picture.astype(np.float32))


@pytest.mark.parametrize("spread", [0.0, 0.7, 1.0])
def test_the_mean_luminance_is_kept(run_effect, spread: float) -> None:
    picture = soft_lights()
    result = bloomed(run_effect, picture, intensity=0.5, levels=4, spread=spread)
    assert luminance(result).mean() == pytest.approx(luminance(picture).mean(), rel=0.01)
    assert np.abs(result - picture).max() > 0.1, "and yet light has moved"


@pytest.mark.parametrize("extent", [1, 2, 3])
def test_lamps_of_few_texels_keep_what_does_not_spread(run_effect, extent: int) -> None:
    picture = np.full((*SIZE, 3), 0.2)
    for number in range(12):
        row, column = 30 + 11 * (number % 4), 40 + 21 * (number // 4)
        picture[row : row + extent, column : column + extent] = 40.0
    result = bloomed(run_effect, picture, intensity=0.5, levels=4)
    assert luminance(result).mean() == pytest.approx(luminance(picture).mean(), rel=0.02)


def test_light_falls_off_smoothly_from_where_it_was(run_effect) -> None:
    picture = np.zeros((*SIZE, 3))
    picture[44:52, 68:76] = 10.0
    row = luminance(bloomed(run_effect, picture))[48, 78:134]
    assert np.all(np.diff(row) <= 1e-4)
    assert row[0] > 0.01
    assert row[30] > 0.0


def test_a_lone_bright_texel_hardly_spreads(run_effect) -> None:
    """A light of 8 x 8 texels spreads; as much light in one texel, which would flicker, does not."""
    lone, wide = np.full((*SIZE, 3), 0.1), np.full((*SIZE, 3), 0.1)
    lone[48, 72] = 6400.0
    wide[44:52, 68:76] = 100.0
    far = np.ones(SIZE, bool)
    far[40:56, 64:80] = False
    spread = [luminance(bloomed(run_effect, picture))[far].sum() - 0.1 * far.sum() for picture in (lone, wide)]
    assert spread[1] > 50 * spread[0] > 0


def test_what_is_no_number_does_not_spread(run_effect) -> None:
    picture = np.full((*SIZE, 3), 0.5)
    picture[48, 72] = np.inf
    result = bloomed(run_effect, picture)
    outside = np.ones(SIZE, bool)
    outside[48, 72] = False
    assert np.all(np.isfinite(result[outside]))


@pytest.mark.parametrize("size", [(16, 16), (5, 9), (3, 64), (1, 1)])
def test_a_small_picture_has_the_levels_that_fit(run_effect, size: tuple[int, int]) -> None:
    """The last level has one texel; those that are asked for beyond it change nothing."""
    picture = np.random.default_rng(7).uniform(0.0, 4.0, (*size, 3)).astype(np.float32)
    fit = max(2, ((max(size) + 1) // 2).bit_length())
    few, many = (bloomed(run_effect, picture, intensity=1.0, levels=levels) for levels in (fit, 8))
    assert np.array_equal(few, many)
    assert luminance(many).mean() == pytest.approx(luminance(picture).mean(), rel=0.2)
    assert fit == 2 or np.abs(many - picture).max() > 0.1


def test_all_levels_are_one_texture(make_effect) -> None:
    source = soft_lights().astype(np.float32)
    bench = make_effect(bloom, BloomSettings(levels=6), {"source": source}, ("post_hdr/bloom/combine",), "post_hdr")
    bench.frames()
    own = {item.id: item.info for item in bench.runtime.plan.placement.resources if item.id.startswith("bloom/")}
    assert list(own) == ["bloom/light"]
    assert (own["bloom/light"].extent, own["bloom/light"].mips) == ((SIZE[1] // 2, SIZE[0] // 2), 6)
