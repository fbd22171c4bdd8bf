"""Depth of field: how large the blur is, and what it may spread over."""

from __future__ import annotations

import numpy as np
import pytest
from effect_scenes import depth_of, view

import renderwright.plugins.depth_of_field as dof

pytestmark = pytest.mark.vulkan

SIZE = (96, 128)
CAMERA = view(SIZE)
COLUMNS = np.arange(SIZE[1])


def blurred(run_effect, picture: np.ndarray, depth: np.ndarray, **settings) -> np.ndarray:
    chosen = dof.DepthOfFieldSettings(**settings)
    source = picture.astype(np.float32)
    return run_effect(dof, chosen, "combine", source=source, depth=depth, camera=CAMERA)


def radius(distance: float, focus: float, aperture: float) -> float:
    """Of the circle of confusion, in texels: a lens of diameter A, sharp at S, images a point at z as a circle that
    measures A * |z - S| / z in the plane of focus, which the picture shows 2 * S * tan(fov / 2) metres high."""
    diameter = aperture * abs(distance - focus) / distance
    return 0.5 * SIZE[0] * diameter / (2.0 * focus * np.tan(CAMERA.fov_y / 2.0))


def test_what_is_in_focus_stays_as_it_is(run_effect) -> None:
    picture = np.random.default_rng(4).uniform(0, 4, (*SIZE, 3)).astype(np.float16).astype(np.float32)
    depth = depth_of(7.0, CAMERA, SIZE)
    assert np.array_equal(blurred(run_effect, picture, depth, focus=7.0, aperture=1.0), picture)
    assert np.array_equal(blurred(run_effect, picture, depth, aperture=1.0), picture), "focused on the middle"
    assert np.array_equal(blurred(run_effect, picture, depth, focus=2.0, aperture=0.0), picture), "a pinhole"


@pytest.mark.parametrize(("distance", "focus"), [(20.0, 5.0), (np.inf, 5.0), (3.0, 6.0)])
def test_the_blur_has_the_size_of_the_lens_formula(run_effect, distance: float, focus: float) -> None:
    """An edge blurs into the integral of a disk, whose standard deviation is half the radius."""
    picture = np.where(COLUMNS < 64, 1.0, 0.0)[None, :, None].repeat(SIZE[0], axis=0).repeat(3, axis=2)
    far = distance if np.isfinite(distance) else 1e7
    aperture = 0.8 if distance > focus else 1.2
    expected = radius(far, focus, aperture)
    assert 4.0 < expected < 9.0
    settings = {"focus": focus, "aperture": aperture, "largest": 0.1, "taps": 128}
    result = blurred(run_effect, picture, depth_of(distance, CAMERA, SIZE), **settings)
    profile = -np.diff(result[40:56, :, 0].mean(axis=0))
    middle = (profile * (COLUMNS[1:] - 0.5)).sum() / profile.sum()
    deviation = np.sqrt((profile * (COLUMNS[1:] - 0.5 - middle) ** 2).sum() / profile.sum())
    assert profile.sum() == pytest.approx(1.0, abs=0.02)
    assert middle == pytest.approx(63.5, abs=0.5)
    assert 2.0 * deviation == pytest.approx(expected, rel=0.2, abs=1.0)
    assert np.all(np.abs(profile[np.abs(COLUMNS[1:] - 64) > expected + 4.0]) < 4e-3)


def test_the_blur_is_no_larger_than_allowed(run_effect) -> None:
    picture = np.where(COLUMNS < 64, 1.0, 0.0)[None, :, None].repeat(SIZE[0], axis=0).repeat(3, axis=2)
    result = blurred(run_effect, picture, depth_of(50.0, CAMERA, SIZE), focus=2.0, aperture=5.0, largest=0.04)
    touched = np.flatnonzero((result[48, :, 0] > 0.01) & (result[48, :, 0] < 0.99))
    assert touched.max() - touched.min() <= 2 * 0.04 * SIZE[0] + 6


def side_by_side(left: float, right: float) -> np.ndarray:
    return depth_of(np.where(COLUMNS < 64, left, right)[None, :].repeat(SIZE[0], axis=0), CAMERA)


def test_a_blurred_background_stays_behind_a_sharp_edge(run_effect) -> None:
    picture = np.zeros((*SIZE, 3))
    picture[:, 64:] = 10.0
    result = blurred(run_effect, picture, side_by_side(5.0, 40.0), focus=5.0, aperture=0.8, largest=0.08)
    assert np.abs(result[:, :64]).max() < 0.01, "nothing of the bright background on the object"
    assert np.all(result[8:-8, 70:] > 9.9), "and nothing of the object in the background"


def test_a_blurred_foreground_spreads_over_a_sharp_background(run_effect) -> None:
    picture = np.zeros((*SIZE, 3))
    picture[:, :64] = 1.0
    result = blurred(run_effect, picture, side_by_side(2.2, 6.0), focus=6.0, aperture=0.6, largest=0.08)
    row = result[48, :, 0]
    spread = radius(2.2, 6.0, 0.6)
    assert 5.0 < spread < 8.0
    assert row[64] > 0.3
    assert np.all(np.diff(row[64:80]) <= 0.02), "it fades out"
    assert row[int(64 + spread / 2)] > 0.05
    assert np.all(row[int(64 + spread + 5) :] < 0.01)
    assert row[40] == pytest.approx(1.0, abs=0.01)
    inside = [row[int(64 - share * spread)] for share in (0.0, 0.3, 0.6)]
    assert inside == pytest.approx([0.5, 0.69, 0.86], abs=0.1), "what it hides is seen through its edge"


def test_an_even_picture_keeps_its_light_at_any_depth(run_effect) -> None:
    random = np.random.default_rng(8)
    depth = np.kron(depth_of(random.uniform(1.0, 30.0, (12, 16)), CAMERA), np.ones((8, 8), np.float32))
    result = blurred(run_effect, np.full((*SIZE, 3), 2.5), depth, focus=6.0, aperture=0.5)
    assert np.allclose(result, 2.5, rtol=4e-3)


LAMP = (slice(47, 50), slice(63, 66))


def lamp() -> np.ndarray:
    """A small, very bright lamp in the middle of a dim picture."""
    picture = np.full((*SIZE, 3), 0.1)
    picture[LAMP] = 50.0
    return picture


def test_a_blurred_lamp_keeps_its_light(run_effect) -> None:
    settings = {"focus": 5.0, "aperture": 0.8, "largest": 0.08, "taps": 128}
    result = blurred(run_effect, lamp(), depth_of(40.0, CAMERA, SIZE), **settings)
    assert radius(40.0, 5.0, 0.8) > 5.0
    assert result.max() < 25.0, "it is blurred"
    assert (result - 0.1).sum() == pytest.approx((lamp() - 0.1).sum(), rel=0.1)


@pytest.mark.parametrize("distance", [5.0, 5.15, 4.85])
def test_a_sharp_lamp_does_not_glow_on_a_blurred_background(run_effect, distance: float) -> None:
    """Also if it is not quite sharp, by less than half a texel."""
    depth = depth_of(40.0, CAMERA, SIZE)
    depth[LAMP] = depth_of(distance, CAMERA)
    assert radius(distance, 5.0, 0.4) < 0.3
    result = blurred(run_effect, lamp(), depth, focus=5.0, aperture=0.4, largest=0.08)
    beside = np.ones(SIZE, bool)
    beside[45:52, 61:68] = False
    assert result[beside].max() < 0.12
    assert result[LAMP].min() > 45.0


def test_a_sharp_lamp_does_not_glow_on_the_blurred_edge_before_it(run_effect) -> None:
    """Even if lamp and edge share a texel of the half picture."""
    edge = 63
    picture = np.where(edge > COLUMNS, 0.1, 50.0)[None, :, None].repeat(SIZE[0], axis=0).repeat(3, axis=2)
    depth = depth_of(np.where(edge > COLUMNS, 4.0, 5.0)[None, :].repeat(SIZE[0], axis=0), CAMERA)
    blur = radius(4.0, 5.0, 1.0)
    assert 1.5 < blur < 2.5
    row = blurred(run_effect, picture, depth, focus=5.0, aperture=1.0)[48, :, 0]
    assert row[: int(edge - blur - 2)].max() < 0.11
