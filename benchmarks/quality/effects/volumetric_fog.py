"""Volumetric fog against a march along each ray, with a ray to the sun from each step, on the CPU."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from pyglm import glm

from benchmarks.quality.flip import encoded
from benchmarks.quality.play import Floats, chosen, played
from benchmarks.quality.ray_scene import Doubles, RayScene, Shapes, cast, eye_rays
from benchmarks.quality.row import Row, compared
from renderwright.engine.game import GameContext
from renderwright.engine.scene import DirectionalLight, Sky
from renderwright.render.backend.protocol import Backend
from renderwright.render.types.resources import Extent

EXTENT: Extent = (320, 180)
FALLOFF, HEIGHT, GLOW = 0.3, 0.5, 0.4
FRAMES = 40
DETAILS = {"volumetric_fog": 0.5, "volumetric_fog, detail 1": 1}
"""The plugin's default, and the finest."""
SUN, SUN_LIGHT, AIR_LIGHT = (0.8, -0.6, 0.5), 4.0, 0.06


class FenceScene(RayScene):
    """Air behind a fence, through which the sun shines from the side."""

    shapes = Shapes(boxes=tuple(((-2.2, 0.0, z), (-2.0, 3.0, z + 0.5)) for z in np.arange(-3.0, 2.5, 1.0).tolist()))
    place, aim, fov = glm.vec3(2.0, 1.2, 4.4), glm.vec3(-0.6, 1.0, 0.0), 0.9
    density, range, steps = 0.08, 30.0, 200

    def setup(self, context: GameContext) -> None:
        """Build the scene."""
        super().setup(context)
        context.scene.sky = Sky((AIR_LIGHT,) * 3, (AIR_LIGHT,) * 3, (AIR_LIGHT,) * 3)
        context.scene.sun = DirectionalLight(glm.vec3(*SUN), intensity=SUN_LIGHT)


class AvenueScene(FenceScene):
    """A long fence beside the view, whose shafts are thinner than the slices that they cross far away."""

    shapes = Shapes(boxes=tuple(((-2.2, 0.0, z), (-2.0, 5.0, z + 0.7)) for z in np.arange(-40.0, 2.5, 1.4).tolist()))
    place, aim, fov = glm.vec3(1.0, 1.2, 4.4), glm.vec3(0.6, 1.2, -10.0), 0.9
    density, range, steps = 0.03, 60.0, 400


def rows(backend: Backend) -> Iterator[Row]:
    """A row for each detail, and those of many frames."""
    bare, right = references(backend, FenceScene)
    for name, detail in DETAILS.items():
        (with_it,) = pictures(backend, FenceScene, 1, detail=str(detail))
        yield compared(name, reference(FenceScene), right, bare, with_it)
    _, right = references(backend, AvenueScene)
    name = f"volumetric_fog, temporal, {FRAMES} frames"
    (one,), (four,) = (pictures(backend, AvenueScene, 1, samples=samples) for samples in ("1", "4"))
    *_, before, last = pictures(backend, AvenueScene, FRAMES, samples="1", temporal="true")
    default = compared("", "", right, one, four).with_it
    yield compared(name, reference(AvenueScene), right, one, last, most=default, share=1.0)
    change = float(np.abs(encoded(last) - encoded(before)).mean())
    yield Row(f"{name}: flicker", "the frame before", "mean change", None, change, 0.25 / 255, {})


def reference(scene: type[FenceScene]) -> str:
    """How the reference of a scene is computed."""
    return f"{scene.steps} steps a ray, a ray to the sun from each"


def pictures(backend: Backend, scene: type[FenceScene], frames: int, **settings: str) -> list[Floats]:
    """The light of some frames in fog."""
    air = {
        "density": scene.density,
        "falloff": FALLOFF,
        "height": HEIGHT,
        "range": scene.range,
        "reach": scene.range,
        "glow": GLOW,
    }
    given = {**{key: str(value) for key, value in air.items()}, **settings}
    with played(scene, backend, EXTENT, chosen(["shadows", "volumetric_fog"], volumetric_fog=given)) as play:
        return [play.picture() for _ in range(frames)]


def references(backend: Backend, scene: type[FenceScene]) -> tuple[Floats, Floats]:
    """The light without fog, and with fog that is marched."""
    with played(scene, backend, EXTENT, chosen(["shadows"])) as play:
        bare = play.picture()
    passed, light = marched(scene)
    return bare, (bare * passed[..., None] + light[..., None]).astype(np.float32)


def marched(scene: type[FenceScene]) -> tuple[Doubles, Doubles]:
    """The share of each texel's light that the air lets through, and the light that the air adds."""
    origin, rays = eye_rays(scene, EXTENT)
    flat = rays.reshape(-1, 3)
    length = np.minimum(cast(np.broadcast_to(origin, flat.shape), flat, scene.shapes).distance, scene.range)
    towards = -np.array(SUN) / np.linalg.norm(SUN)
    cosine = flat @ towards
    phase = (1 - GLOW**2) / (4 * np.pi * (1 + GLOW**2 - 2 * GLOW * cosine) ** 1.5)
    passed, light = np.ones(len(flat)), np.zeros(len(flat))
    for before, after in pairwise(((np.arange(scene.steps + 1) / scene.steps) ** 2).tolist()):
        points = origin + flat * (length * 0.5 * (before + after))[:, None]
        depth = scene.density * np.exp(-FALLOFF * (points[:, 1] - HEIGHT)) * length * (after - before)
        to_sun = np.broadcast_to(towards, points.shape)
        sunny = np.isinf(cast(points, to_sun, scene.shapes).distance)
        light += passed * (1.0 - np.exp(-depth)) * (AIR_LIGHT + SUN_LIGHT * phase * sunny)
        passed *= np.exp(-depth)
    return passed.reshape(rays.shape[:2]), light.reshape(rays.shape[:2])
