"""Ambient occlusion against rays cast on the CPU, for a box on a plane."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from occlusion_nodes import occlusion
from occlusion_reference import Seen, look, visibility

from renderwright.plugins.ssao.settings import SsaoSettings
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

RADIUS = 0.5


@dataclass(frozen=True)
class Truth:
    """The scene as seen, and the visibility of the texels in ``chosen``."""

    seen: Seen
    chosen: np.ndarray
    visibility: np.ndarray


@pytest.fixture(scope="module")
def truth() -> Truth:
    seen = look((192, 128))
    chosen = np.zeros(seen.depth.shape, bool)
    chosen[::3, ::3] = True
    chosen &= seen.depth > 0.0
    return Truth(seen, chosen, visibility(seen.position[chosen], seen.normal[chosen], RADIUS, 256))


@pytest.mark.parametrize("normals", [True, False], ids=["with normals", "without normals"])
@pytest.mark.parametrize("quality", ["half", "full"])
def test_it_is_what_rays_say(truth: Truth, backend: VulkanBackend, quality: str, normals: bool) -> None:
    settings = SsaoSettings(radius=RADIUS, quality=quality)
    found = occlusion(truth.seen, settings, backend, normals=normals)[..., 3]
    error = found[truth.chosen] - truth.visibility
    assert truth.visibility.min() < 0.6, "the corner is dark"
    assert abs(error.mean()) < 0.004
    assert np.abs(error).mean() < 0.01
    assert np.quantile(np.abs(error), 0.95) < 0.05


@pytest.mark.parametrize("quality", ["half", "full"])
def test_dark_corners_are_as_dark_as_rays_say(truth: Truth, backend: VulkanBackend, quality: str) -> None:
    """Rays below the horizon meet what is nearer than the horizon, and so hides more."""
    found = occlusion(truth.seen, SsaoSettings(radius=RADIUS, quality=quality), backend)[..., 3]
    error = (found[truth.chosen] - truth.visibility)[truth.visibility < 0.85]
    assert len(error) > 30
    assert abs(error.mean()) < 0.03
    assert np.abs(error).mean() < 0.05


def test_open_ground_is_open_and_the_sky_too(truth: Truth, backend: VulkanBackend) -> None:
    """A bare plane has no occluders, also where it is seen at a low angle and only a few texels lie in the radius."""
    found = occlusion(truth.seen, SsaoSettings(radius=RADIUS), backend)
    sky = truth.seen.depth == 0.0
    assert np.all(found[sky] == 1.0)
    position = truth.seen.position
    far = ~sky & (np.abs(position[..., [0, 2]]).max(axis=-1) > 0.6 + 2.5 * RADIUS)
    assert far.sum() > 1000
    assert found[far].min() > 0.95
    assert found[far].mean() > 0.995


def test_intensity_is_an_exponent(truth: Truth, backend: VulkanBackend) -> None:
    once, twice, off = (
        occlusion(truth.seen, SsaoSettings(radius=RADIUS, intensity=value), backend)[..., 3] for value in (1, 2, 0)
    )
    assert np.abs(twice - once**2).max() < 0.01
    assert np.all(off == 1.0)


def test_bounces_brighten_the_corners_of_bright_surfaces(truth: Truth, backend: VulkanBackend) -> None:
    settings = SsaoSettings(radius=RADIUS)
    bright, dark = (occlusion(truth.seen, settings, backend, albedo=value) for value in (0.9, 0.05))
    corner = dark[..., 3] < 0.7
    assert corner.sum() > 50
    assert np.array_equal(bright[..., 3], dark[..., 3])
    assert (bright[corner, 0] - bright[corner, 3]).min() > 0.1
    assert np.abs(dark[corner, 0] - dark[corner, 3]).max() < 0.03
    assert np.all(bright[..., 0] >= bright[..., 3])


def test_a_wider_radius_darkens_more(truth: Truth, backend: VulkanBackend) -> None:
    near, far = (occlusion(truth.seen, SsaoSettings(radius=radius), backend)[..., 3].mean() for radius in (0.3, 0.8))
    assert far < near - 0.002
