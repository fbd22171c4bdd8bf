"""Fog against the integral of its density along each ray, on the CPU."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from pyglm import glm

from benchmarks.quality.play import chosen, played
from benchmarks.quality.ray_scene import Doubles, RayScene, cast, eye_rays
from benchmarks.quality.row import Row, compared
from renderwright.engine.game import GameContext
from renderwright.engine.scene import DirectionalLight, Sky
from renderwright.render.backend.protocol import Backend
from renderwright.render.types.resources import Extent

EXTENT: Extent = (160, 90)
DENSITY, FALLOFF, HEIGHT, REACH, GLOW = 0.12, 0.5, 0.5, 2000.0, 0.6
STEPS = 2000
SUN, SUN_LIGHT, AIR_LIGHT = (0.35, -0.3, 1.0), 0.8, 0.25
EXACT = 0.005
"""Bound of FLIP for an effect that evaluates the same formula as the reference."""


class FoggyScene(RayScene):
    """A low view towards the sun."""

    place, aim, fov = glm.vec3(1.9, 1.0, 4.4), glm.vec3(0.1, 0.75, 0.0), 0.9

    def setup(self, context: GameContext) -> None:
        """Build the scene."""
        super().setup(context)
        context.scene.sky = Sky((AIR_LIGHT,) * 3, (AIR_LIGHT,) * 3, (AIR_LIGHT,) * 3)
        context.scene.sun = DirectionalLight(glm.vec3(*SUN), intensity=SUN_LIGHT)


def rows(backend: Backend) -> Iterator[Row]:
    """The row of fog."""
    settings = {"density": DENSITY, "falloff": FALLOFF, "height": HEIGHT, "reach": REACH, "glow": GLOW}
    with played(FoggyScene, backend, EXTENT) as play:
        bare = play.picture()
    choice = chosen(["fog"], fog={key: str(value) for key, value in settings.items()})
    with played(FoggyScene, backend, EXTENT, choice) as play:
        with_it = play.picture()
    hidden, scattered = veil()
    right = (bare * (1.0 - hidden[..., None]) + (hidden * scattered)[..., None]).astype(np.float32)
    yield compared("fog", f"the integral, {STEPS} steps a ray", right, bare, with_it, most=EXACT)


def veil() -> tuple[Doubles, Doubles]:
    """The opacity of the fog, and the light that dense fog scatters."""
    origin, rays = eye_rays(FoggyScene, EXTENT)
    flat = rays.reshape(-1, 3)
    length = np.minimum(cast(np.broadcast_to(origin, flat.shape), flat).distance, REACH)
    up = flat[:, 1] * length
    passed = np.zeros(len(flat))
    # Steps grow with distance (squares of uniform ones), because fog is thin above and rays are long.
    edges = (np.arange(STEPS + 1) / STEPS) ** 2
    for before, after in pairwise(edges.tolist()):
        height = origin[1] + up * 0.5 * (before + after)
        passed += DENSITY * np.exp(-FALLOFF * (height - HEIGHT)) * length * (after - before)
    cosine = flat @ (-np.array(SUN) / np.linalg.norm(SUN))
    phase = (1 - GLOW**2) / (4 * np.pi * (1 + GLOW**2 - 2 * GLOW * cosine) ** 1.5)
    return (1.0 - np.exp(-passed)).reshape(rays.shape[:2]), (AIR_LIGHT + SUN_LIGHT * phase).reshape(rays.shape[:2])
