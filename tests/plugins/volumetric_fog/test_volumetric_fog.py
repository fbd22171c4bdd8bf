"""Volumetric fog without shadows and lamps is the height fog whose integral has a closed form."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from effect_scenes import depth_of, lights, view
from pyglm import glm

import renderwright.plugins.fog as fog
import renderwright.plugins.volumetric_fog as volumetric_fog
from renderwright.engine.plugins import PluginGraph
from renderwright.engine.renderer.blobs import CameraView
from renderwright.engine.scene.camera import Camera

pytestmark = pytest.mark.vulkan

SIZE = (48, 80)
PICTURE = np.random.default_rng(4).uniform(0, 4, (*SIZE, 3)).astype(np.float16).astype(np.float32)
AIR = {"density": 0.06, "falloff": 0.4, "height": 1.0, "glow": 0.3, "color": (1.0, 0.5, 0.25), "reach": 500.0}


def both(run_effect, depth: np.ndarray, camera: CameraView, **settings) -> tuple[np.ndarray, np.ndarray]:
    """The picture in fog by the formula, and in volumetric fog."""
    inputs = {"source": PICTURE, "depth": depth, "camera": camera, "lights": lights()}
    right = run_effect(fog, fog.FogSettings(**AIR), "veil", **inputs)
    own = volumetric_fog.VolumetricFogSettings(**AIR, **settings)
    return right, run_effect(volumetric_fog, own, "veil", **inputs)


@pytest.mark.parametrize("eye", [-1.0, 6.0])
def test_it_is_the_integral_at_every_distance(run_effect, eye: float) -> None:
    camera = view(SIZE, glm.vec3(0.0, eye, 0.0))
    away = np.geomspace(0.2, 300.0, SIZE[1])[None, :].repeat(SIZE[0], axis=0)
    away[:, -4:] = np.inf
    right, ours = both(run_effect, depth_of(away, camera), camera, range=30.0, detail=1.0)
    assert np.abs(right - PICTURE).max() > 0.5
    assert np.allclose(ours, right, rtol=0.02, atol=0.01)


def test_it_is_so_along_parallel_rays(run_effect) -> None:
    flat = Camera(glm.vec3(0.0, 3.0, 0.0), glm.vec3(0.0, 1.0, -5.0), near=0.1, height=12.0, depth_range=40.0)
    camera = CameraView.of(flat, (SIZE[1], SIZE[0]), 0.0)
    depth = np.linspace(0.05, 0.95, SIZE[1], dtype=np.float32)[None, :].repeat(SIZE[0], axis=0)
    right, ours = both(run_effect, depth, camera, range=30.0, detail=1.0)
    assert np.abs(right - PICTURE).max() > 0.5
    assert np.allclose(ours, right, rtol=0.02, atol=0.01)


def test_a_picture_with_fewer_texels_than_froxels_has_columns_has_fog(run_effect) -> None:
    small = np.full((6, 10, 3), 1.0, np.float32)
    camera = view((6, 10))
    inputs = {"source": small, "depth": depth_of(9.0, camera, (6, 10)), "camera": camera, "lights": lights()}
    own = volumetric_fog.VolumetricFogSettings(density=0.5, falloff=0.0)
    ours = run_effect(volumetric_fog, own, "veil", **inputs)
    assert np.isfinite(ours).all()
    assert np.abs(ours - small).max() > 0.1


def test_without_density_there_are_no_nodes() -> None:
    graph = PluginGraph("volumetric_fog", Path())
    volumetric_fog.renderwright_nodes(graph, volumetric_fog.VolumetricFogSettings(density=0.0))
    assert not graph.close()
