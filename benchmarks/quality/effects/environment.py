"""Light from an environment against the integral over all directions, on balls of paint, of gold and between.

The same under a sky gradient. In a white room, a white ball is invisible: surfaces neither lose nor gain light.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.quality.ball_in_environment import Surface, integrated, rendered, room, seen_points
from benchmarks.quality.play import Floats
from benchmarks.quality.row import HALF, Row
from renderwright.engine.scene import Panorama, Sky
from renderwright.render.backend.protocol import Backend

SIDE = 24
GOLD = (0.9, 0.75, 0.5)
SURFACES = {"red paint": ((0.6, 0.1, 0.1), 0.0), "half gold": (GOLD, 0.5), "gold": (GOLD, 1.0)}
ROUGHNESSES = (0.2, 0.4, 0.6, 1.0)
NEAR_LIGHT = 0.1
"""Bound of the mean error, as a share of the light."""
WHITE = (1.0, 1.0, 1.0)
LOST = 0.03
"""Bound of the light that a white surface loses or gains."""


def rows(backend: Backend) -> Iterator[Row]:
    """Mean error on smooth and rough balls, as a share of the light; "without" is a uniform environment."""
    panorama, sky = room(), Sky()
    lights: dict[str, tuple[Panorama, Panorama | Sky]] = {
        "environment": (panorama, panorama),
        "sky": (Panorama.of_sky(sky), sky),
    }
    for kind, (right, light) in lights.items():
        for name, (base_color, metallic) in SURFACES.items():
            balls = [Surface(base_color, metallic, roughness) for roughness in ROUGHNESSES]
            without, with_it = _errors(balls, right, (even(right), light), backend)
            bound = min(NEAR_LIGHT, HALF * without)
            yield Row(f"{kind}, {name}", "a sum over all directions", "mean error", without, with_it, bound)
    lost = max(_lost(metallic, roughness, backend) for metallic in (0.0, 0.5, 1.0) for roughness in ROUGHNESSES)
    yield Row("a white ball in a white room", "the room", "largest difference", None, lost, LOST)


def _errors(
    balls: list[Surface], right: Panorama, lights: tuple[Panorama | Sky, ...], backend: Backend
) -> tuple[float, ...]:
    """Mean error over the balls under each light, as a share of the light of the panorama ``right``."""
    shown, normals, eyes = seen_points(SIDE)
    errors = []
    for ball in balls:
        light = integrated(ball, right, normals, eyes)
        seen = [rendered(ball, other, backend, SIDE)[shown] for other in lights]
        errors.append([float(np.abs(one - light).mean() / light.mean()) for one in seen])
    return tuple(float(np.mean(column)) for column in zip(*errors, strict=True))


def _lost(metallic: float, roughness: float, backend: Backend) -> float:
    white = Panorama(np.ones((16, 32, 3), np.float32), "white room")
    light = rendered(Surface(WHITE, metallic, roughness), white, backend, SIDE)[seen_points(SIDE)[0]]
    return float(np.abs(light - 1.0).max())


def even(panorama: Panorama) -> Panorama:
    """A uniform panorama of the same light."""
    pixels = panorama.pixels
    height = len(pixels)
    area = np.cos((0.5 - (np.arange(height) + 0.5) / height) * np.pi)[:, None, None]
    mean: Floats = (pixels * area).sum(axis=(0, 1)) / (area.sum() * pixels.shape[1])
    return Panorama(np.broadcast_to(mean, pixels.shape).astype(np.float32), "even room")
