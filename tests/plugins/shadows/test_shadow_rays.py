"""Shadows beside rays on the CPU: none in corners, sharp at their casters, as wide as the light's size makes them."""

from __future__ import annotations

import numpy as np
import pytest
from pyglm import glm

from benchmarks.quality.play import Settings
from benchmarks.quality.ray_scene import Shapes
from benchmarks.quality.ray_shadows import CORNERS, EDGES, Contact, LitScene, lit, ray_reference
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

EXTENT = (112, 63)
RAYS = 64
FILTERS: tuple[Settings, ...] = ({"edges": "pcf"}, {"edges": "pcss"})


class WideSun(Contact):
    """Narrow and low casters, and a sun whose light passes around them."""

    size = 0.08


class LowCasters(Contact):
    """A slab and a ball, as low as a few texels of the map."""

    shapes = Shapes(
        boxes=(((-0.1, 0.0, -0.1), (0.1, 0.05, 0.1)),),
        balls=(((0.25, 0.05, 0.2), 0.05),),
    )
    place, aim, fov = glm.vec3(-0.15, 0.9, 0.5), glm.vec3(-0.05, 0.0, 0.05), 0.8


def shade(game: type[LitScene], backend: VulkanBackend, settings: Settings) -> float:
    """The light that shadows take, as a share of what the reference's shadows take."""
    bare, seen = (lit(game, backend, EXTENT, one) for one in (None, game.sized(settings)))
    right = ray_reference(game, backend, EXTENT, RAYS)
    return float((bare - seen).sum() / (bare - right).sum())


@pytest.mark.parametrize("edges", FILTERS)
@pytest.mark.parametrize("game", [game for games in CORNERS.values() for game in games])
def test_surfaces_that_meet_do_not_shade_each_other(
    backend: VulkanBackend, game: type[LitScene], edges: Settings
) -> None:
    bare, seen = (lit(game, backend, EXTENT, one) for one in (None, game.sized(edges)))
    assert seen.mean() == pytest.approx(bare.mean(), rel=0.001)


@pytest.mark.parametrize("game", EDGES.values(), ids=EDGES)
def test_pcss_is_nearer_to_a_small_light_than_pcf(backend: VulkanBackend, game: type[LitScene]) -> None:
    """Sharp at the casters, where the penumbra is narrower than the disk of PCF, and wider far from them."""
    right = ray_reference(game, backend, EXTENT, RAYS)
    even, soft = (np.abs(lit(game, backend, EXTENT, game.sized(edges)) - right).mean() for edges in FILTERS)
    assert soft < 0.65 * even


def test_the_radius_of_pcf_does_not_limit_pcss(backend: VulkanBackend) -> None:
    narrow, wide = (lit(Contact, backend, EXTENT, {"edges": "pcss", "softness": one}) for one in ("0.5", "8"))
    assert np.array_equal(narrow, wide)


def test_narrow_casters_keep_their_shadows_in_a_wide_search(backend: VulkanBackend) -> None:
    assert shade(WideSun, backend, {"edges": "pcss"}) == pytest.approx(1.0, abs=0.06)


@pytest.mark.parametrize("edges", FILTERS)
def test_low_casters_keep_their_shadows(backend: VulkanBackend, edges: Settings) -> None:
    """A caster of a few texels looks like a corner, but hides the light."""
    assert shade(LowCasters, backend, edges) == pytest.approx(1.0, abs=0.2)
