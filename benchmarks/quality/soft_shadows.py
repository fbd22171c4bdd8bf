"""Soft shadows: the plugin's, and the mean of many pictures with hard shadows of a point light.

Every picture of the reference has the light at another point of its disk, so their mean is the shadow of a light of
that size. All pictures are in linear light, without a tone mapper.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from pyglm import glm

from benchmarks.quality.averages import disk
from benchmarks.quality.play import Floats, Settings, chosen, played
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PluginChoice
from renderwright.engine.scene import Camera, DirectionalLight, Material, PointLight, Sky, SpotLight, Transform
from renderwright.engine.scene.primitives import box, plane, sphere
from renderwright.engine.session import Session
from renderwright.render.backend.protocol import Backend
from renderwright.render.types.resources import Extent

SUN = glm.normalize(glm.vec3(-0.8, -1.0, -0.25))
SUN_ANGLE, REAL_SUN_ANGLE = 0.08, 0.0093
"""Angular diameters of a large sun and of the real sun, in radians."""
LAMP = glm.vec3(1.3, 1.6, 0.9)
LAMP_RADIUS, SMALL_LAMP_RADIUS = 0.12, 0.015
"""Radii of a lampshade and of a bulb, in metres."""
SHARP: Settings = {"softness": "0.5", "edges": "pcf"}
"""Settings of the hardest shadows of shadow maps."""


class Yard(Game):
    """Posts of several heights, a bridge and a ball: shadow edges near to and far from their casters."""

    title = "Yard"
    plugins = ("shadows",)

    def setup(self, context: GameContext) -> None:
        """Build the scene without a light."""
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
    """The yard in the sun."""

    def setup(self, context: GameContext) -> None:
        """Build the scene."""
        super().setup(context)
        context.scene.sun = DirectionalLight(glm.vec3(SUN), (1.0, 1.0, 1.0), 3.0)


class LampYard(Yard):
    """The yard by a lamp."""

    def setup(self, context: GameContext) -> None:
        """Build the scene."""
        super().setup(context)
        context.scene.add_light(PointLight(glm.vec3(LAMP), (1.0, 1.0, 1.0), 5.0, 12.0, casts_shadow=True))


class SpotYard(Yard):
    """The yard under a spotlight."""

    def setup(self, context: GameContext) -> None:
        """Build the scene."""
        super().setup(context)
        aim = glm.vec3(-0.4, 0.2, -0.2) - LAMP
        context.scene.add_light(SpotLight(glm.vec3(LAMP), aim, (1.0, 1.0, 1.0), 9.0, 12.0, 0.35, 0.6, True))


@dataclass(frozen=True)
class Case:
    """A yard, the size of its light, its settings, and the settings for hard shadows.

    ``size`` is the angular diameter of the sun, in radians, or the radius of a lamp, in metres.
    """

    game: type[Game]
    size: float
    settings: tuple[tuple[str, str], ...]
    sharp: tuple[tuple[str, str], ...]


def sun_case(angle: float, reference_size: int = 2048) -> Case:
    """A sun of that angular diameter; its hard shadows have maps of ``reference_size`` texels."""
    settings = (("sun_angle", str(angle)), ("distance", "12"), ("lights", "0"))
    return Case(SunYard, angle, settings, (("size", str(reference_size)),))


def lamp_case(radius: float, game: type[Game] = LampYard) -> Case:
    """A lamp of that radius."""
    settings = (("light_radius", str(radius)), ("size", "128"), ("lights", "1"))
    return Case(game, radius, settings, (("light_size", "1024"),))


CASES = {"sun": sun_case(SUN_ANGLE), "lamp": lamp_case(LAMP_RADIUS)}
"""Lights whose shadows have edges of different width."""


def reference(case: Case, backend: Backend, extent: Extent, lights: int) -> Floats:
    """The mean picture over ``lights`` points of the light, linear (height, width, 3)."""
    choice = chosen(shadows={**dict(case.settings), **SHARP, **dict(case.sharp)})
    with played(case.game, backend, extent, choice) as play:
        total = np.zeros((extent[1], extent[0], 3), np.float64)
        for place in disk(lights):
            _move_light(play.session, case.size, place)
            total += play.picture()
    return (total / lights).astype(np.float32)


def shaded(case: Case, backend: Backend, extent: Extent, settings: Settings | None) -> Floats:
    """A picture with these settings, in linear light; without shadows if ``settings`` is None."""
    choice = PluginChoice(disable=("shadows",))
    if settings is not None:
        choice = chosen(shadows={**dict(case.settings), **settings})
    with played(case.game, backend, extent, choice) as play:
        return play.picture()


def _move_light(session: Session, size: float, place: tuple[float, float]) -> None:
    """Move the light to a point of its disk: of the sun, or of the lamp as seen from the centre of the yard."""
    scene = session.context.scene
    towards = SUN if scene.sun is not None else glm.normalize(LAMP)
    right = glm.normalize(glm.cross(towards, glm.vec3(0.0, 1.0, 0.0)))
    up = glm.cross(right, towards)
    aside = right * place[0] + up * place[1]
    if scene.sun is not None:
        scene.sun.direction = SUN + aside * math.tan(0.5 * size)
        return
    lamps: list[PointLight | SpotLight] = [*scene.point_lights, *scene.spot_lights]
    lamps[0].position = LAMP + aside * size
