"""The sky gradient filtered for rough surfaces is its mean over the lobe."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from benchmarks.quality.ball_in_environment import Surface, integrated, rendered, seen_points
from renderwright.engine.renderer import sky_table
from renderwright.engine.scene import Panorama, Sky
from renderwright.render.backend.vulkan.backend import VulkanBackend

LIGHTS = Path(sky_table.__file__).parent / "glsl" / "lights.glsl"


def table(sky: Sky) -> np.ndarray:
    return sky_table.sky_table(sky).reshape(sky_table.ROUGHNESSES, sky_table.HEIGHTS, 4)[..., :3]


def test_the_shader_reads_the_table_that_there_is() -> None:
    sizes = {name: int(value) for name, value in re.findall(r"const int SKY_(\w+) = (\d+);", LIGHTS.read_text())}
    assert sizes == {"ROUGHNESSES": sky_table.ROUGHNESSES, "HEIGHTS": sky_table.HEIGHTS}


def test_rough_surfaces_see_a_smoother_horizon() -> None:
    """Between looking a little down and a little up, the smoother surface sees the larger difference."""
    middle = sky_table.HEIGHTS // 2
    steps = table(Sky())[:, middle + 2, 0] - table(Sky())[:, middle - 2, 0]
    assert np.all(steps > 0.0)
    assert np.all(np.diff(steps) < 0.0)


def test_the_roughest_surface_sees_the_mean_by_cosine() -> None:
    """Straight up: the integral of 2 y (horizon + (zenith - horizon) y ^ 0.55) from 0 to 1, without the soft step."""
    up = table(Sky((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))[-1, -1]
    assert up == pytest.approx([2.0 / 2.55, 1.0 - 2.0 / 2.55, 0.0], abs=0.005)


def test_the_table_scales_with_the_intensity() -> None:
    assert table(Sky(intensity=3.0)) == pytest.approx(3.0 * table(Sky()), rel=1e-5)


@pytest.mark.vulkan
@pytest.mark.parametrize("roughness", [0.3, 0.5, 0.8])
@pytest.mark.parametrize("metallic", [0.0, 1.0])
def test_a_ball_under_the_sky_is_near_the_integral(backend: VulkanBackend, metallic: float, roughness: float) -> None:
    surface, sky = Surface((0.9, 0.75, 0.5), metallic, roughness), Sky()
    shown, normals, eyes = seen_points(12)
    right = integrated(surface, Panorama.of_sky(sky), normals, eyes)
    seen = rendered(surface, sky, backend, 12)[shown]
    assert np.abs(seen - right).mean() < 0.05 * right.mean()
