"""Light from rectangles is that of a numerical integration of the same surface model."""

from __future__ import annotations

import numpy as np
import pytest
from pyglm import glm

from benchmarks.quality.rectangle_light import BACK, PANEL, SUNKEN, Floor, deviation, lit_floor
from renderwright.engine.renderer.lights.area_fit import area_table, fitted
from renderwright.engine.scene import RectangleLight
from renderwright.render.backend.vulkan.backend import VulkanBackend


@pytest.mark.vulkan
@pytest.mark.parametrize(
    ("light", "bias", "mean", "cells"),
    [(PANEL, 0.035, 0.08, 40), (BACK, 0.035, 0.09, 40), (SUNKEN, 0.12, 0.13, 96)],
    ids=["panel", "two sides", "half below the floor"],
)
@pytest.mark.parametrize(
    "floor",
    [Floor(0.5, 0.0, 0.9), Floor(0.5, 0.0, 0.4), Floor(0.7, 1.0, 0.6), Floor(0.7, 1.0, 0.3)],
    ids=["rough", "smooth", "rough metal", "smooth metal"],
)
def test_a_floor_has_the_light_of_an_integral(
    backend: VulkanBackend, floor: Floor, light: RectangleLight, bias: float, mean: float, cells: int
) -> None:
    """Light that grazes the floor differs most: Fresnel's factor is that of the mean direction of the lobe.

    Finer cells change the integral by a thousandth at most; of a light that touches the floor they have to be small.
    """
    off = deviation(backend, floor, light, cells)
    assert off.bias < bias
    assert off.mean < mean


@pytest.mark.vulkan
def test_both_skeletons_show_the_same(backend: VulkanBackend) -> None:
    floor = Floor(0.5, 0.0, 0.5)
    deferred, forward = (lit_floor(backend, floor, PANEL, skeleton) for skeleton in ("deferred", "forward"))
    assert np.allclose(deferred, forward, rtol=2e-2, atol=2e-3)


def test_the_table_has_the_fits_of_its_cells() -> None:
    table = area_table()
    assert np.isfinite(table).all()
    for row, column in ((0, 0), (3, 17), (20, 9), (31, 31)):
        cell = fitted(np.array([column / 31]), np.array([1.0 - (row / 31) ** 2]))[0]
        assert np.allclose(table[row, column], cell, rtol=1e-4, atol=1e-5)


def test_a_surface_of_roughness_1_seen_from_above_needs_hardly_a_transformation() -> None:
    a, b, c, d = fitted(np.array([1.0]), np.array([1.0]))[0]
    assert (a, b, c) == pytest.approx((1.0, 0.0, 0.0), abs=0.02)
    assert d == pytest.approx(1.15, abs=0.1)


def test_the_sides_of_a_rectangle_face_its_direction() -> None:
    right, up = RectangleLight(direction=glm.vec3(0, 0, -2), up=glm.vec3(0.3, 3, 0), width=4.0).half_sides()
    assert glm.length(right) == pytest.approx(2.0)
    assert glm.normalize(glm.cross(up, right)) == glm.vec3(0, 0, -1)
    straight = RectangleLight(direction=glm.vec3(0, 5, 0), up=glm.vec3(0, 1, 0)).half_sides()
    assert glm.length(straight[0]) == pytest.approx(0.5), "any up will do along the direction"
