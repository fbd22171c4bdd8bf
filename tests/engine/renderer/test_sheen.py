"""Sheen under a white sky has the integral of its light over all directions."""

from __future__ import annotations

import numpy as np
import pytest
from pyglm import glm

from benchmarks.quality.play import chosen, played
from renderwright.engine.game import Game, GameContext
from renderwright.engine.scene import Camera, Environment, Material, Panorama, Sheen, Specular
from renderwright.engine.scene.primitives import sphere
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

SIDE = 48
HEIGHT = 2.2
"""Metres from the bottom of the picture to its top; the ball has a radius of 1."""
STEPS = 300


class Cloth(Game):
    """A black ball with white fibres in a white world, seen without perspective."""

    plugins = ()
    roughness = 0.5

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.sun, scene.environment = None, Environment(Panorama(np.ones((16, 32, 3), np.float32)))
        scene.camera = Camera(glm.vec3(0, 0, 5), glm.vec3(0), height=HEIGHT)
        fibres = Sheen((1.0, 1.0, 1.0), self.roughness)
        black = Material((0.0, 0.0, 0.0, 1.0), specular=Specular(strength=0.0), sheen=fibres)
        scene.spawn(sphere(1.0, segments=128, rings=64), black)


def integral(cosine: float, roughness: float) -> float:
    """The light towards an eye at that cosine to the normal: distribution of Estevez and Kulla, in float64."""
    alpha = roughness * roughness
    n_l = ((np.arange(STEPS) + 0.5) / STEPS)[:, None]
    angle = (np.arange(STEPS) + 0.5) / STEPS * 2.0 * np.pi
    across = np.sqrt(1.0 - n_l**2)
    half = np.stack([across * np.cos(angle), across * np.sin(angle), np.broadcast_to(n_l, (STEPS, STEPS))], axis=-1)
    half = half + np.array([np.sqrt(1.0 - cosine**2), 0.0, cosine])
    n_h = half[..., 2] / np.linalg.norm(half, axis=-1)
    density = (2.0 + 1.0 / alpha) * np.maximum(1.0 - n_h**2, 0.0) ** (0.5 / alpha) / (2.0 * np.pi)
    light = density * n_l / (4.0 * (n_l + cosine - n_l * cosine))
    return min(float(light.mean() * 2.0 * np.pi), 1.0)


@pytest.mark.parametrize("roughness", [0.2, 0.4, 0.6, 0.8, 1.0])
def test_a_ball_of_fibres(backend: VulkanBackend, roughness: float) -> None:
    game = type("RoughCloth", (Cloth,), {"roughness": roughness})
    with played(game, backend, (SIDE, SIDE), chosen()) as play:
        play.frames(20)
        seen = play.picture()[SIDE // 2, :, 1]
    places = ((np.arange(SIDE) + 0.5) / SIDE - 0.5) * HEIGHT
    away = np.hypot(places, 0.5 * HEIGHT / SIDE)
    inside = away < 0.97
    right = [integral(float(np.sqrt(1.0 - one**2)), roughness) for one in away[inside]]
    assert max(right) > 0.15
    assert np.abs(seen[inside] - right).max() < 0.03
