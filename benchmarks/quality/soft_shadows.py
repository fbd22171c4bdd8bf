"""Soft shadows: those of the plugin, and the mean of many pictures that each have one hard shadow of a point light.

Every picture of the reference has the light at another place of its disk, so their mean is the shadow of a light
of that size. All of it is in linear light and without a tone mapper.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from pyglm import glm

from benchmarks.quality.linear import Floats, played
from engine.game import Game, GameContext
from engine.options import PluginChoice, SettingChange
from engine.scene import Camera, DirectionalLight, Material, PointLight, Sky, Transform
from engine.scene.primitives import box, plane, sphere
from engine.session import Session
from render.backend.protocol import Backend
from render.graph.resources import Extent

Settings = dict[str, str]

SUN = glm.normalize(glm.vec3(-0.8, -1.0, -0.25))
SUN_ANGLE = 0.08
"""Across the sun, in radians."""
LAMP = glm.vec3(1.3, 1.6, 0.9)
LAMP_RADIUS = 0.12
"""Of the lamp, in metres."""
SHARP: Settings = {"softness": "0.5", "edges": "pcf"}
"""Shadows as hard as maps can make them."""


class Yard(Game):
    """Posts of several heights, a bridge and a ball: edges near to and far from what throws them."""

    title = "Yard"
    plugins = ("shadows",)

    def setup(self, context: GameContext) -> None:
        """Build it without a light."""
        scene = context.scene
        scene.sun = None
        scene.sky = Sky((0.05, 0.06, 0.08), (0.05, 0.05, 0.05), (0.02, 0.02, 0.02))
        scene.camera = Camera(glm.vec3(0.6, 2.6, 3.2), glm.vec3(-0.5, 0.2, -0.1), fov_y=0.8)
        grey = Material(base_color=(0.6, 0.6, 0.6, 1.0), roughness=0.95)
        scene.spawn(plane(20, 20), grey)
        for number in range(4):
            height = 0.3 + 0.4 * number
            place = glm.vec3(-1.2 + 0.5 * number, 0.5 * height, -0.8 + 0.1 * number)
            scene.spawn(box((0.14, height, 0.14)), grey, Transform(place))
        scene.spawn(box((0.5, 0.08, 0.9)), grey, Transform(glm.vec3(0.4, 0.7, 0.6)))
        scene.spawn(sphere(0.22), grey, Transform(glm.vec3(-0.6, 0.5, 0.5)))


class SunYard(Yard):
    """In the sun."""

    def setup(self, context: GameContext) -> None:
        """Build it."""
        super().setup(context)
        context.scene.sun = DirectionalLight(glm.vec3(SUN), (1.0, 1.0, 1.0), 3.0)


class LampYard(Yard):
    """By a lamp."""

    def setup(self, context: GameContext) -> None:
        """Build it."""
        super().setup(context)
        context.scene.add_light(PointLight(glm.vec3(LAMP), (1.0, 1.0, 1.0), 5.0, 12.0, casts_shadow=True))


@dataclass(frozen=True)
class Case:
    """A yard, the settings that tell how large its light is, and those that make its shadows hard."""

    game: type[Game]
    settings: tuple[tuple[str, str], ...]
    sharp: tuple[tuple[str, str], ...] = ()


CASES = {
    "sun": Case(SunYard, (("sun_angle", str(SUN_ANGLE)), ("distance", "12"), ("lights", "0")), (("size", "2048"),)),
    "lamp": Case(
        LampYard, (("light_radius", str(LAMP_RADIUS)), ("size", "128"), ("lights", "1")), (("light_size", "1024"),)
    ),
}


def reference(case: Case, backend: Backend, extent: Extent, lights: int) -> Floats:
    """The mean light over so many places of the light, linear (height, width, 3)."""
    with played(case.game, backend, extent, _choice({**dict(case.settings), **SHARP, **dict(case.sharp)})) as play:
        total = np.zeros((extent[1], extent[0], 3), np.float64)
        for number in range(lights):
            _move_light(play.session, number, lights)
            total += play.picture()
    return (total / lights).astype(np.float32)


def shaded(case: Case, backend: Backend, extent: Extent, settings: Settings | None) -> Floats:
    """One picture with these settings, the same way; without settings, one without shadows."""
    choice = PluginChoice(disable=("shadows",)) if settings is None else _choice({**dict(case.settings), **settings})
    with played(case.game, backend, extent, choice) as play:
        return play.picture()


def _choice(settings: Settings) -> PluginChoice:
    return PluginChoice(settings=tuple(SettingChange("shadows", key, value) for key, value in settings.items()))


def _move_light(session: Session, number: int, count: int) -> None:
    """To one of ``count`` places, evenly over the disk of the sun or the ball of the lamp."""
    share, turn = (number + 0.5) / count, number * math.pi * (3.0 - math.sqrt(5.0))
    scene = session.context.scene
    if scene.sun is not None:
        right = glm.normalize(glm.cross(SUN, glm.vec3(0.0, 1.0, 0.0)))
        up = glm.cross(right, SUN)
        reach = math.tan(0.5 * SUN_ANGLE) * math.sqrt(share)
        scene.sun.direction = SUN + right * (reach * math.cos(turn)) + up * (reach * math.sin(turn))
        return
    (lamp,) = scene.point_lights
    # As seen from the middle of the yard the lamp is a disk; its depth hardly matters.
    towards = glm.normalize(LAMP)
    right = glm.normalize(glm.cross(towards, glm.vec3(0.0, 1.0, 0.0)))
    up = glm.cross(right, towards)
    reach = LAMP_RADIUS * math.sqrt(share)
    lamp.position = LAMP + right * (reach * math.cos(turn)) + up * (reach * math.sin(turn))
