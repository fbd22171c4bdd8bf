"""Volumetric fog against a march along each ray, with a ray to the sun from each step, on the CPU."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from pyglm import glm

from benchmarks.quality.play import chosen, played
from benchmarks.quality.ray_scene import Doubles, RayScene, Shapes, cast, eye_rays
from benchmarks.quality.row import Row, compared
from renderwright.engine.game import GameContext
from renderwright.engine.scene import DirectionalLight, Sky
from renderwright.render.backend.protocol import Backend
from renderwright.render.types.resources import Extent

EXTENT: Extent = (320, 180)
DENSITY, FALLOFF, HEIGHT, RANGE, GLOW = 0.08, 0.3, 0.5, 30.0, 0.4
STEPS = 200
DETAILS = {"volumetric_fog": 0.5, "volumetric_fog, detail 1": 1}
"""The plugin's default, and the finest."""
SUN, SUN_LIGHT, AIR_LIGHT = (0.8, -0.6, 0.5), 4.0, 0.06


class FenceScene(RayScene):
    """Air behind a fence, through which the sun shines from the side."""

    shapes = Shapes(boxes=tuple(((-2.2, 0.0, z), (-2.0, 3.0, z + 0.5)) for z in np.arange(-3.0, 2.5, 1.0).tolist()))
    place, aim, fov = glm.vec3(2.0, 1.2, 4.4), glm.vec3(-0.6, 1.0, 0.0), 0.9

    def setup(self, context: GameContext) -> None:
        """Build the scene."""
        super().setup(context)
        context.scene.sky = Sky((AIR_LIGHT,) * 3, (AIR_LIGHT,) * 3, (AIR_LIGHT,) * 3)
        context.scene.sun = DirectionalLight(glm.vec3(*SUN), intensity=SUN_LIGHT)


def rows(backend: Backend) -> Iterator[Row]:
    """A row for each detail."""
    air = {
        "density": DENSITY,
        "falloff": FALLOFF,
        "height": HEIGHT,
        "range": RANGE,
        "reach": RANGE,
        "glow": GLOW,
    }
    with played(FenceScene, backend, EXTENT, chosen(["shadows"])) as play:
        bare = play.picture()
    passed, light = marched()
    right = (bare * passed[..., None] + light[..., None]).astype(np.float32)
    for name, detail in DETAILS.items():
        settings = {key: str(value) for key, value in {**air, "detail": detail}.items()}
        choice = chosen(["shadows", "volumetric_fog"], volumetric_fog=settings)
        with played(FenceScene, backend, EXTENT, choice) as play:
            with_it = play.picture()
        yield compared(name, f"{STEPS} steps a ray, a ray to the sun from each", right, bare, with_it)


def marched() -> tuple[Doubles, Doubles]:
    """The share of each texel's light that the air lets through, and the light that the air adds."""
    origin, rays = eye_rays(FenceScene, EXTENT)
    flat = rays.reshape(-1, 3)
    length = np.minimum(cast(np.broadcast_to(origin, flat.shape), flat, FenceScene.shapes).distance, RANGE)
    towards = -np.array(SUN) / np.linalg.norm(SUN)
    cosine = flat @ towards
    phase = (1 - GLOW**2) / (4 * np.pi * (1 + GLOW**2 - 2 * GLOW * cosine) ** 1.5)
    passed, light = np.ones(len(flat)), np.zeros(len(flat))
    for before, after in pairwise(((np.arange(STEPS + 1) / STEPS) ** 2).tolist()):
        points = origin + flat * (length * 0.5 * (before + after))[:, None]
        depth = DENSITY * np.exp(-FALLOFF * (points[:, 1] - HEIGHT)) * length * (after - before)
        to_sun = np.broadcast_to(towards, points.shape)
        sunny = np.isinf(cast(points, to_sun, FenceScene.shapes).distance)
        light += passed * (1.0 - np.exp(-depth)) * (AIR_LIGHT + SUN_LIGHT * phase * sunny)
        passed *= np.exp(-depth)
    return passed.reshape(rays.shape[:2]), light.reshape(rays.shape[:2])
