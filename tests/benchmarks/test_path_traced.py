"""The scenes of the path tracer: each has its reference, and what is measured is in it and not in the plain one."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.quality.effects.path_traced import BOUNDS, EXTENT, seen
from benchmarks.quality.path_scenes import GlassAndLeaves, PathScene, leaf
from benchmarks.quality.path_tracer import SCENES, cut_out, kept_reference
from renderwright.engine.scene import Material
from renderwright.engine.scene.primitives import plane
from renderwright.render.backend.vulkan.backend import VulkanBackend


@pytest.mark.parametrize("name", SCENES)
def test_each_scene_has_a_reference_and_a_bound(name: str) -> None:
    light = kept_reference(name)
    assert light.shape == (EXTENT[1], EXTENT[0], 3)
    assert np.isfinite(light).all()
    assert light.std() > 0.0
    assert set(BOUNDS) == set(SCENES)


def test_a_mask_is_cut_out_of_a_square() -> None:
    material = Material(base_color_image=leaf(32), alpha_mode="mask")
    cut = cut_out(plane(2.0, 2.0), material)
    share = (leaf(32).pixels[..., 3] > 127).mean()
    assert cut.triangle_count == pytest.approx(2 * 32 * 32 * share, rel=0.1)  # cells of two triangles
    corners = cut.positions[cut.indices]
    assert np.abs(corners[:, 0]).max() < 1.0
    assert np.abs(corners[:, 1]).max() < 1e-6


@pytest.mark.vulkan
def test_the_light_of_a_scene_is_that_of_its_reference(backend: VulkanBackend) -> None:
    right = kept_reference("glass_and_leaves")
    plain: type[PathScene] = type("Plain", (GlassAndLeaves,), {"plain": True})
    errors = [float(np.abs(seen(game, backend) - right).mean() / right.mean()) for game in (GlassAndLeaves, plain)]
    assert errors[0] < 0.06
    assert errors[0] < 0.5 * errors[1]
