"""Ambient occlusion against rays cast on the CPU.

One reference is its definition (surfaces within a radius hide the sky). The other is light itself: paths that bounce
between surfaces until they reach the sky.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from benchmarks.quality.play import Floats, Settings, chosen, played
from benchmarks.quality.ray_scene import ALBEDO, SKY, Doubles, RayScene, around, cast, eye_rays
from benchmarks.quality.row import Row, compared
from renderwright.engine.game import GameContext
from renderwright.render.backend.protocol import Backend
from renderwright.render.types.resources import Extent

EXTENT: Extent = (200, 120)
RAYS = 256
RADIUS, WIDE = 0.5, 2.0
FALLOFF_START = 0.4
"""Share of the radius within which a hit occludes fully."""
BOUNCES = 8
OFF_THE_SURFACE = 1e-4
"""Offset of ray origins in metres, so that no ray hits its own surface."""


BATCH = 64
"""Texels per batch."""

Light = Callable[[Doubles, Doubles, np.random.Generator], Doubles]
"""The irradiance (n) at points (n, 3) with normals (n, 3), relative to a uniform sky."""


class OnGround(RayScene):
    """The same scene with a sky that is as bright as the ground below the horizon, as a game would set it."""

    def setup(self, context: GameContext) -> None:
        """Build the scene."""
        super().setup(context)
        context.scene.sky = replace(context.scene.sky, ground=(ALBEDO * SKY,) * 3)


def rows(backend: Backend) -> Iterator[Row]:
    """Rows of visibility within a radius, and of the light of the whole sky with bounces."""
    bare = _lit(RayScene, backend, None)
    near = (bare * _each_point(hidden_less)[..., None]).astype(np.float32)
    with_it = _lit(RayScene, backend, {"radius": str(RADIUS), "multi_bounce": "false"})
    yield compared("ssao, visibility", f"{RAYS} rays a texel", near, bare, with_it)
    path = (bare * _each_point(bounced)[..., None]).astype(np.float32)
    without, with_it = (_lit(OnGround, backend, settings) for settings in (None, {"radius": str(WIDE)}))
    yield compared("ssao, light with bounces", f"{RAYS} paths a texel", path, without, with_it)


def _lit(game: type[RayScene], backend: Backend, settings: Settings | None) -> Floats:
    choice = chosen() if settings is None else chosen(["ssao"], ssao=settings)
    with played(game, backend, EXTENT, choice) as play:
        return play.picture()


def _each_point(light: Light) -> Doubles:
    """The light at the surface of each texel, (height, width)."""
    origin, rays = eye_rays(RayScene, EXTENT)
    flat = rays.reshape(-1, 3)
    hits = cast(np.broadcast_to(origin, flat.shape), flat)
    points = origin + flat * np.where(np.isfinite(hits.distance), hits.distance, 0.0)[:, None]
    random = np.random.default_rng(7)
    result = np.ones(len(flat))
    shown = np.nonzero(hits.thing >= 0)[0]
    for first in range(0, len(shown), BATCH):
        texels = shown[first : first + BATCH]
        result[texels] = light(points[texels], hits.normal[texels], random)
    return result.reshape(rays.shape[:2])


def _starts(points: Doubles, normals: Doubles, random: np.random.Generator) -> tuple[Doubles, Doubles]:
    """Origins and directions of the rays of all points, point by point."""
    to = np.concatenate([around(normal, RAYS, random) for normal in normals])
    return np.repeat(points + normals * OFF_THE_SURFACE, RAYS, axis=0), to


def hidden_less(points: Doubles, normals: Doubles, random: np.random.Generator) -> Doubles:
    """Visibility of the sky past surfaces within the radius, with a falloff towards the radius."""
    distance = cast(*_starts(points, normals, random)).distance
    hidden = np.clip((RADIUS - distance) / (RADIUS * (1 - FALLOFF_START)), 0.0, 1.0)
    seen: Doubles = 1.0 - hidden.reshape(-1, RAYS).mean(axis=1)
    return seen


def bounced(points: Doubles, normals: Doubles, random: np.random.Generator) -> Doubles:
    """Light of all paths that end in the sky; each bounce multiplies it by the albedo."""
    at, to = _starts(points, normals, random)
    owner = np.repeat(np.arange(len(points)), RAYS)
    light = np.zeros(len(points))
    for bounce in range(BOUNCES):
        hits = cast(at, to)
        met = hits.thing >= 0
        light += ALBEDO**bounce * np.bincount(owner[~met], minlength=len(points))
        normal, owner = hits.normal[met], owner[met]
        at = at[met] + to[met] * hits.distance[met, None] + normal * OFF_THE_SURFACE
        # Normal plus a random unit vector has a cosine distribution.
        to = random.normal(size=at.shape)
        to = normal + to / np.linalg.norm(to, axis=1, keepdims=True)
        to /= np.linalg.norm(to, axis=1, keepdims=True)
    return light / RAYS
