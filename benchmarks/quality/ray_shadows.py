"""Shadows of walls and boxes, and how much of the light each surface sees, by rays on the CPU.

Shadow maps cannot serve as the reference of their own faults: hard ones darken corners, too, and are not sharp within a
texel.
"""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np
from pyglm import glm

from benchmarks.quality.averages import disk
from benchmarks.quality.play import Floats, Settings, chosen, played
from benchmarks.quality.ray_scene import Doubles, RayScene, Shapes, cast, eye_rays
from renderwright.engine.game import GameContext
from renderwright.engine.options import PluginChoice
from renderwright.engine.scene import DirectionalLight, PointLight, Sky, SpotLight
from renderwright.engine.scene.light import Light
from renderwright.render.backend.protocol import Backend
from renderwright.render.types.resources import Extent

SUN_ANGLE = math.radians(0.53)
LAMP_RADIUS = 0.015
OFF_THE_SURFACE = 1e-5
"""Offset of ray origins in metres, so that no ray hits its own surface."""


class LitScene(RayScene):
    """The shapes in the light of ``light`` alone.

    ``size`` is the angular diameter of a sun, in radians, or the radius of a lamp, in metres.
    """

    plugins: ClassVar[tuple[str, ...]] = ("shadows",)
    light: ClassVar[DirectionalLight | Light]
    size: ClassVar[float]

    def setup(self, context: GameContext) -> None:
        """Build the scene."""
        super().setup(context)
        scene, light = context.scene, self.light
        scene.sky = Sky((0.0,) * 3, (0.0,) * 3, (0.0,) * 3)
        if isinstance(light, DirectionalLight):
            scene.sun = light
        else:
            scene.add_light(light)

    @classmethod
    def sized(cls, settings: Settings) -> Settings:
        """The settings with the size of the light."""
        setting = "sun_angle" if isinstance(cls.light, DirectionalLight) else "light_radius"
        return {**settings, setting: str(cls.size)}


def ray_reference(game: type[LitScene], backend: Backend, extent: Extent, rays: int) -> Floats:
    """The picture whose light is what ``rays`` points of the light send past the shapes, linear (height, width, 3)."""
    light: Floats = (lit(game, backend, extent, None) * visibility(game, extent, rays)[..., None]).astype(np.float32)
    return light


def lit(game: type[LitScene], backend: Backend, extent: Extent, settings: Settings | None) -> Floats:
    """A picture with these settings, in linear light; without shadows if ``settings`` is None."""
    choice = PluginChoice(disable=("shadows",)) if settings is None else chosen(shadows=settings)
    with played(game, backend, extent, choice) as play:
        return play.picture()


def visibility(game: type[LitScene], extent: Extent, rays: int) -> Doubles:
    """The visible share of the light at the surface of each texel, (height, width)."""
    origin, to = eye_rays(game, extent)
    flat = to.reshape(-1, 3)
    hits = cast(np.broadcast_to(origin, flat.shape), flat, game.shapes)
    shown = np.nonzero(hits.thing >= 0)[0]
    points = origin + flat[shown] * hits.distance[shown, None] + hits.normal[shown] * OFF_THE_SURFACE
    seen = np.zeros(len(shown))
    for place in disk(rays):
        towards, distance = _to_light(game, points, place)
        seen += cast(points, towards, game.shapes).distance >= distance
    result = np.ones(len(flat))
    result[shown] = seen / rays
    return result.reshape(to.shape[:2])


def _to_light(game: type[LitScene], points: Doubles, place: tuple[float, float]) -> tuple[Doubles, Doubles]:
    """Unit vectors (n, 3) to a point of the light's disk, and distances (n)."""
    light = game.light
    if isinstance(light, DirectionalLight):
        middle = -glm.normalize(light.direction)
        aside = _aside(middle, place) * np.tan(0.5 * game.size)
        towards = np.broadcast_to(np.array(middle.to_list()) + aside, points.shape)
        return towards / np.linalg.norm(towards, axis=1, keepdims=True), np.full(len(points), np.inf)
    at = np.array(light.position.to_list()) + _aside(glm.normalize(light.position - game.aim), place) * game.size
    away = at - points
    distance = np.linalg.norm(away, axis=1)
    return away / distance[:, None], distance


def _aside(towards: glm.vec3, place: tuple[float, float]) -> Doubles:
    right = glm.normalize(glm.cross(towards, glm.vec3(0.0, 1.0, 0.0)))
    moved = right * place[0] + glm.cross(right, towards) * place[1]
    return np.array(moved.to_list(), np.float64)


class Corner(LitScene):
    """Two walls and the ground meet, all of them lit."""

    shapes = Shapes(boxes=(((-2.0, 0.0, -1.5), (4.0, 2.0, -1.0)), ((-2.0, 0.0, -1.5), (-1.0, 2.0, 4.0))))
    place, aim, fov = glm.vec3(-0.35, 0.45, -0.25), glm.vec3(-0.95, 0.08, -0.95), 0.6
    size = SUN_ANGLE


class LowSunCorner(Corner):
    """The sun grazes the ground."""

    light = DirectionalLight(glm.vec3(-1.0, -0.2, -0.8), (1.0, 1.0, 1.0), 3.0)


class HighSunCorner(Corner):
    """The sun grazes the walls."""

    light = DirectionalLight(glm.vec3(-0.2, -1.0, -0.25), (1.0, 1.0, 1.0), 3.0)


class SideSunCorner(Corner):
    """The sun grazes one wall and shines at the other."""

    light = DirectionalLight(glm.vec3(-1.0, -0.7, -0.15), (1.0, 1.0, 1.0), 3.0)


class LampCorner(Corner):
    """By a lamp."""

    light = PointLight(glm.vec3(0.6, 0.5, 0.9), (1.0, 1.0, 1.0), 5.0, 12.0, casts_shadow=True)
    size = LAMP_RADIUS


class SpotCorner(Corner):
    """Under a spotlight."""

    light = SpotLight(glm.vec3(1.4, 1.5, 1.2), glm.vec3(-2.0, -1.35, -1.8), (1.0, 1.0, 1.0), 9.0, 12.0, 0.5, 0.7, True)
    size = LAMP_RADIUS


class Contact(LitScene):
    """Posts, a slab and a ball on the ground: edges of shadows right at what throws them."""

    shapes = Shapes(
        boxes=(
            ((-0.5, 0.0, -0.3), (-0.38, 0.9, -0.18)),
            ((0.0, 0.0, -0.4), (0.5, 0.12, 0.1)),
            ((-0.2, 0.0, 0.25), (-0.16, 0.3, 0.29)),
        ),
        balls=(((0.45, 0.15, 0.45), 0.15),),
    )
    place, aim, fov = glm.vec3(0.5, 1.5, 2.0), glm.vec3(-0.1, 0.0, 0.0), 0.6
    light: ClassVar[DirectionalLight | Light] = DirectionalLight(glm.vec3(-0.8, -1.0, -0.25), (1.0, 1.0, 1.0), 3.0)
    size = SUN_ANGLE


class LampContact(Contact):
    """By a lamp."""

    light = PointLight(glm.vec3(0.9, 1.0, 0.5), (1.0, 1.0, 1.0), 5.0, 12.0, casts_shadow=True)
    size = LAMP_RADIUS


class Distant(LitScene):
    """Beams high above the ground: edges of shadows far from what throws them."""

    shapes = Shapes(
        boxes=(
            ((5.0, 6.0, 1.0), (5.2, 6.2, 2.5)),
            ((4.3, 6.0, 1.0), (4.5, 6.2, 3.5)),
            ((3.5, 5.0, 0.5), (3.8, 5.2, 3.0)),
        )
    )
    place, aim, fov = Contact.place, Contact.aim, Contact.fov
    light = Contact.light
    size = SUN_ANGLE


CORNERS: dict[str, tuple[type[LitScene], ...]] = {
    "sun": (LowSunCorner, HighSunCorner, SideSunCorner),
    "lamps": (LampCorner, SpotCorner),
}
"""Corners without a shadow, by light."""
EDGES: dict[str, type[LitScene]] = {
    "contact, sun": Contact,
    "contact, lamp": LampContact,
    "far shadows, sun": Distant,
}
"""Edges of shadows at some distances from their casters."""
