"""Light at the surfaces of a ray scene, by rays cast on the CPU.

One reference is the definition of ambient occlusion (surfaces within a radius hide the sky). The other is light itself:
paths that bounce between surfaces until they reach the sky.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from benchmarks.quality.ray_scene import ALBEDO, SHAPES, Doubles, Hits, RayScene, Shapes, around, cast, eye_rays
from renderwright.render.types.resources import Extent

RAYS = 256
RADIUS = 0.5
"""The default radius of the definition in metres."""
FALLOFF_START = 0.4
"""Share of the radius within which a hit occludes fully."""
BOUNCES = 8
OFF_THE_SURFACE = 1e-4
"""Offset of ray origins in metres, so that no ray hits its own surface."""
BATCH = 64
"""Texels per batch."""

Light = Callable[[Doubles, Doubles, np.random.Generator, Shapes], Doubles]
"""The irradiance (n) at points (n, 3) with normals (n, 3), relative to a uniform sky."""


@dataclass(frozen=True)
class Seen:
    """The surfaces in a picture, texel by texel: hits (height * width), points (height * width, 3)."""

    shapes: Shapes
    extent: Extent
    hits: Hits
    points: Doubles


def seen_in(game: type[RayScene], extent: Extent) -> Seen:
    """The surfaces that a game's camera sees; points in the sky are the camera's position."""
    origin, rays = eye_rays(game, extent)
    flat = rays.reshape(-1, 3)
    hits = cast(np.broadcast_to(origin, flat.shape), flat, game.shapes)
    points = origin + flat * np.where(np.isfinite(hits.distance), hits.distance, 0.0)[:, None]
    return Seen(game.shapes, extent, hits, points)


def each_texel(light: Light, seen: Seen) -> Doubles:
    """The light at the surface of each texel, (height, width); 1 in the sky."""
    random = np.random.default_rng(7)
    result = np.ones(len(seen.points))
    shown = np.nonzero(seen.hits.thing >= 0)[0]
    for first in range(0, len(shown), BATCH):
        texels = shown[first : first + BATCH]
        result[texels] = light(seen.points[texels], seen.hits.normal[texels], random, seen.shapes)
    return result.reshape(seen.extent[1], seen.extent[0])


def _starts(points: Doubles, normals: Doubles, random: np.random.Generator) -> tuple[Doubles, Doubles]:
    """Origins and directions of the rays of all points, point by point."""
    to = np.concatenate([around(normal, RAYS, random) for normal in normals])
    return np.repeat(points + normals * OFF_THE_SURFACE, RAYS, axis=0), to


def hidden_less(
    points: Doubles,
    normals: Doubles,
    random: np.random.Generator,
    shapes: Shapes = SHAPES,
    *,
    radius: float = RADIUS,
) -> Doubles:
    """Visibility of the sky past surfaces within the radius, with a falloff towards the radius."""
    distance = cast(*_starts(points, normals, random), shapes).distance
    hidden = np.clip((radius - distance) / (radius * (1 - FALLOFF_START)), 0.0, 1.0)
    seen: Doubles = 1.0 - hidden.reshape(-1, RAYS).mean(axis=1)
    return seen


def bounced(points: Doubles, normals: Doubles, random: np.random.Generator, shapes: Shapes = SHAPES) -> Doubles:
    """Light of all paths that end in the sky; each bounce multiplies it by the albedo."""
    at, to = _starts(points, normals, random)
    owner = np.repeat(np.arange(len(points)), RAYS)
    light = np.zeros(len(points))
    for bounce in range(BOUNCES):
        hits = cast(at, to, shapes)
        met = hits.thing >= 0
        light += ALBEDO**bounce * np.bincount(owner[~met], minlength=len(points))
        normal, owner = hits.normal[met], owner[met]
        at = at[met] + to[met] * hits.distance[met, None] + normal * OFF_THE_SURFACE
        # Normal plus a random unit vector has a cosine distribution.
        to = random.normal(size=at.shape)
        to = normal + to / np.linalg.norm(to, axis=1, keepdims=True)
        to /= np.linalg.norm(to, axis=1, keepdims=True)
    return light / RAYS


def with_bounces(visibility: Doubles) -> Doubles:
    """The light of a visibility with bounces between surfaces of the scene's albedo, by the fit of Jimenez 2016."""
    cubic = 2.0404 * ALBEDO - 0.3324
    square = -4.7951 * ALBEDO + 0.6417
    linear = 2.7552 * ALBEDO + 0.6903
    return np.maximum(visibility, ((visibility * cubic + square) * visibility + linear) * visibility)
