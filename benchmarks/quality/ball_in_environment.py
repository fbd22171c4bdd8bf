"""A ball in a panorama: rendered by the engine, and integrated over all directions."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pyglm import glm

from benchmarks.quality.play import Floats, played
from renderwright.engine.game import Game, GameContext
from renderwright.engine.scene import Camera, Environment, Material, Panorama, Sky
from renderwright.engine.scene.primitives import sphere
from renderwright.render.backend.protocol import Backend

DISTANCE, RADIUS, FOV = 20.0, 1.0, 0.11
DIELECTRIC = 0.04
"""Reflectance of a dielectric at normal incidence."""
Doubles = NDArray[np.float64]


@dataclass(frozen=True)
class Surface:
    """The material of a ball."""

    base_color: tuple[float, float, float]
    metallic: float
    roughness: float


def directions(height: int) -> Floats:
    """The direction of each texel of a panorama, float32 (height, 2 * height, 3)."""
    up = (0.5 - (np.arange(height, dtype=np.float32) + 0.5) / height) * math.pi
    around = ((np.arange(2 * height, dtype=np.float32) + 0.5) / (2 * height) - 0.5) * 2.0 * math.pi
    up, around = np.meshgrid(up, around, indexing="ij")
    return np.stack([np.cos(up) * np.sin(around), np.sin(up), -np.cos(up) * np.cos(around)], axis=-1)


def room(height: int = 96) -> Panorama:
    """A panorama: blue above, brown below, a warm window right, a red one left, a green one behind the camera."""
    to = directions(height)
    x, y, z = to[..., 0:1], to[..., 1:2], to[..., 2:3]
    pixels = np.where(y > 0.0, (1.0 - 0.5 * y) * np.array([0.25, 0.4, 0.8]), np.array([0.25, 0.18, 0.1]))
    pixels = pixels + np.where((x > 0.93) & (y > 0.0), np.array([12.0, 9.6, 6.0]), 0.0)
    pixels = pixels + np.where(x < -0.93, np.array([3.0, 0.15, 0.15]), 0.0)
    pixels = pixels + np.where(z > 0.93, np.array([0.08, 1.5, 0.08]), 0.0)
    return Panorama(pixels.astype(np.float32), "room")


def rendered(surface: Surface, light: Panorama | Sky, backend: Backend, side: int) -> Floats:
    """The engine's picture, linear, float32 (side, side, 3)."""

    class Ball(Game):
        title = "Ball"
        plugins = ()

        def setup(self, context: GameContext) -> None:
            scene = context.scene
            scene.sun = None
            if isinstance(light, Sky):
                scene.sky = light
            else:
                scene.environment = Environment(light)
            scene.camera = Camera(glm.vec3(0.0, 0.0, DISTANCE), glm.vec3(0.0), fov_y=FOV)
            red, green, blue = surface.base_color
            material = Material((red, green, blue, 1.0), metallic=surface.metallic, roughness=surface.roughness)
            scene.spawn(sphere(RADIUS, rings=64, segments=128), material)

    with played(Ball, backend, (side, side)) as play:
        return play.picture()


def seen_points(side: int) -> tuple[NDArray[np.bool_], Floats, Floats]:
    """The mask of texels on the ball within 75 degrees of the eye, with normals and directions to the eye."""
    slope = math.tan(FOV / 2)
    at = ((np.arange(side, dtype=np.float32) + 0.5) / side * 2.0 - 1.0) * slope
    x, y = np.meshgrid(at, -at)
    rays = np.stack([x, y, -np.ones_like(x)], axis=-1)
    rays /= np.linalg.norm(rays, axis=-1, keepdims=True)
    along = -rays[..., 2] * DISTANCE
    inside = along**2 - DISTANCE**2 + RADIUS**2
    hit = along - np.sqrt(np.maximum(inside, 0.0))
    points = np.array([0.0, 0.0, DISTANCE], np.float32) + rays * hit[..., None]
    shown = (inside > 0.0) & (np.sum(points * -rays, axis=-1) > math.cos(math.radians(75.0)))
    return shown, (points / RADIUS)[shown], -rays[shown]


def integrated(surface: Surface, panorama: Panorama, normals: Floats, eyes: Floats) -> Floats:
    """The light towards each eye: the sum over all texels of the panorama of radiance, BRDF and cosine, in float64.

    A mix of metal and paint. Specular: GGX with height-correlated Smith visibility and Schlick's Fresnel, scaled by the
    light of multiple scattering (Turquin 2019). Diffuse: Lambert, times what the paint does not reflect.
    """
    height = panorama.pixels.shape[0]
    to = directions(height).reshape(-1, 3).astype(np.float64)
    area = np.sqrt(1.0 - to[:, 1] ** 2) * (math.pi / height) ** 2
    light = panorama.pixels.reshape(-1, 3)
    base = np.array(surface.base_color)
    result = np.empty((len(normals), 3))
    for number, (n, v) in enumerate(zip(normals.astype(np.float64), eyes.astype(np.float64), strict=True)):
        n_l = to @ n
        before = n_l > 0.0
        weights = (area * n_l)[before, None]
        lobe, grazing = _lobe(to[before], n, v, surface.roughness**4)
        single = float(np.sum(lobe * weights))
        metal = _specular(base, lobe, grazing, single)
        dielectric = _specular(np.full(3, DIELECTRIC), lobe, grazing, single)
        paint = dielectric + (1.0 - np.sum(dielectric * weights, axis=0)) * base / math.pi
        brdf = paint + (metal - paint) * surface.metallic
        result[number] = np.sum(brdf * light[before] * weights, axis=0)
    return result.astype(np.float32)


def _specular(f0: Doubles, lobe: Doubles, grazing: Doubles, single: float) -> Doubles:
    return (1.0 + f0 * (1.0 / single - 1.0)) * (f0 + (1.0 - f0) * grazing) * lobe


def _lobe(to: Doubles, n: Doubles, v: Doubles, alpha2: float) -> tuple[Doubles, Doubles]:
    """The BRDF without Fresnel by direction, and Schlick's power; both (count, 1)."""
    h = to + v
    h /= np.linalg.norm(h, axis=1, keepdims=True)
    n_l, n_v, n_h = (to @ n)[:, None], max(float(n @ v), 1e-4), (h @ n)[:, None]
    d = alpha2 / (math.pi * (n_h**2 * (alpha2 - 1.0) + 1.0) ** 2)
    smith = n_l * np.sqrt(n_v**2 * (1.0 - alpha2) + alpha2) + n_v * np.sqrt(n_l**2 * (1.0 - alpha2) + alpha2)
    return d * 0.5 / smith, (1.0 - (h @ v)[:, None]) ** 5
