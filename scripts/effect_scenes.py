"""Scenes of the pictures of the effects' pages."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import PIL.Image
from numpy.typing import NDArray
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
from renderwright.plugins.decals import Decal
from renderwright.plugins.particles import Emitter, Particles


class Dusk(Marbles):
    """The sample game in an eighth of the light."""

    def setup(self, context: GameContext) -> None:
        """Dim everything but what glows."""
        super().setup(context)
        scene = context.scene
        scene.sky = replace(scene.sky, intensity=scene.sky.intensity / 8.0)
        for light in [scene.sun, *scene.lights]:
            light.intensity /= 8.0


class Courtyard(Game):
    """Steps, columns, balls and boxes under a bright sky and a weak sun."""

    def setup(self, context: GameContext) -> None:
        """Build it."""
        scene = context.scene
        scene.sky = Sky((0.9, 0.95, 1.05), (0.9, 0.9, 0.9), (0.35, 0.33, 0.3), 1.0)
        scene.sun = DirectionalLight(glm.vec3(-0.6, -1.0, -0.25), (1.0, 0.9, 0.75), 1.2)
        scene.camera = Camera(glm.vec3(3.4, 2.6, 4.6), glm.vec3(-0.2, 0.7, -0.4), fov_y=0.75)
        stone = Material(base_color=(0.62, 0.6, 0.56, 1.0), roughness=0.9)
        red = Material(base_color=(0.7, 0.25, 0.15, 1.0), roughness=0.7)
        blue = Material(base_color=(0.2, 0.35, 0.6, 1.0), roughness=0.6)
        scene.spawn(plane(30, 30), stone)
        scene.spawn(box((8.0, 3.0, 0.4)), stone, Transform(glm.vec3(0.0, 1.5, -2.2)))
        for step in range(4):
            place = glm.vec3(-1.4, 0.11 + 0.22 * step, -0.4 - 0.45 * step)
            scene.spawn(box((3.0, 0.22, 0.45)), stone, Transform(place))
        for x in (0.7, 1.9):
            scene.spawn(box((0.35, 2.4, 0.35), bevel=0.04), stone, Transform(glm.vec3(x, 1.2, -1.5)))
        scene.spawn(box((1.9, 0.3, 0.6)), stone, Transform(glm.vec3(1.3, 2.5, -1.5)))
        scene.spawn(sphere(0.4), red, Transform(glm.vec3(0.6, 0.4, 0.1)))
        scene.spawn(sphere(0.25), blue, Transform(glm.vec3(1.2, 0.25, 0.5)))
        for number, material in enumerate((red, blue, stone)):
            turn = glm.angleAxis(0.3 * number, glm.vec3(0.0, 1.0, 0.0))
            place = glm.vec3(1.9 + 0.1 * number, 0.25 + 0.5 * number, -0.3)
            scene.spawn(box(0.5, bevel=0.03), material, Transform(place, turn))


class Showroom(Game):
    """Balls and blocks on a dark floor, of which a part is polished and the rest is duller."""

    def setup(self, context: GameContext) -> None:
        """Build it."""
        scene = context.scene
        scene.sky = Sky((0.5, 0.6, 0.75), (0.7, 0.68, 0.65), (0.3, 0.28, 0.26), 1.0)
        scene.sun = DirectionalLight(glm.vec3(-0.6, -1.0, -0.45), (1.0, 0.9, 0.75), 2.5)
        scene.camera = Camera(glm.vec3(1.0, 1.5, 4.6), glm.vec3(0.0, 0.45, -0.4), fov_y=0.75)
        wall = Material(base_color=(0.45, 0.42, 0.4, 1.0), roughness=0.9)
        scene.spawn(box((9.0, 2.6, 0.3)), wall, Transform(glm.vec3(0.0, 1.3, -2.4)))
        for side, roughness in ((-1.0, 0.05), (1.0, 0.3)):
            floor = Material(base_color=(0.05, 0.05, 0.055, 1.0), metallic=0.3, roughness=roughness)
            scene.spawn(box((8.0, 0.2, 16.0)), floor, Transform(glm.vec3(4.0 * side, -0.1, 0.0)))
        for x, color in ((-2.1, (0.75, 0.2, 0.12)), (0.35, (0.15, 0.35, 0.7)), (2.3, (0.8, 0.55, 0.1))):
            paint = Material(base_color=(*color, 1.0), roughness=0.6)
            scene.spawn(box((0.5, 1.9, 0.5), bevel=0.03), paint, Transform(glm.vec3(x, 0.95, -1.3)))
        scene.spawn(sphere(0.45), Material((0.95, 0.9, 0.85, 1), metallic=1.0, roughness=0.1), _at(-0.8, 0.45, 0.2))
        scene.spawn(sphere(0.35), Material((0.2, 0.6, 0.3, 1), roughness=0.5), _at(1.2, 0.35, 0.3))
        scene.spawn(sphere(0.16), Material((0, 0, 0, 1), emissive=(6.0, 3.2, 1.2)), _at(-1.5, 0.16, 0.9))
        scene.spawn(sphere(0.16), Material((0, 0, 0, 1), emissive=(1.2, 3.2, 6.0)), _at(0.55, 0.16, 1.1))


def _at(x: float, y: float, z: float) -> Transform:
    return Transform(glm.vec3(x, y, z))


class Yard(Courtyard):
    """The courtyard in a low sun, with a lamp between the things and a spotlight above them."""

    def setup(self, context: GameContext) -> None:
        """Build it."""
        super().setup(context)
        scene = context.scene
        scene.sky = Sky((0.16, 0.2, 0.3), (0.2, 0.2, 0.22), (0.08, 0.075, 0.07), 1.0)
        scene.sun = DirectionalLight(glm.vec3(-0.85, -0.7, 0.12), (1.0, 0.85, 0.65), 3.0)
        lamp = glm.vec3(0.0, 0.75, 1.0)
        scene.add_light(PointLight(lamp, (0.35, 0.6, 1.0), 5.0, 8.0, casts_shadow=True))
        glow = Material(emissive=(3.0, 5.0, 8.0))
        scene.spawn(sphere(0.06), glow, Transform(lamp), casts_shadow=False)
        above = glm.vec3(-2.6, 3.4, 1.6)
        aim = glm.vec3(-0.6, 0.3, -0.6) - above
        scene.add_light(SpotLight(above, aim, (1.0, 0.45, 0.2), 170.0, 12.0, 0.2, 0.4, casts_shadow=True))


class Table(Game):
    """Pencils, dice, a card and a plate on a table in a low sun: small things, which shadow maps do not resolve."""

    plugins = ("shadows", "tonemap")

    def setup(self, context: GameContext) -> None:
        """Build it."""
        scene = context.scene
        scene.sun = DirectionalLight(glm.vec3(-1.0, -0.55, 0.25), (1.0, 0.9, 0.75), 3.0)
        scene.camera = Camera(glm.vec3(0.1, 0.75, 1.2), glm.vec3(-0.02, 0.03, 0.0), fov_y=0.6)
        wood = Material(base_color=(0.55, 0.42, 0.3, 1.0), roughness=0.8)
        scene.spawn(plane(30, 30), wood)
        for number, color in enumerate(((0.7, 0.2, 0.15, 1.0), (0.15, 0.4, 0.6, 1.0), (0.8, 0.65, 0.2, 1.0))):
            turn = glm.angleAxis(0.9 + 0.5 * number, glm.vec3(0.0, 1.0, 0.0))
            place = Transform(glm.vec3(-0.22 + 0.05 * number, 0.009, 0.05 - 0.12 * number), turn)
            scene.spawn(box((0.34, 0.018, 0.018)), Material(base_color=color), place)
            die = Transform(glm.vec3(0.18 + 0.09 * number, 0.02, 0.2 - 0.06 * number), turn)
            scene.spawn(box(0.04, bevel=0.004), Material(base_color=color), die)
        paper = Material(base_color=(0.85, 0.85, 0.82, 1.0), roughness=0.9)
        leaning = glm.angleAxis(0.12, glm.vec3(0.0, 0.0, 1.0))
        scene.spawn(box((0.26, 0.004, 0.18)), paper, Transform(glm.vec3(0.2, 0.02, -0.15), leaning))
        scene.spawn(sphere(0.05), paper, Transform(glm.vec3(0.03, 0.05, 0.28)))


class Fire(Courtyard):
    """The courtyard at dusk with a fire between the things, its sparks and its smoke."""

    def setup(self, context: GameContext) -> None:
        """Light it."""
        super().setup(context)
        scene = context.scene
        scene.sky = Sky((0.1, 0.13, 0.2), (0.14, 0.13, 0.13), (0.05, 0.05, 0.05), 1.0)
        scene.sun = DirectionalLight(glm.vec3(-0.85, -0.4, 0.12), (1.0, 0.7, 0.45), 0.5)
        scene.add_light(PointLight(glm.vec3(-0.2, 0.35, 1.0), (1.0, 0.5, 0.2), 1.5, 6.0))
        flames = Particles(
            lifetime=(0.4, 0.9),
            speed=(0.5, 1.1),
            spread=0.35,
            radius=0.12,
            gravity=(0.0, 1.0, 0.0),
            sizes=(0.1, 0.09, 0.03),
            colors=((1.0, 0.5, 0.12, 0.0), (0.9, 0.3, 0.05, 0.35), (0.5, 0.08, 0.01, 0.0)),
            softness=0.1,
        )
        sparks = Particles(
            lifetime=(0.8, 1.6),
            speed=(1.0, 2.2),
            spread=0.5,
            radius=0.1,
            gravity=(0.0, -1.5, 0.0),
            drag=0.6,
            sizes=(0.012,),
            colors=((9.0, 4.0, 0.8, 1.0), (5.0, 1.0, 0.1, 0.0)),
        )
        smoke = Particles(
            lifetime=(1.6, 2.6),
            speed=(0.5, 0.8),
            spread=0.25,
            radius=0.1,
            gravity=(0.12, 0.35, 0.0),
            drag=0.3,
            sizes=(0.1, 0.25, 0.4),
            colors=((0.4, 0.4, 0.4, 0.0), (0.4, 0.4, 0.4, 0.22), (0.5, 0.5, 0.5, 0.0)),
            additive=False,
            lit=True,
            softness=0.3,
        )
        place = glm.vec3(-0.2, 0.08, 1.0)
        for particles, rate, height in ((smoke, 60.0, 0.55), (flames, 260.0, 0.0), (sparks, 70.0, 0.1)):
            scene.placed.add(Emitter(particles, place + glm.vec3(0.0, height, 0.0), rate=rate))


class Marked(Courtyard):
    """The courtyard in use: a painted arrow, a poster, puddles, moss, and holes in the wall."""

    def setup(self, context: GameContext) -> None:
        """Place decals."""
        super().setup(context)
        place = context.scene.placed.add
        down, ahead = glm.vec3(0.0, -1.0, 0.0), glm.vec3(0.0, 0.0, -1.0)
        y, x = (np.mgrid[:256, :256] + 0.5) / 256.0
        worn = _clouds(256, 9)
        arrow = ((y < 0.45) & (abs(x - 0.5) < y * 0.9)) | ((y >= 0.45) & (abs(x - 0.5) < 0.16))
        paint = _colored((235, 190, 40), arrow * np.clip(worn * 5.0 - 1.2, 0.0, 1.0))
        place(Decal(paint, glm.vec3(-1.3, 0.4, 0.3), down, (1.4, 2.6, 1.8), roughness=0.6, metallic=0.0))

        rings = 0.5 + 0.5 * np.sin(24.0 * np.hypot(x - 0.5, y - 0.6))
        poster = np.full((256, 256, 4), 255, np.uint8)
        poster[..., :3] = np.where((rings > 0.5)[..., None], (200, 60, 40), (240, 225, 190))
        poster[y > 0.86, :3] = (40, 60, 110)
        for number, turn in enumerate((0.05, -0.03)):
            where = glm.vec3(-1.3 + 0.85 * number, 1.75, -2.0)
            place(Decal(Image("poster", poster), where, ahead, (0.65, 0.9, 0.1), turn))

        puddle = _colored((40, 36, 30), np.clip((_clouds(256, 4) - 0.45) * 6.0, 0.0, 1.0) * _disk(x, y))
        for number, (px, pz, side) in enumerate(((0.6, 1.2, 1.7), (2.6, 0.4, 1.6))):
            place(
                Decal(
                    puddle, glm.vec3(px, 0.0, pz), down, (side, side, 0.1), 2.0 * number, roughness=0.06, opacity=0.85
                )
            )

        moss = _colored((70, 110, 35), np.clip((_clouds(256, 12) - 0.4) * 4.0, 0.0, 1.0) * _disk(x, y))
        for px, py, pz, side in (
            (0.6, 0.6, 0.1, 0.9),
            (2.0, 0.3, -0.3, 1.0),
            (-2.9, 0.2, -1.6, 1.6),
            (1.3, 2.6, -1.5, 1.6),
        ):
            place(Decal(moss, glm.vec3(px, py, pz), glm.vec3(-0.4, -1.0, -0.6), (side, side, 1.4), px, opacity=0.9))

        hole = np.hypot(x - 0.5, y - 0.5) * 2.0
        dent = np.stack([(x - 0.5) * 3.0, (0.5 - y) * 3.0, np.full_like(x, 0.8)], axis=-1)
        dent /= np.linalg.norm(dent, axis=-1, keepdims=True)
        normals = np.full((256, 256, 4), 255, np.uint8)
        normals[..., :3] = np.rint((dent * 0.5 + 0.5) * 255.0)
        chipped = _colored((60, 58, 56), np.clip((0.9 - hole) * 8.0 * worn, 0.0, 1.0))
        chips = Image("dent", normals, srgb=False)
        for px, py, side in (
            (1.1, 1.4, 0.16),
            (1.35, 1.75, 0.2),
            (1.2, 1.05, 0.14),
            (1.45, 1.3, 0.18),
            (-1.2, 2.2, 0.2),
        ):
            place(Decal(chipped, glm.vec3(px, py, -2.0), ahead, (side, side, 0.1), px, normal_image=chips))


def _colored(color: tuple[int, int, int], alpha: NDArray[np.float64]) -> Image:
    """An image of one colour."""
    pixels = np.empty((*alpha.shape, 4), np.uint8)
    pixels[..., :3] = color
    pixels[..., 3] = np.rint(alpha * 255.0)
    return Image("marks", pixels)


def _clouds(side: int, cells: int) -> NDArray[np.float64]:
    """Smooth noise from 0 to 1."""
    random = np.random.default_rng(cells)
    found = np.zeros((side, side))
    for octave in range(3):
        grid = random.uniform(0.0, 1.0, (cells << octave, cells << octave))
        enlarged = PIL.Image.fromarray(grid.astype(np.float32)).resize((side, side), PIL.Image.Resampling.BICUBIC)
        found += np.asarray(enlarged) * 0.5 ** (octave + 1)
    return np.clip(found / 0.875, 0.0, 1.0)


def _disk(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """1 in the middle, 0 at the edges."""
    return np.clip(2.0 * (1.0 - 2.0 * np.hypot(x - 0.5, y - 0.5)), 0.0, 1.0)


class Shafts(Courtyard):
    """The courtyard behind a fence, through which a low sun shines."""

    def setup(self, context: GameContext) -> None:
        """Build it."""
        super().setup(context)
        scene = context.scene
        scene.sky = Sky((0.1, 0.13, 0.2), (0.16, 0.17, 0.2), (0.08, 0.075, 0.07), 1.0)
        scene.sun = DirectionalLight(glm.vec3(0.9, -0.75, 0.55), (1.0, 0.8, 0.55), 6.0)
        scene.camera = Camera(glm.vec3(4.2, 1.5, 4.2), glm.vec3(-0.6, 1.4, -0.8), fov_y=0.8)
        wood = Material(base_color=(0.3, 0.2, 0.12, 1.0), roughness=0.9)
        for slat in range(7):
            scene.spawn(box((0.2, 5.0, 0.9)), wood, Transform(glm.vec3(-3.2, 2.5, -3.2 + 1.4 * slat)))
        pane = Material(base_color=(0.6, 0.8, 0.9, 0.25), roughness=0.1, alpha_mode="blend")
        scene.spawn(box((0.9, 0.9, 0.05)), pane, Transform(glm.vec3(1.9, 0.6, 1.4)))
        lamp = glm.vec3(-0.3, 1.0, 1.2)
        scene.add_light(PointLight(lamp, (0.35, 0.6, 1.0), 4.0, 8.0, casts_shadow=True))
        scene.spawn(sphere(0.06), Material(emissive=(3.0, 5.0, 8.0)), Transform(lamp), casts_shadow=False)


class Balls(Game):
    """Balls of paint and gold, smooth ones on the left, before a sky."""

    plugins = ("tonemap",)

    def setup(self, context: GameContext) -> None:
        """Build it."""
        scene = context.scene
        scene.sun = None
        scene.camera = Camera(glm.vec3(0.0, 1.0, 7.5), glm.vec3(0.0, -0.05, 0.0), fov_y=0.62)
        for row, (color, metallic) in enumerate((((0.6, 0.08, 0.08, 1.0), 0.0), ((0.95, 0.75, 0.4, 1.0), 1.0))):
            for column in range(6):
                place = Transform(glm.vec3(1.05 * column - 2.625, 0.55 - 1.1 * row, 0.0))
                material = Material(base_color=color, metallic=metallic, roughness=max(0.045, column / 5))
                scene.spawn(sphere(0.45), material, place)


class LitFromAround(Balls):
    """The same in a hall: bright windows behind the camera, warm lamps above, a red wall to the left."""

    def setup(self, context: GameContext) -> None:
        """Build it."""
        super().setup(context)
        context.scene.environment = Environment(hall(), turn=0.25)


def hall(height: int = 256) -> Panorama:
    """A panorama of a hall, drawn by its walls."""
    up, around = np.meshgrid(
        (0.5 - (np.arange(height) + 0.5) / height) * np.pi,
        ((np.arange(2 * height) + 0.5) / height - 1.0) * np.pi,
        indexing="ij",
    )
    to = np.stack([np.cos(up) * np.sin(around), np.sin(up), -np.cos(up) * np.cos(around)], axis=-1)
    # Where a ray from the middle meets the walls of a box, and which wall that is.
    box_size = np.array([5.0, 2.2, 5.0])
    reach = (box_size / np.maximum(np.abs(to), 1e-6)).min(axis=-1, keepdims=True)
    at = to * reach
    wall = np.abs(at) / box_size > 0.999
    light = np.full(to.shape, 0.35) * np.array([1.0, 0.95, 0.85])
    tiles = ((np.floor(at[..., 0]) + np.floor(at[..., 2])) % 2)[..., None]
    light = np.where(
        (wall[..., 1] & (at[..., 1] < 0))[..., None], 0.1 + 0.15 * tiles * np.array([1.0, 0.8, 0.6]), light
    )
    light = np.where((wall[..., 0] & (at[..., 0] < 0))[..., None], np.array([0.5, 0.06, 0.05]), light)
    pane = (np.abs(at[..., 0] % 2.5 - 1.25) < 0.9) & (at[..., 1] > -0.6) & (at[..., 1] < 1.6)
    light = np.where((wall[..., 2] & (at[..., 2] > 0) & pane)[..., None], np.array([5.0, 6.0, 8.0]), light)
    panelling = wall[..., 2] & (at[..., 2] < 0) & ((at[..., 1] < -0.9) | (np.abs(at[..., 0] % 1.25 - 0.625) > 0.6))
    light = np.where(panelling[..., None], np.array([0.12, 0.16, 0.2]), light)
    lamps = (np.abs(at[..., 0] % 2.5 - 1.25) < 0.25) & (np.abs(at[..., 2] % 2.5 - 1.25) < 0.25)
    light = np.where((wall[..., 1] & (at[..., 1] > 0) & lamps)[..., None], np.array([16.0, 11.0, 6.0]), light)
    return Panorama(light.astype(np.float32), "hall")
