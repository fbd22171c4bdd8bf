"""Thin things occlude as much as rays say: light passes behind them. Solid things still occlude what is behind them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from occlusion_nodes import occlusion
from occlusion_reference import Box, Point, Seen, look, visibility

from renderwright.plugins.ssao.settings import SsaoSettings
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

RADIUS, RAYS = 0.5, 196
SIZE = (192, 128)
WALL: Box = ((-3.0, 0.0, -1.2), (3.0, 2.0, -1.0))
POST: Box = ((-0.03, 0.0, -0.8), (0.03, 3.0, -0.74))
FAR_POST: Box = ((0.0, 0.0, 0.0), (0.06, 3.0, 0.06))
COLUMN: Box = ((-0.4, 0.0, -0.8), (0.4, 3.0, -0.4))
CORRIDOR: Box = ((0.5, 0.0, -9.0), (0.7, 3.0, 3.0))
EYE, AIM = (0.3, 1.2, 1.4), (0.0, 0.5, -0.8)


@dataclass(frozen=True)
class Compared:
    """Visibility from 0 to 1 of some texels, by rays and by the plugin."""

    right: np.ndarray
    found: np.ndarray

    @property
    def error(self) -> float:
        return float(np.abs(self.found - self.right).mean())

    @property
    def brighter(self) -> float:
        return float((self.found - self.right).mean())


def seen(*boxes: Box, eye: Point = EYE, aim: Point = AIM) -> Seen:
    return look(SIZE, boxes, eye, aim)


def compare(backend: VulkanBackend, seen: Seen, chosen: np.ndarray, quality: str = "half") -> Compared:
    assert chosen.sum() > 50
    right = visibility(seen.position[chosen], seen.normal[chosen], RADIUS, RAYS, seen.boxes)
    found = occlusion(seen, SsaoSettings(radius=RADIUS, quality=quality), backend)[..., 3]
    return Compared(right, found[chosen])


def on_the_wall(seen: Seen, low: float, high: float, middle: float = 0.0, wide: float = 0.3) -> np.ndarray:
    """Texels of the wall between two heights, near a vertical line."""
    x, y, z = (seen.position[..., axis] for axis in range(3))
    return (np.abs(x - middle) < wide) & (low < y) & (y < high) & (np.abs(z + 1.0) < 1e-6)


@pytest.mark.parametrize("quality", ["half", "full"])
def test_a_thin_post_has_no_halo_on_the_wall_behind_it(backend: VulkanBackend, quality: str) -> None:
    view = seen(WALL, POST)
    halo = compare(backend, view, on_the_wall(view, 0.5, 1.2), quality)
    assert 0.9 < halo.right.mean() < 0.98, "the post hides little of the sky"
    assert halo.error < 0.03
    assert abs(halo.brighter) < 0.02


@pytest.mark.parametrize("quality", ["half", "full"])
def test_a_corner_keeps_its_contact_behind_a_post_that_is_out_of_reach(backend: VulkanBackend, quality: str) -> None:
    view = seen(WALL, FAR_POST)
    corner = compare(backend, view, on_the_wall(view, 0.0, 0.3, middle=-0.18, wide=0.2), quality)
    assert corner.right.min() < 0.65, "the corner is dark"
    assert corner.brighter < 0.022
    assert corner.error < 0.035


def test_a_column_hides_as_much_as_rays_say(backend: VulkanBackend) -> None:
    view = seen(WALL, COLUMN, eye=(2.0, 1.2, 2.0))
    x, y, z = (view.position[..., axis] for axis in range(3))
    beside = (x > -0.9) & (x < 0.9) & (y > 0.5) & (y < 1.2) & (np.abs(z + 1.0) < 1e-6)
    dark = compare(backend, view, beside)
    assert dark.right.min() < 0.75
    assert dark.error < 0.08
    assert dark.brighter < 0.01


def test_a_wall_along_the_view_hides_all_that_is_behind_it(backend: VulkanBackend) -> None:
    """Its depth jumps from sample to sample as that of a post does, but it does not end."""
    view = seen(CORRIDOR, eye=(-0.1, 1.0, 3.0), aim=(0.1, 0.3, -2.0))
    x, y, z = (view.position[..., axis] for axis in range(3))
    foot = (np.abs(y) < 1e-6) & (x > 0.3) & (z > -1.5) & (z < 1.5)
    corner = compare(backend, view, foot)
    assert corner.right.mean() < 0.75
    assert corner.error < 0.05
