"""What the reference pictures show: the sample game, and a yard in several lights."""

from __future__ import annotations

import numpy as np
from pyglm import glm

from renderwright.engine.game import Game, GameContext
from renderwright.engine.scene import (
    Camera,
    DirectionalLight,
    Environment,
    Image,
    Material,
    Panorama,
    PointLight,
    Sky,
    SpotLight,
    Transform,
)
from renderwright.engine.scene.primitives import box, plane, sphere
from renderwright.games.marbles import Marbles
from renderwright.plugins.cookies import Cookie
from renderwright.plugins.decals import Decal
from renderwright.plugins.mirrors import Mirror
from renderwright.plugins.particles import Emitter, Particles


class BareMarbles(Marbles):
    """The sample game without its HUD, which would cover small pictures."""

    def draw(self, alpha: float) -> None:
        super().draw(alpha)
        for hud in self.context.huds:
            hud.clear()


class Yard(Game):
    """Posts and a bridge, a steel ball, a lamp that glows, and a wheel that turns; without a light but the sky's."""

    title = "Yard"
    plugins = ("tonemap",)
    ground = Material((0.6, 0.58, 0.55, 1), roughness=0.9)

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.sun = None
        scene.sky = Sky((0.16, 0.2, 0.3), (0.2, 0.2, 0.22), (0.08, 0.07, 0.06))
        scene.camera = Camera(glm.vec3(2.6, 2.0, 3.6), glm.vec3(-0.1, 0.45, 0.0), fov_y=0.7)
        stone = Material((0.6, 0.58, 0.55, 1), roughness=0.9)
        red = Material((0.7, 0.2, 0.12, 1), roughness=0.6)
        scene.spawn(plane(30, 30), self.ground)
        for number in range(4):
            height = 0.5 + 0.35 * number
            place = Transform(glm.vec3(0.5 * number - 1.6, 0.5 * height, -0.9))
            scene.spawn(box((0.16, height, 0.16)), stone, place)
        scene.spawn(box((0.5, 0.08, 1.0)), red, Transform(glm.vec3(0.9, 0.5, -0.3)))
        scene.spawn(sphere(0.35), Material((0.9, 0.9, 0.92, 1), metallic=1.0, roughness=0.25), _at(-0.7, 0.35, 0.5))
        scene.spawn(sphere(0.08), Material(emissive=(24, 16, 6)), _at(0.2, 0.9, 0.3), casts_shadow=False)
        self.wheel = scene.spawn(box((0.12, 1.0, 0.12)), red, _at(1.2, 0.8, 0.6))

    def update(self, dt: float) -> None:
        self.wheel.transform.rotation *= glm.angleAxis(9.0 * dt, glm.vec3(0, 0, 1))


class SunYard(Yard):
    """In the sun."""

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        context.scene.sun = DirectionalLight(glm.vec3(-0.8, -0.9, -0.1), (1.0, 0.9, 0.75), 3.0)


class WetYard(SunYard):
    """After rain."""

    ground = Material((0.12, 0.11, 0.1, 1), metallic=0.2, roughness=0.15)


class ForwardYard(SunYard):
    """In the sun, by the skeleton without normals."""

    skeleton = "forward"


class BurningYard(SunYard):
    """With sparks, and with smoke that the sun lights, between the posts and the wheel."""

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        sparks = Particles(
            lifetime=(0.3, 0.6),
            speed=(1.5, 2.5),
            drag=0.5,
            sizes=(0.03, 0.01),
            colors=((8.0, 4.0, 1.0, 1.0), (4.0, 0.5, 0.1, 0.0)),
        )
        context.scene.placed.add(Emitter(sparks, glm.vec3(0.2, 0.05, 0.3), rate=400.0))
        smoke = Particles(
            lifetime=(0.6, 0.9),
            speed=(0.6, 1.2),
            gravity=(0.0, 0.5, 0.0),
            radius=0.1,
            sizes=(0.1, 0.25),
            colors=((0.5, 0.5, 0.5, 0.6), (0.5, 0.5, 0.5, 0.0)),
            additive=False,
            lit=True,
            softness=0.2,
        )
        context.scene.placed.add(Emitter(smoke, glm.vec3(0.9, 0.5, -0.3), rate=120.0))


class MarkedYard(SunYard):
    """With stripes on the ground and over the posts, a dented patch that shines, and a mark on the bridge."""

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        place = context.scene.placed.add
        stripes = np.zeros((32, 32, 4), np.uint8)
        stripes[(np.indices((32, 32)).sum(axis=0) // 8) % 2 == 0] = (240, 200, 30, 255)
        image = Image("stripes", stripes)
        place(Decal(image, glm.vec3(0.3, 0.0, 0.9), size=(1.2, 0.8, 0.2), rotation=0.3))
        place(Decal(image, glm.vec3(-0.8, 0.5, -0.8), glm.vec3(0.2, -0.3, -1.0), (2.0, 0.6, 0.6), opacity=0.8))
        place(Decal(None, glm.vec3(0.9, 0.55, -0.3), size=(0.3, 0.6, 0.2), tint=(0.05, 0.3, 0.1)))
        y, x = (np.indices((32, 32)) % 16 - 7.5) / 8.0
        slope = np.stack([-0.7 * x, 0.7 * y, np.ones_like(x)], axis=-1)
        slope /= np.linalg.norm(slope, axis=-1, keepdims=True)
        bumps = np.full((32, 32, 4), 255, np.uint8)
        bumps[..., :3] = np.rint((slope * 0.5 + 0.5) * 255.0)
        patch = Decal(None, glm.vec3(-0.6, 0.0, 1.3), size=(1.0, 1.0, 0.2), tint=(0.1, 0.1, 0.12), opacity=0.8)
        patch.normal_image, patch.roughness, patch.metallic = Image("bumps", bumps, srgb=False), 0.25, 0.3
        place(patch)


class LampYard(Yard):
    """By the lamp that glows."""

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        lamp = PointLight(glm.vec3(0.2, 0.9, 0.3), (1.0, 0.75, 0.4), 6.0, 8.0, casts_shadow=True)
        context.scene.add_light(lamp)


class SpotYard(Yard):
    """Under a spotlight."""

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        above = glm.vec3(1.6, 2.4, 1.2)
        aim = glm.vec3(-0.5, 0.3, -0.2) - above
        context.scene.add_light(SpotLight(above, aim, (1.0, 0.95, 0.8), 60.0, 12.0, 0.25, 0.45, casts_shadow=True))


class YardInHall(Yard):
    """In the light of a panorama: a floor of tiles, a bright window to the right, a red wall to the left."""

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        height = 64
        up, around = np.meshgrid(
            (0.5 - (np.arange(height) + 0.5) / height) * np.pi,
            ((np.arange(2 * height) + 0.5) / height - 1.0) * np.pi,
            indexing="ij",
        )
        light = np.full((*up.shape, 3), (0.5, 0.55, 0.7), np.float32)
        light[up < 0.0] = (0.2, 0.16, 0.12)
        light[(np.abs(around - 1.2) < 0.4) & (np.abs(up - 0.4) < 0.3)] = (14.0, 12.0, 9.0)
        light[(np.abs(around + 1.5) < 0.7) & (np.abs(up) < 0.5)] = (1.5, 0.1, 0.08)
        context.scene.environment = Environment(Panorama(light, "hall"))


def _at(x: float, y: float, z: float) -> Transform:
    return Transform(glm.vec3(x, y, z))


class GlassYard(SunYard):
    """The yard in the sun, with coloured veils inside each other, a lattice with holes and a window."""

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        for number, color in enumerate([(0.9, 0.2, 0.2, 0.4), (0.2, 0.8, 0.2, 0.3), (0.2, 0.3, 0.9, 0.5)]):
            veil = Material(color, roughness=0.3, alpha_mode="blend")
            context.scene.spawn(sphere(0.3), veil, _at(0.3 * number - 0.2, 0.4, 1.1 - 0.15 * number))
        holes = np.full((16, 16, 4), 255, np.uint8)
        holes[1::2, 1::2, 3] = 0
        lattice = Material(
            (0.3, 0.5, 0.2, 1.0), base_color_image=Image("lattice", holes), alpha_mode="mask", double_sided=True
        )
        upright = glm.angleAxis(1.5, glm.vec3(1, 0, 0))
        context.scene.spawn(plane(0.8, 0.8), lattice, Transform(glm.vec3(-1.2, 0.4, 0.9), upright))
        window = Material((0.6, 0.9, 0.7, 1.0), roughness=0.1, transmission=1.0, double_sided=True)
        context.scene.spawn(box((0.7, 0.9, 0.02)), window, _at(0.4, 0.6, 0.3))


class ForwardGlass(GlassYard):
    """The same by the forward skeleton."""

    skeleton = "forward"


class MirroredYard(SunYard):
    """With a mirror behind the posts, which shows their backs and a ball before the camera's side."""

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        scene = context.scene
        scene.spawn(box((2.8, 1.9, 0.06)), Material((0, 0, 0, 1), roughness=1.0), _at(-0.1, 1.0, -1.44))
        scene.placed.add(Mirror(glm.vec3(-0.1, 1.0, -1.4), glm.pi(), 2.6, 1.7, every=1))
        scene.spawn(sphere(0.4), Material((0.1, 0.3, 0.8, 1), roughness=0.6), _at(-3.2, 0.6, 1.6))


class StainedYard(Yard):
    """With the light of a stained-glass window on it."""

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        across, down = np.indices((64, 64))
        panes = np.array([(250, 60, 40, 255), (40, 200, 90, 255), (50, 90, 250, 255), (250, 220, 60, 128)], np.uint8)
        pixels = panes[(across // 16 + 2 * (down // 16)) % 4]
        pixels[(across % 16 < 2) | (down % 16 < 2)] = (0, 0, 0, 255)
        place, towards = glm.vec3(2.0, 3.0, 1.5), glm.vec3(-0.1, 0.3, 0.0)
        lamp = SpotLight(place, towards - place, (1.0, 0.95, 0.85), 60.0, 9.0, 0.45, 0.5, casts_shadow=True)
        context.scene.add_light(lamp)
        context.scene.placed.add(Cookie(lamp, Image("window", pixels)))
