"""Scenes whose references are pictures by a path tracer: a room, glass and leaves, a panel, and many lamps.

Each has a ``plain`` version, without what is measured.
"""

from __future__ import annotations

import math
from itertools import product
from typing import ClassVar

import numpy as np
from pyglm import glm

from benchmarks.quality.scenes import stripes
from renderwright.engine.game import Game, GameContext
from renderwright.engine.scene import (
    Camera,
    DirectionalLight,
    Environment,
    Image,
    Material,
    Panorama,
    PointLight,
    Probe,
    RectangleLight,
    Scene,
    Transform,
)
from renderwright.engine.scene.material import AlphaMode
from renderwright.engine.scene.primitives import box, plane, sphere

Point = tuple[float, float, float]


class PathScene(Game):
    """A scene with the number of surfaces on the paths of its reference, the camera's first one counted."""

    plugins: ClassVar[tuple[str, ...]] = ("shadows", "ssao", "tonemap")
    plain = False
    depth: ClassVar[int] = 1
    samples: ClassVar[int] = 256
    """Paths for each texel of the reference."""


def block(scene: Scene, low: Point, high: Point, color: Point = (0.6, 0.6, 0.6), roughness: float = 0.5) -> None:
    """Spawn a box between two corners."""
    corner, other = glm.vec3(*low), glm.vec3(*high)
    size = other - corner
    place = Transform(0.5 * (corner + other))
    scene.spawn(box((size.x, size.y, size.z)), Material((*color, 1.0), roughness=roughness), place)


def even_light(radiance: float) -> Environment:
    """The same light from all sides."""
    return Environment(Panorama(np.full((16, 32, 3), radiance, np.float32)))


class Room(PathScene):
    """A closed room with a window, a lamp and a probe. Without the probe the sky lights it through the walls."""

    title = "Room"
    depth = 12
    samples = 2048

    def setup(self, context: GameContext) -> None:
        """Build the scene."""
        scene = context.scene
        scene.environment, scene.sun = even_light(2.0), None
        scene.camera = Camera(glm.vec3(2.4, 1.6, 2.6), glm.vec3(-1.0, 1.1, -1.6), fov_y=1.0)
        block(scene, (-3.2, -0.2, -3.2), (3.2, 0.0, 3.2), (0.5, 0.42, 0.35))
        block(scene, (-3.2, 3.0, -3.2), (3.2, 3.2, 3.2), (0.75, 0.75, 0.75))
        block(scene, (-3.2, 0.0, -3.2), (3.2, 3.0, -3.0), (0.35, 0.5, 0.65))
        block(scene, (-3.2, 0.0, 3.0), (3.2, 3.0, 3.2))
        block(scene, (3.0, 0.0, -3.0), (3.2, 3.0, 3.0), (0.3, 0.55, 0.3))
        red = (0.65, 0.25, 0.2)
        block(scene, (-3.2, 0.0, -3.0), (-3.0, 1.0, 3.0), red)
        block(scene, (-3.2, 2.2, -3.0), (-3.0, 3.0, 3.0), red)
        block(scene, (-3.2, 1.0, -3.0), (-3.0, 2.2, -1.6), red)
        block(scene, (-3.2, 1.0, 0.6), (-3.0, 2.2, 3.0), red)
        block(scene, (-0.8, 0.0, -2.0), (0.4, 0.8, -1.0))
        scene.spawn(sphere(0.45), Material((0.7, 0.6, 0.2, 1.0), roughness=0.5), Transform(glm.vec3(-1.5, 0.45, -0.2)))
        scene.add_light(PointLight(glm.vec3(1.3, 2.3, -1.2), intensity=2.0, radius=30.0, casts_shadow=True))
        if not self.plain:
            scene.probes.add(Probe((-3, 0, -3), (3, 3, 3), position=(0.3, 1.6, 0.4)))


def leaf(texels: int = 64) -> Image:
    """The image of a leaf: its alpha is 1 inside."""
    across, along = np.meshgrid(np.linspace(-1.0, 1.0, texels), np.linspace(0.0, 1.0, texels))
    inside = np.abs(across) < 0.9 * np.sin(np.pi * along)
    pixels = np.full((texels, texels, 4), 255, np.uint8)
    pixels[..., 3] = 255 * inside
    return Image("leaf", pixels)


class GlassAndLeaves(PathScene):
    """Masked leaves in the sun, half of them behind a pane. Without it, leaves are squares and the pane hides them."""

    title = "Glass and leaves"
    samples = 1024

    def setup(self, context: GameContext) -> None:
        """Build the scene."""
        scene = context.scene
        scene.environment = even_light(0.4)
        scene.sun = DirectionalLight(glm.vec3(-0.8, -1.0, 0.7), intensity=2.0)
        scene.camera = Camera(glm.vec3(0.0, 1.1, 3.2), glm.vec3(0.0, 0.6, 0.0), fov_y=0.8)
        floor = Material((0.6, 0.55, 0.5, 1.0), roughness=0.5, base_color_image=stripes())
        scene.spawn(plane(8, 8, uv_scale=1.0), floor)
        mask: AlphaMode = "opaque" if self.plain else "mask"
        color = (0.25, 0.55, 0.15, 1.0)
        green = Material(color, roughness=0.5, base_color_image=leaf(), alpha_mode=mask, double_sided=True)
        random = np.random.default_rng(5)
        for x, y in product(range(6), range(3)):
            turn = glm.angleAxis(float(random.uniform(0, 6)), glm.vec3(0, 1, 0))
            turn = turn * glm.angleAxis(float(random.uniform(0.5, 1.6)), glm.vec3(1, 0, 0))
            place = glm.vec3(-1.5 + 0.6 * x, 0.35 + 0.45 * y, float(random.uniform(-0.8, 0.2)))
            scene.spawn(plane(0.5, 0.5), green, Transform(place, turn))
        pane = Material((0.8, 0.9, 0.8, 1.0), roughness=0.0, transmission=0.0 if self.plain else 1.0)
        upright = glm.angleAxis(math.pi / 2, glm.vec3(1, 0, 0))
        scene.spawn(plane(0.9, 1.2), pane, Transform(glm.vec3(0.6, 0.9, 2.0), upright), casts_shadow=False)


class Panel(PathScene):
    """A glowing panel over balls of several roughnesses, in the dark. Without it, there is its picture alone."""

    title = "Panel"
    samples = 1024
    plugins = ("shadows", "tonemap")

    def setup(self, context: GameContext) -> None:
        """Build the scene."""
        scene = context.scene
        scene.environment, scene.sun = even_light(0.0), None
        scene.camera = Camera(glm.vec3(0.0, 1.5, 4.0), glm.vec3(0.0, 0.6, 0.0), fov_y=0.8)
        scene.spawn(plane(12, 12), Material((0.5, 0.5, 0.5, 1.0), roughness=0.5))
        for number, roughness in enumerate((0.15, 0.3, 0.5, 0.8)):
            paint = Material((0.6, 0.25, 0.15, 1.0), roughness=roughness, metallic=0.0)
            place = Transform(glm.vec3(-1.65 + 1.1 * number, 0.45, 0.0))
            scene.spawn(sphere(0.45, segments=64, rings=32), paint, place)
        radiance, middle = 5.0, glm.vec3(0.0, 2.0, -1.2)
        face = glm.normalize(glm.vec3(0.0, -1.0, 0.6))
        light = RectangleLight(middle, face, glm.vec3(0, 1, 0), 2.4, 0.8, intensity=radiance, radius=100.0)
        light.casts_shadow = True
        if not self.plain:
            scene.add_light(light)
        turn = glm.angleAxis(math.acos(face.y), glm.vec3(1, 0, 0))
        glow = Material((0.0, 0.0, 0.0, 1.0), roughness=1.0, emissive=(radiance,) * 3)
        scene.spawn(plane(2.4, 0.8), glow, Transform(middle, turn), casts_shadow=False)


class ManyLamps(PathScene):
    """500 coloured lamps over boxes and balls. Without them there are the first 16 alone."""

    title = "Many lamps"
    plugins = ("tonemap",)
    samples = 8192

    def setup(self, context: GameContext) -> None:
        """Build the scene."""
        scene = context.scene
        scene.environment, scene.sun = even_light(0.02), None
        scene.camera = Camera(glm.vec3(0.0, 4.0, 7.5), glm.vec3(0.0, 0.0, 0.5), fov_y=0.9)
        scene.spawn(plane(40, 40), Material((0.6, 0.6, 0.6, 1.0), roughness=0.5))
        random = np.random.default_rng(3)
        for number in range(24):
            x, z = random.uniform(-5.0, 5.0, 2).tolist()
            if number % 2:
                scene.spawn(sphere(0.3), Material((0.6, 0.6, 0.6, 1.0)), Transform(glm.vec3(x, 0.3, z)))
            else:
                block(scene, (x - 0.2, 0.0, z - 0.2), (x + 0.2, 0.6, z + 0.2))
        for number in range(500):
            x, z = random.uniform(-6.0, 6.0, 2).tolist()
            place, color = glm.vec3(x, float(random.uniform(0.8, 1.4)), z), random.uniform(0.1, 1.0, 3).tolist()
            if number < 16 or not self.plain:
                scene.add_light(PointLight(place, tuple(color), intensity=0.05))
