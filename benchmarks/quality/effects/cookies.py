"""Light cookies against the texels of their image that rays from the eye find on the ground, in float64."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from pyglm import glm

from benchmarks.quality.effects.decals import FEW
from benchmarks.quality.play import chosen, played
from benchmarks.quality.ray_scene import Doubles, RayScene, Shapes, eye_rays
from benchmarks.quality.row import Row, compared
from renderwright.engine.game import GameContext
from renderwright.engine.scene import Sky, SpotLight
from renderwright.plugins.cookies import Cookie
from renderwright.render.backend.protocol import Backend
from renderwright.render.types.resources import Extent

EXTENT: Extent = (240, 135)
LAMP, AXIS, UP, ANGLE = (1.5, 3.0, 1.0), (-0.4, -1.0, -0.3), (0.0, 1.0, 0.0), 0.5


class Ground(RayScene):
    """A ground in the light of a lamp alone."""

    shapes = Shapes((), ())
    projects = False

    def setup(self, context: GameContext) -> None:
        """Build the scene."""
        super().setup(context)
        context.scene.sky = Sky(intensity=0.0)
        axis = glm.vec3(*AXIS)
        lamp = SpotLight(
            glm.vec3(*LAMP), axis, intensity=60.0, radius=30.0, inner_angle=ANGLE - 0.05, outer_angle=ANGLE
        )
        context.scene.add_light(lamp)
        if self.projects:
            context.scene.placed.add(Cookie(lamp, FEW, glm.vec3(*UP)))


class Projected(Ground):
    """With an image before the lamp."""

    projects = True


def rows(backend: Backend) -> Iterator[Row]:
    """The row of cookies."""
    lights = []
    for game in (Ground, Projected):
        with played(game, backend, EXTENT, chosen(["cookies"])) as play:
            play.frames(2)
            lights.append(play.light())
    bare, with_it = lights
    right = (bare * image_on_ground()).astype(np.float32)
    yield compared("cookies", "the image where rays meet the ground, in float64", right, bare, with_it)


def image_on_ground() -> Doubles:
    """The linear light of the image, (height, width, 3), where the eye sees it on the ground; 1 beside."""
    eye, rays = eye_rays(Ground, EXTENT)
    with np.errstate(divide="ignore", invalid="ignore"):
        places = eye + rays * (-eye[1] / rays[..., 1:2])
    away = places - np.array(LAMP)
    axis = np.array(AXIS) / np.linalg.norm(AXIS)
    top = np.array(UP) - axis * (np.array(UP) @ axis)
    top /= np.linalg.norm(top)
    half = (away @ axis) * math.tan(ANGLE)
    u, v = 0.5 + 0.5 * (away @ np.cross(axis, top)) / half, 0.5 - 0.5 * (away @ top) / half
    inside = (rays[..., 1] < 0) & (half > 0) & (np.maximum(abs(u - 0.5), abs(v - 0.5)) < 0.5)
    return np.where(inside[..., None], _sampled(np.where(inside, u, 0.5), np.where(inside, v, 0.5)), 1.0)


def _sampled(u: Doubles, v: Doubles) -> Doubles:
    """The image's linear colours, blended between the nearest four texels."""
    value = FEW.pixels[..., :3] / 255.0
    linear = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    rows_of, columns = linear.shape[:2]
    x, y = np.clip(u * columns - 0.5, 0, columns - 1.001), np.clip(v * rows_of - 0.5, 0, rows_of - 1.001)
    left, above = x.astype(int), y.astype(int)
    right, down = (x - left)[..., None], (y - above)[..., None]
    upper = linear[above, left] * (1 - right) + linear[above, left + 1] * right
    lower = linear[above + 1, left] * (1 - right) + linear[above + 1, left + 1] * right
    return np.asarray(upper * (1 - down) + lower * down)
