"""What stays where it is: gas and stars far behind, the sun, the rim of the arena."""

from __future__ import annotations

import cmath
import math

import numpy as np

from renderwright.engine.scene import Image, Scene
from renderwright.engine.sprites import Sprite
from renderwright.games.drift.dust import BANDS
from renderwright.games.drift.particles import places_of
from renderwright.games.drift.pixels import cell, haze, nebula
from renderwright.games.drift.rule_files import Rules

STARS = 5_000
RIM = 360
_SKY_LAYER, _STAR_LAYER, _HAZE_LAYER, _HALO_LAYER, _RIM_LAYER, _RAY_LAYER, _SUN_LAYER = -10, -9, -8, -7, -3, -2, -1
_FAINT = 0.02
"""Alpha of what only adds light: its colour is divided by it."""


def light(red: float, green: float, blue: float, alpha: float = _FAINT) -> tuple[float, float, float, float]:
    """The colour of a sprite that adds this light and hides next to nothing."""
    return (red / alpha, green / alpha, blue / alpha, alpha)


class Backdrop:
    """The sprites behind the match."""

    def __init__(self, scene: Scene, sheet: Image, dot: Image, rules: Rules, seed: int) -> None:
        sprites, random = scene.sprites, np.random.default_rng(seed)
        gas = nebula()
        for far, size, bright in ((-140.0, (-900.0, 506.0), 0.22), (-90.0, (290.0, 163.0), 0.39)):
            tint = (bright, bright, bright, 1.0)
            sprites.add(Sprite(gas, (0.0, 0.0, far), size=size, color=tint, layer=_SKY_LAYER))
        _add_stars(scene, dot, random)
        side = 2.0 * rules.arena.radius
        self._haze = sprites.add(
            Sprite(haze(BANDS), size=(side, side), color=light(0.15, 0.13, 0.16), layer=_HAZE_LAYER)
        )
        _add_rim(scene, dot, rules.arena.radius)
        radius = rules.sun.radius
        for reach, color in ((15.0, light(0.32, 0.12, 0.05)), (6.0, light(0.9, 0.42, 0.14))):
            size = (2.0 * reach * radius / 2.0, 2.0 * reach * radius / 2.0)
            sprites.add(Sprite(dot, size=size, color=color, layer=_HALO_LAYER))
        self._rays = [
            sprites.add(Sprite(sheet, region=cell("corona"), size=(side, side), color=light(*color), layer=_RAY_LAYER))
            for side, color in ((radius * 6.0, (3.8, 1.5, 0.38)), (-radius * 4.9, (2.6, 0.9, 0.24)))
        ]
        side = 2.0 * radius / 0.96
        self._disc = sprites.add(
            Sprite(sheet, region=cell("sun"), size=(side, side), color=(6.5, 3.6, 1.7, 1.0), layer=_SUN_LAYER)
        )

    def step(self, dt: float) -> None:
        """Let the sun boil on."""
        self._rays[0].rotation += 0.05 * dt
        self._rays[1].rotation -= 0.11 * dt
        self._disc.rotation -= 0.04 * dt
        self._haze.rotation += 0.02 * dt


def _add_stars(scene: Scene, dot: Image, random: np.random.Generator) -> None:
    """Stars at many distances, so that they pass each other as the camera moves."""
    depth = random.uniform(-75.0, -12.0, STARS)
    wide = 0.9 * (29.0 - depth)
    places = np.stack([random.uniform(-1.0, 1.0, STARS) * wide, random.uniform(-0.7, 0.7, STARS) * wide, depth], axis=1)
    warmth = random.uniform(0.0, 1.0, (STARS, 1))
    color = np.array([0.55, 0.75, 1.3]) * (1.0 - warmth) + np.array([1.3, 0.85, 0.6]) * warmth
    bright = np.minimum(0.12 + random.pareto(1.9, (STARS, 1)) * 0.3, 9.0)
    colors = np.concatenate([color * bright, np.ones((STARS, 1))], axis=1)
    sides = (0.11 + 0.035 * np.minimum(bright[:, 0], 3.0)) * (29.0 - depth) / 50.0
    scene.sprites.add_many(dot, places, sizes=np.stack([sides, sides], axis=1), colors=colors, layer=_STAR_LAYER)


def _add_rim(scene: Scene, dot: Image, radius: float) -> None:
    """A thin ring of light, and a wide faint one outside of it."""
    turns = np.arange(RIM) / RIM * 2.0 * np.pi
    way, step = np.exp(1j * turns), 2.0 * math.pi * radius / RIM
    for off, width, color in ((0.1, 0.16, (0.3, 1.3, 1.9)), (0.9, 2.6, (0.006, 0.028, 0.045))):
        scene.sprites.add_many(
            dot,
            places_of(way * (radius + off)),
            sizes=(width, step * 3.2),
            rotations=turns,
            colors=light(*color),
            layer=_RIM_LAYER,
        )


def sway(time: float, far: float) -> complex:
    """A slow figure of eight, for the camera behind the title."""
    return complex(far * cmath.rect(1.0, 0.13 * time).real, 0.5 * far * math.sin(0.26 * time))
