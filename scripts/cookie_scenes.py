"""The scene of the picture of light cookies in docs/effects."""

from __future__ import annotations

import numpy as np
from effect_scenes import Courtyard
from pyglm import glm

from renderwright.engine.game import GameContext
from renderwright.engine.scene import DirectionalLight, Image, Sky, SpotLight
from renderwright.plugins.cookies import Cookie

SIDE = 256


def rose_window() -> Image:
    """A round window of stained glass with twelve petals."""
    y, x = (np.mgrid[:SIDE, :SIDE] + 0.5) / (SIDE / 2) - 1.0
    away, turn = np.hypot(x, y), np.arctan2(y, x) / (2.0 * np.pi) * 12.0
    glass = np.array([(255, 70, 50), (255, 200, 70), (70, 110, 255), (80, 220, 130)])
    pixels = np.zeros((SIDE, SIDE, 4), np.uint8)
    pixels[..., 3] = 255
    ring = np.digitize(away, (0.22, 0.6, 0.97))
    pixels[..., :3] = glass[(np.floor(turn).astype(int) + 2 * ring) % 4]
    lead = (abs(turn - np.round(turn)) * away < 0.06) & (ring > 0)
    for radius in (0.22, 0.6, 0.97):
        lead |= abs(away - radius) < 0.025
    pixels[lead | (away > 0.97), :3] = 0
    return Image("window", pixels)


class Stained(Courtyard):
    """The courtyard at night, in the light of a window."""

    def setup(self, context: GameContext) -> None:
        """Place the lamp and its image."""
        super().setup(context)
        scene = context.scene
        scene.sky = Sky((0.05, 0.07, 0.12), (0.06, 0.06, 0.08), (0.02, 0.02, 0.02), 1.0)
        scene.sun = DirectionalLight(glm.vec3(-0.85, -0.4, 0.12), (0.6, 0.7, 1.0), 0.05)
        place, towards = glm.vec3(3.4, 4.2, 3.0), glm.vec3(0.0, 0.6, -0.6)
        lamp = SpotLight(place, towards - place, (1.0, 0.93, 0.8), 170.0, 14.0, 0.4, 0.42, casts_shadow=True)
        scene.add_light(lamp)
        scene.placed.add(Cookie(lamp, rose_window()))
