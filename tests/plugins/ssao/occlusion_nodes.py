"""Ambient occlusion by the nodes of the plugin, without a frame."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from occlusion_reference import Seen

from renderwright.engine.renderer.nodes import GLSL
from renderwright.plugins import ssao
from renderwright.plugins.ssao.nodes import denoise, downsample, search, upsample
from renderwright.plugins.ssao.settings import SsaoSettings
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.testing import run_node

SHADERS = [Path(ssao.__file__).parent / "glsl", GLSL]


def occlusion(
    seen: Seen, settings: SsaoSettings, backend: VulkanBackend, *, normals: bool = True, albedo: float | None = None
) -> np.ndarray:
    """``ambient_occlusion`` from 0 to 1, (height, width, 4), by all nodes one after the other."""
    height, width = seen.depth.shape

    def run(node, name: str, inputs: dict, output: str) -> np.ndarray:
        return run_node(
            lambda reg: node(reg, settings),
            inputs,
            [output],
            name=f"ssao/{name}",
            size=(width, height),
            shader_paths=SHADERS,
            backend=backend,
        )[output]

    small = run(downsample, "downsample", {"depth": seen.depth}, "small_depth")
    inputs = {"small_depth": small, "depth": seen.depth, "camera": seen.camera}
    if normals:
        inputs["normal"] = seen.normal.astype(np.float32)
    noisy = run(search, "search", inputs, "noisy")
    smoothed = run(denoise, "denoise", {"noisy": noisy, "small_depth": small, "camera": seen.camera}, "smoothed")
    inputs = {"smoothed": smoothed, "small_depth": small, "depth": seen.depth, "camera": seen.camera}
    if albedo is not None:
        inputs["albedo"] = np.full((height, width, 3), albedo, np.float32)
    return run(upsample, "upsample", inputs, "ambient_occlusion").astype(np.float64) / 255.0
