"""Scenes of pictures of surfaces with masks, and of blended ones."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np
from pyglm import glm

from renderwright.engine.game import Game, GameContext
from renderwright.engine.scene import Camera, DirectionalLight, Image, Material, Sky, Transform
from renderwright.engine.scene.primitives import plane


def twigs() -> Image:
    """A picture of thin leaves, which cover a fifth of it."""
    chance = np.random.default_rng(1)
    y, x = np.mgrid[:256, :256]
    pixels = np.zeros((256, 256, 4), np.uint8)
    pixels[..., :3] = (70, 110, 40)
    for _ in range(110):
        (left, top), angle = chance.uniform(0, 256, 2), chance.uniform(0, np.pi)
        along = (x - left) * np.cos(angle) + (y - top) * np.sin(angle)
        across = (y - top) * np.cos(angle) - (x - left) * np.sin(angle)
        leaf = (np.abs(along) < 18) & (np.abs(across) < 3 * (1 - (along / 18) ** 2))
        pixels[leaf] = (*chance.integers((60, 95, 25), (125, 140, 60)), 255)
    return Image("twigs", pixels)


class Bushes(Game):
    """A row of bushes, from near to far, each of crossed cards with twigs."""

    hashed: ClassVar[bool] = False

    def setup(self, context: GameContext) -> None:
        """Plant them."""
        scene = context.scene
        scene.sky = Sky((0.3, 0.5, 0.8), (0.75, 0.8, 0.85), (0.3, 0.28, 0.24), 1.0)
        scene.sun = DirectionalLight(glm.vec3(-0.5, -1.0, -0.45), (1.0, 0.9, 0.75), 2.5)
        scene.camera = Camera(glm.vec3(0.0, 1.4, 3.0), glm.vec3(2.6, 0.4, -7.0), fov_y=0.5)
        scene.spawn(plane(120, 120), Material((0.5, 0.42, 0.3, 1.0), roughness=0.9))
        leaves = Material(base_color_image=twigs(), roughness=0.7, alpha_mode="mask", double_sided=True)
        leaves = replace(leaves, alpha_hashed=self.hashed)
        card, chance = plane(1.3, 1.3), np.random.default_rng(4)
        upright = glm.angleAxis(np.pi / 2, glm.vec3(1, 0, 0))
        for bush in range(12):
            middle = glm.vec3(1.4 * bush - 0.7, 0.62, -2.5 * bush)
            for _ in range(5):
                turn = glm.angleAxis(float(chance.uniform(0, 6.3)), glm.vec3(0, 1, 0))
                scene.spawn(card, leaves, Transform(middle + glm.vec3(*chance.uniform(-0.25, 0.25, 3)), turn * upright))


class CrossingPanes(Game):
    """Three coloured panes around an axis."""

    def setup(self, context: GameContext) -> None:
        """Place them."""
        scene = context.scene
        scene.sky = Sky((0.5, 0.6, 0.75), (0.8, 0.8, 0.8), (0.3, 0.28, 0.26), 1.0)
        scene.camera = Camera(glm.vec3(0.5, 1.1, 3.2), glm.vec3(0.0, 0.7, 0.0), fov_y=0.55)
        scene.spawn(plane(12.0, 12.0), Material((0.5, 0.5, 0.5, 1.0), roughness=0.9))
        sheet, upright = plane(2.0, 1.4), glm.angleAxis(np.pi / 2, glm.vec3(1, 0, 0))
        for number, color in enumerate([(0.9, 0.15, 0.1, 0.5), (0.1, 0.7, 0.2, 0.5), (0.15, 0.25, 0.9, 0.5)]):
            turn = glm.angleAxis(0.3 + number * np.pi / 3.0, glm.vec3(0, 1, 0))
            pane = Material(color, roughness=0.8, alpha_mode="blend", double_sided=True)
            scene.spawn(sheet, pane, Transform(glm.vec3(0, 0.75, 0), turn * upright))


class HashedBushes(Bushes):
    """The same with hashed alpha."""

    hashed = True
