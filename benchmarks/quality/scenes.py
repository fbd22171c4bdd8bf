"""Small scenes with easy and difficult cases for effects."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np
from pyglm import glm

from renderwright.engine.game import Game, GameContext
from renderwright.engine.scene import Camera, Material, Transform
from renderwright.engine.scene.image import Image
from renderwright.engine.scene.primitives import box, plane, sphere


def stripes(rows: int = 16) -> Image:
    """An image of alternating white and dark grey rows."""
    texels = np.full((rows, rows, 4), 255, np.uint8)
    texels[::2, :, :3] = 40
    return Image("stripes", texels)


class StillScene(Game):
    """Thin bars, a striped floor, a ball and a bright lamp; nothing moves."""

    title = "Still"
    plugins = ("shadows", "tonemap")

    def setup(self, context: GameContext) -> None:
        """Build the scene."""
        scene = context.scene
        scene.camera.position = glm.vec3(2.2, 1.8, 3.4)
        scene.camera.target = glm.vec3(0.0, 0.5, 0.0)
        assert scene.sun is not None
        scene.sun.direction = glm.vec3(0.5, -1.0, -0.4)
        floor = Material(base_color=(0.8, 0.75, 0.7, 1), roughness=0.8, base_color_image=stripes())
        scene.spawn(plane(12, 12, uv_scale=2.0), floor)
        for number in range(9):
            place = Transform(glm.vec3(0.22 * number - 1.0, 0.5, 0.0), glm.angleAxis(0.06 * number, glm.vec3(0, 0, 1)))
            scene.spawn(box((0.03, 1.0, 0.03)), Material(base_color=(0.1, 0.12, 0.5, 1)), place)
        scene.spawn(sphere(0.3), Material(base_color=(0.8, 0.3, 0.1, 1), roughness=0.3), Transform(glm.vec3(1, 0.3, 1)))
        scene.spawn(sphere(0.05), Material(emissive=(9, 6, 3)), Transform(glm.vec3(-1.0, 1.2, 0.6)))


class OrbitingCamera(StillScene):
    """The camera goes around the still scene and looks at its middle."""

    step = 1 / 60
    frames = 25
    """After so many frames, the picture is that of ``OrbitEnd``: a frame shows the step before the last."""

    def setup(self, context: GameContext) -> None:
        """Build the scene."""
        super().setup(context)
        self.angle = 0.0

    def update(self, dt: float) -> None:
        """Move the camera."""
        self.angle += 0.5 * dt
        self.context.scene.camera.position = glm.vec3(math.sin(self.angle) * 4.0, 1.8, math.cos(self.angle) * 4.0)


class OrbitEnd(StillScene):
    """Where the orbiting camera is after its flight."""

    def setup(self, context: GameContext) -> None:
        """Build the scene."""
        super().setup(context)
        angle = 0.5 * (OrbitingCamera.frames - 1) / 60
        context.scene.camera.position = glm.vec3(math.sin(angle) * 4.0, 1.8, math.cos(angle) * 4.0)


class Beams(Game):
    """Beams of many slopes in front of a bright wall, and a ball: edges of objects larger than a texel."""

    title = "Beams"
    plugins = ("tonemap",)

    def setup(self, context: GameContext) -> None:
        """Build the scene."""
        scene = context.scene
        scene.camera = Camera(glm.vec3(0.0, 0.0, 4.0), glm.vec3(0.0), fov_y=0.8)
        scene.spawn(box((12, 8, 0.2)), Material((0.8, 0.8, 0.75, 1), roughness=0.9), Transform(glm.vec3(0, 0, -1.5)))
        colors = ((0.08, 0.1, 0.3, 1.0), (0.4, 0.08, 0.05, 1.0), (0.05, 0.2, 0.08, 1.0))
        for number in range(14):
            turn = glm.angleAxis(0.11 * number + 0.03, glm.vec3(0, 0, 1))
            place = glm.vec3(-2.3 + 0.36 * number, 0.5 * math.sin(1.7 * number), -0.6 + 0.05 * number)
            scene.spawn(box((0.1, 2.2, 0.1)), Material(colors[number % 3], roughness=0.7), Transform(place, turn))
        scene.spawn(sphere(0.35), Material((0.9, 0.5, 0.1, 1.0)), Transform(glm.vec3(0.9, -0.8, 0.9)))


class PassingBall(Game):
    """A bright ball flies past smooth walls; without ``visible``, the scene without it."""

    title = "Passing ball"
    plugins = ("shadows", "tonemap")
    visible = True
    speed = 6.0

    def setup(self, context: GameContext) -> None:
        """Build the scene."""
        scene = context.scene
        scene.camera.position = glm.vec3(0.0, 1.4, 4.5)
        scene.camera.target = glm.vec3(0.0, 0.8, 0.0)
        scene.spawn(plane(12, 12), Material(base_color=(0.25, 0.4, 0.3, 1), roughness=0.9))
        scene.spawn(box((12, 1, 1)), Material(base_color=(0.3, 0.2, 0.5, 1)), Transform(glm.vec3(0, 0.5, -2)))
        yellow = Material(base_color=(0.9, 0.9, 0.1, 1), emissive=(0.6, 0.5, 0.0))
        self.ball = scene.spawn(sphere(0.25), yellow, Transform(glm.vec3(-2.0, 0.8, 0.8)), casts_shadow=False)
        self.ball.visible = self.visible

    def update(self, dt: float) -> None:
        """Move the ball."""
        self.ball.transform.position += glm.vec3(self.speed * dt, 0.0, 0.0)


class NoBall(PassingBall):
    """The same scene without the ball."""

    visible = False


class Alley(Game):
    """Boxes from near to far along a striped floor, with small lamps between them, in the evening."""

    title = "Alley"
    plugins: ClassVar[tuple[str, ...]] = ()

    def setup(self, context: GameContext) -> None:
        """Build the scene."""
        scene = context.scene
        assert scene.sun is not None
        scene.sun.direction, scene.sun.intensity = glm.vec3(0.5, -1.0, -0.4), 1.0
        scene.camera = Camera(glm.vec3(0.5, 1.3, 2.0), glm.vec3(0.0, 0.55, -5.0), fov_y=0.8)
        floor = Material(base_color=(0.7, 0.65, 0.6, 1), roughness=0.9, base_color_image=stripes())
        scene.spawn(plane(40, 40, uv_scale=1.0), floor)
        colors = ((0.7, 0.2, 0.1), (0.15, 0.4, 0.6), (0.2, 0.5, 0.2))
        for number in range(8):
            side = -1.0 if number % 2 else 1.0
            place = Transform(glm.vec3(side * (0.45 + 0.1 * number), 0.5, 0.4 - 1.6 * number))
            scene.spawn(box((0.35, 1.0, 0.35), bevel=0.03), Material((*colors[number % 3], 1.0), roughness=0.6), place)
            lamp = glm.vec3(-side * (0.3 + 0.22 * number), 0.4 + 0.12 * number, -0.3 - 1.6 * number)
            scene.spawn(sphere(0.05), Material(emissive=(20, 12, 5)), Transform(lamp), casts_shadow=False)


class InMotion(Game):
    """A ball flies by, a bar turns and a box rolls past still posts; ``begin`` is the start time in seconds."""

    title = "In motion"
    plugins = ()
    begin = 0.0
    pan = 0.0
    """Rotation of the camera, in radians per second."""

    def setup(self, context: GameContext) -> None:
        """Build the scene."""
        scene = context.scene
        scene.camera = Camera(glm.vec3(0.0, 1.0, 4.0), fov_y=0.8)
        scene.spawn(
            plane(20, 20, uv_scale=1.0), Material((0.6, 0.6, 0.55, 1), roughness=0.9, base_color_image=stripes())
        )
        grey = Material((0.25, 0.25, 0.3, 1.0), roughness=0.8)
        for number in range(7):
            scene.spawn(box((0.1, 2.0, 0.1)), grey, Transform(glm.vec3(0.8 * number - 2.4, 1.0, -1.2)))
        self.ball = scene.spawn(sphere(0.25), Material((0.9, 0.8, 0.1, 1.0)), Transform())
        self.bar = scene.spawn(box((1.0, 0.12, 0.12)), Material((0.7, 0.15, 0.1, 1.0)), Transform())
        self.box = scene.spawn(box(0.4, bevel=0.03), Material((0.1, 0.4, 0.7, 1.0)), Transform())
        self.time = self.begin
        self._place()
        for entity in scene:
            entity.snap()

    def update(self, dt: float) -> None:
        """Move the objects and the camera."""
        self.time += dt
        self._place()

    def _place(self) -> None:
        time = self.time
        self.ball.transform.position = glm.vec3(-1.2 + 15.0 * time, 1.5, 0.4)
        self.bar.transform.position = glm.vec3(1.1, 1.2, 0.3)
        self.bar.transform.rotation = glm.angleAxis(18.0 * time, glm.vec3(0, 0, 1))
        self.box.transform.position = glm.vec3(-0.6, 0.25, 0.6 - 6.0 * time)
        angle = self.pan * time
        self.context.scene.camera.target = glm.vec3(4.0 * math.sin(angle), 0.9, 4.0 - 4.0 * math.cos(angle))


class Panned(InMotion):
    """The same scene with a turning camera."""

    pan = 2.5
