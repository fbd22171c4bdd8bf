"""Fog hides what its density along the ray says, and scatters what its phase function says."""

from __future__ import annotations

import numpy as np
import pytest
from effect_scenes import depth_of, lights, rays, view
from pyglm import glm

import renderwright.plugins.fog as fog

pytestmark = pytest.mark.vulkan

SIZE = (24, 32)
WHITE = np.full((*SIZE, 3), 4.0, np.float32)


def fogged(run_effect, distance: float, camera=None, light=None, picture=WHITE, **settings) -> np.ndarray:
    camera = camera or view(SIZE)
    inputs = {"source": picture, "depth": depth_of(distance, camera, SIZE), "camera": camera}
    return run_effect(fog, fog.FogSettings(**settings), "veil", lights=light or lights(), **inputs)


def hidden_share(run_effect, distance: float, camera=None, **settings) -> np.ndarray:
    """What is lost of a white picture in a fog that scatters nothing."""
    return 1.0 - fogged(run_effect, distance, camera, color=(0.0, 0.0, 0.0), **settings)[..., 0] / 4.0


def lengths(camera, distance: float) -> np.ndarray:
    """Metres along each ray to a plane at a distance along the viewing axis."""
    return distance / -rays(camera, SIZE)[..., 2]


def test_even_fog_follows_beer_and_lambert(run_effect) -> None:
    camera = view(SIZE)
    hidden = hidden_share(run_effect, 12.0, density=0.08, falloff=0.0)
    assert np.allclose(hidden, 1.0 - np.exp(-0.08 * lengths(camera, 12.0)), atol=2e-3)


@pytest.mark.parametrize("eye", [-3.0, 0.0, 6.0])
def test_height_fog_is_the_integral_along_the_ray(run_effect, eye: float) -> None:
    camera = view(SIZE, glm.vec3(0.0, eye, 0.0))
    hidden = hidden_share(run_effect, 15.0, camera, density=0.06, falloff=0.5, height=1.0)
    along = (np.arange(4000) + 0.5) / 4000
    length = lengths(camera, 15.0)
    up = rays(camera, SIZE)[..., 1]
    heights = eye + (up * length)[..., None] * along
    passed = 0.06 * np.exp(-0.5 * (heights - 1.0)).mean(axis=-1) * length
    assert np.allclose(hidden, 1.0 - np.exp(-passed), atol=2e-3)
    assert np.ptp(hidden) > 0.1


def test_it_starts_where_it_is_told_and_hides_no_more_than_it_may(run_effect) -> None:
    camera = view(SIZE)
    hidden = hidden_share(run_effect, 12.0, density=0.08, falloff=0.0, start=5.0)
    assert np.allclose(hidden, 1.0 - np.exp(-0.08 * (lengths(camera, 12.0) - 5.0)), atol=2e-3)
    assert np.array_equal(fogged(run_effect, 4.0, falloff=0.0, start=100.0), WHITE)
    assert hidden_share(run_effect, 1000.0, density=1.0, falloff=0.0, opacity=0.6) == pytest.approx(0.6, abs=2e-3)


def test_the_sky_is_as_far_as_the_reach(run_effect) -> None:
    sky = hidden_share(run_effect, np.inf, density=0.001, falloff=0.0, reach=500.0)
    assert np.allclose(sky, 1.0 - np.exp(-0.5), atol=2e-3)
    high = hidden_share(run_effect, np.inf, density=0.02, falloff=0.5)
    assert high[0].max() < 0.3 < high[-1].min(), "one sees out of low fog upwards, not downwards"


def test_thick_fog_has_the_colour_of_the_horizon_and_a_glow_around_the_sun(run_effect) -> None:
    light = lights(2.5)
    opaque = {"density": 1.0, "falloff": 0.0, "color": (1.0, 0.5, 0.25)}
    without = fogged(run_effect, 1000.0, light=light, sun=0.0, **opaque)
    assert np.allclose(without, np.array(light.horizon) * (1.0, 0.5, 0.25), rtol=2e-3)
    found = fogged(run_effect, 1000.0, light=light, glow=0.6, **opaque) - without
    cosine = rays(view(SIZE), SIZE) @ -np.array(light.sun_direction)
    phase = (1 - 0.6**2) / (4 * np.pi * (1 + 0.6**2 - 2 * 0.6 * cosine) ** 1.5)
    expected = phase[..., None] * np.array(light.sun_radiance) * (1.0, 0.5, 0.25)
    assert np.allclose(found, expected, rtol=5e-3, atol=2e-3)


def test_without_density_nothing_changes(run_effect) -> None:
    picture = np.random.default_rng(2).uniform(0, 9, (*SIZE, 3)).astype(np.float16).astype(np.float32)
    assert np.array_equal(fogged(run_effect, 50.0, picture=picture, density=0.0), picture)
