"""Lamps in the air: halos are what a march along each ray says, by clusters or without."""

from __future__ import annotations

from contextlib import closing

import numpy as np
import pytest
from effect_scenes import depth_of, rays, view
from playing import frames_of
from pyglm import glm
from view_scenes import Company, session_of

import renderwright.plugins.volumetric_fog as volumetric_fog
from renderwright.engine.game import Game, GameContext
from renderwright.engine.renderer.blobs import LightSet
from renderwright.engine.scene import Light, PointLight, RectangleLight, Sky, SpotLight
from renderwright.engine.scene.scene import Scene
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

SIZE = (144, 256)
DENSITY, GLOW, FAR, STEPS = 0.05, 0.3, 16.0, 1000
EVERY = 3
"""One ray is marched for so many texels each way: halos change little from one to the next."""
PLACE = np.array([1.0, 0.5, -6.0])


def marched(intensity, radius: float) -> np.ndarray:
    """The light of a lamp at ``PLACE``; ``intensity`` is of unit vectors away from it."""
    to = rays(view(SIZE), SIZE)[::EVERY, ::EVERY]
    length = FAR / -to[..., 2]
    light, passed = np.zeros_like(length), np.ones_like(length)
    for step in range(STEPS):
        before, after = (((step + end) / STEPS) * length for end in (0, 1))
        way = PLACE - to * (0.5 * (before + after))[..., None]
        away = np.linalg.norm(way, axis=-1)
        towards = way / away[..., None]
        cosine = np.sum(to * towards, axis=-1)
        phase = (1 - GLOW**2) / (4 * np.pi * (1 + GLOW**2 - 2 * GLOW * cosine) ** 1.5)
        window = np.clip(1.0 - (away / radius) ** 4, 0.0, 1.0) ** 2
        hidden = 1.0 - np.exp(-DENSITY * (after - before))
        light += passed * hidden * phase * window * intensity(-towards) / np.maximum(away**2, 0.01)
        passed *= 1.0 - hidden
    return light


def rendered(run_effect, lamp: Light) -> np.ndarray:
    scene = Scene()
    scene.sun, scene.sky = None, Sky(intensity=0.0)
    scene.add_light(lamp)
    camera = view(SIZE)
    inputs = {"source": np.zeros((*SIZE, 3), np.float32), "depth": depth_of(FAR, camera, SIZE), "camera": camera}
    own = volumetric_fog.VolumetricFogSettings(density=DENSITY, falloff=0.0, glow=GLOW, range=25.0, detail=1.0)
    return run_effect(volumetric_fog, own, "veil", lights=LightSet.of(scene), **inputs)[..., 0]


def cone(outward: np.ndarray) -> np.ndarray:
    share = np.clip((-outward[..., 1] - np.cos(0.6)) / (np.cos(0.3) - np.cos(0.6)), 0.0, 1.0)
    return 40.0 * share**2 * (3.0 - 2.0 * share)


# The last is the bound of the mean error: a cone's edge is as sharp as a froxel.
LAMPS = {
    "point": (PointLight(glm.vec3(*PLACE), (1, 1, 1), 40.0, 8.0), lambda outward: 40.0, 0.05),
    "spot": (SpotLight(glm.vec3(*PLACE), glm.vec3(0, -1, 0), (1, 1, 1), 40.0, 8.0, 0.3, 0.6), cone, 0.25),
    "rectangle": (
        RectangleLight(glm.vec3(*PLACE), glm.vec3(0, 0, 1), width=0.2, height=0.2, intensity=1000.0, radius=8.0),
        lambda outward: 40.0 * np.maximum(outward[..., 2], 0.0),
        0.05,
    ),
}


@pytest.mark.parametrize("kind", LAMPS)
def test_a_halo_is_what_a_march_along_each_ray_says(run_effect, kind: str) -> None:
    lamp, intensity, bound = LAMPS[kind]
    ours, right = rendered(run_effect, lamp)[::EVERY, ::EVERY], marched(intensity, 8.0)
    assert right.max() > 0.1
    assert np.abs(ours - right).mean() < bound * right.mean()
    assert ours.mean() == pytest.approx(right.mean(), rel=0.1)


class Lanterns(Company):
    """The company in the dark, with as many lamps as the uniform block has, and ``more`` far away."""

    plugins = ("tonemap", "volumetric_fog")
    more = 0

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        scene = context.scene
        scene.sun, scene.sky = None, Sky(intensity=0.01)
        for number in range(15):
            place = glm.vec3(number % 5 - 2.0, 0.5, number // 5 - 1.0)
            scene.add_light(PointLight(place, (1.0, 0.2 * (number % 5), 0.3), 0.5, 2.5))
        for _ in range(self.more):
            scene.add_light(PointLight(glm.vec3(0, 500, 0), radius=1.0))


class ClusteredLanterns(Lanterns):
    """More than the uniform block has."""

    more = 1


def test_clusters_light_the_air_as_a_loop_over_all_lamps_does(backend: VulkanBackend) -> None:
    def shown(game: type[Game], **settings: str) -> np.ndarray:
        settings = {"volumetric_fog.density": "0.1", "volumetric_fog.samples": "8", **settings}
        with closing(session_of(backend, (96, 54), game=game, **settings)) as session:
            return frames_of(session, 2)[-1][..., :3].astype(int)

    few, clustered = shown(Lanterns), shown(ClusteredLanterns)
    dark = shown(Lanterns, **{"volumetric_fog.lamps": "0"})
    assert (few - dark).mean() > 5
    assert np.abs(few - clustered).max() <= 2
