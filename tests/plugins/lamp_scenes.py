"""Scenes of many lamps, and frames in which every cluster has every lamp."""

from __future__ import annotations

import math
import random
from contextlib import closing
from pathlib import Path

from playing import Picture, frames_of
from pyglm import glm

from renderwright.engine.game import Game, GameContext
from renderwright.engine.renderer.blobs import CameraView
from renderwright.engine.renderer.lights.clusters import CLUSTERS, SCENE_LIGHTS, ViewLightGrid
from renderwright.engine.scene import Camera, Light, PointLight, RectangleLight, Sky, SpotLight
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box, plane, sphere
from renderwright.engine.scene.transform import Transform
from renderwright.engine.session import Session
from renderwright.render import Buffer, Commands, Execute, Registry

GLSL = Path(__file__).parent / "glsl"
MANY = 500


def lamps(count: int, seed: int = 1) -> list[Light]:
    """Point, spot and rectangle lights around the origin, of all sizes, some of them far off."""
    chance = random.Random(seed)
    made: list[Light] = []
    for number in range(count):
        place = glm.vec3(chance.uniform(-14, 14), chance.uniform(-0.5, 4), chance.uniform(-40, 8))
        color = (chance.random(), chance.random(), chance.random())
        radius, power = chance.choice((0.3, 0.8, 1.5, 3.0, 9.0)), chance.uniform(0.2, 2.0)
        if number % 10 == 5:
            facing = glm.vec3(chance.gauss(0, 1), chance.gauss(0, 1), chance.gauss(0, 1))
            made.append(RectangleLight(place, facing, color=color, intensity=power, radius=2.0 * radius))
        elif number % 3:
            made.append(PointLight(place, color, power, radius))
        else:
            direction = glm.vec3(chance.gauss(0, 1), chance.gauss(0, 1), chance.gauss(0, 1))
            outer = chance.uniform(0.1, 0.5 * math.pi)
            made.append(SpotLight(place, direction, color, 3.0 * power, 2.0 * radius, 0.5 * outer, outer))
    return made


class Street(Game):
    """A ground with boxes and balls under many lamps, seen by up to four players."""

    title = "Street"
    plugins = ("tonemap",)
    max_players = 4
    lamps = MANY

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.sun, scene.sky = None, Sky(intensity=0.02)
        scene.spawn(plane(80, 80), Material((0.6, 0.6, 0.6, 1.0), roughness=0.6))
        for number in range(12):
            x, z = number % 4 * 3.0 - 4.5, -4.0 * (number // 4)
            shape = box(1.2) if number % 2 else sphere(0.8)
            scene.spawn(shape, Material((0.8, 0.7, 0.6, 1.0), roughness=0.3), Transform(glm.vec3(x, 0.6, z)))
        for lamp in lamps(self.lamps):
            scene.add_light(lamp)
        self._seat()

    def update(self, dt: float) -> None:
        if len(self.context.scene.cameras) != self.context.players:
            self._seat()

    def _seat(self) -> None:
        places = (glm.vec3(0.3, 1.6, 7.0), glm.vec3(-9.0, 3.0, -2.0), glm.vec3(3.0, 0.4, 0.2), glm.vec3(0, 30, 0.1))
        self.context.scene.cameras = [Camera(place, glm.vec3(0, 0.5, -3)) for place in places[: self.context.players]]
        self.context.scene.snap_cameras()


class ForwardStreet(Street):
    """The same by the forward skeleton."""

    skeleton = "forward"


def every_light(reg: Registry) -> Execute:
    """Declare function of a node that replaces ``cluster_lights``."""
    reg.read(SCENE_LIGHTS).storage_read("compute")
    grid = reg.read("light_grid", ViewLightGrid).bind("light_grid_of_view")
    reg.read("view_camera", CameraView)
    reg.create(CLUSTERS, Buffer(4, reg.resolution(CLUSTERS))).storage_write("compute")
    pipeline = reg.compute("every_light.comp")

    def execute(cmd: Commands) -> None:
        width, _ = cmd.resolution(CLUSTERS)
        assert grid.value.of_view.lights
        cmd.dispatch(pipeline, (width, 1))

    return execute


def both_pictures(session: Session, frames: int = 1) -> tuple[Picture, Picture]:
    """Of one moment: the picture by clusters, and that by a loop over all lights for each texel."""
    with closing(session):
        clustered = frames_of(session, frames)[-1]
        session.graph.add_node("cluster_lights", every_light, shader_paths=(GLSL,))
        return clustered, frames_of(session, 1, still=True)[-1]
