"""Small scenes with shadows, and what the shadow nodes make of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from pyglm import glm

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PluginChoice, SettingChange
from renderwright.engine.scene import DirectionalLight, PointLight, SpotLight
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box, plane, sphere
from renderwright.engine.scene.transform import Transform
from renderwright.engine.session import Session
from renderwright.render.backend.protocol import Backend

EXTENT = (128, 72)
SEEN = ("sun_visibility", "light_visibility")


class Floor(Game):
    """A floor seen from above at an angle, lit by the sun alone, with nothing on it."""

    title = "Floor"
    plugins = ("shadows",)
    sun = glm.vec3(-0.5, -1.0, -0.3)

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.camera.position = glm.vec3(0.0, 3.0, 5.0)
        scene.camera.target = glm.vec3(0.0, 0.0, 0.0)
        scene.sun = DirectionalLight(glm.vec3(self.sun))
        scene.spawn(plane(400, 400), Material(base_color=(0.5, 0.5, 0.5, 1)))


class GrazedFloor(Floor):
    """The same in the last light of the day."""

    sun = glm.vec3(-1.0, -0.15, -0.2)


class Ball(Floor):
    """A ball that hovers over the floor, and a box that stands on it."""

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        grey = Material(base_color=(0.5, 0.5, 0.5, 1))
        context.scene.spawn(sphere(0.4), grey, Transform(glm.vec3(0.0, 1.0, 0.0)))
        context.scene.spawn(box(0.8), grey, Transform(glm.vec3(-1.5, 0.4, 0.5)))


class Lamp(Ball):
    """Lit by a lamp above the ball instead; the sun is off."""

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        context.scene.sun = None
        context.scene.add_light(PointLight(glm.vec3(0.3, 2.5, 0.0), radius=30.0, casts_shadow=True))


class Spotlight(Lamp):
    """Lit by a spotlight at that place."""

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        (lamp,) = context.scene.point_lights
        context.scene.remove_light(lamp)
        down = glm.vec3(-0.05, -1.0, 0.0)
        context.scene.add_light(
            SpotLight(lamp.position, down, radius=30.0, inner_angle=0.7, outer_angle=0.9, casts_shadow=True)
        )


class Forward(Ball):
    """By the forward skeleton, which has no normals."""

    skeleton = "forward"


class Blades(Forward):
    """Upright blades, narrower than a texel, before the sun-lit floor. They cast no shadows."""

    def setup(self, context: GameContext) -> None:
        Floor.setup(self, context)
        context.scene.camera.target = glm.vec3(0.0, 0.2, 0.0)
        green = Material(base_color=(0.2, 0.6, 0.1, 1), double_sided=True)
        blade = box((0.03, 0.5, 0.005))
        for number in range(300):
            across, ahead = (number * 0.618) % 4.0 - 2.0, (number * 0.137) % 4.0 - 2.0
            grown = context.scene.spawn(blade, green, Transform(glm.vec3(across, 0.25, ahead)))
            grown.casts_shadow = False


class BladesWithNormals(Blades):
    """By the deferred skeleton."""

    skeleton = "deferred"


class Play:
    """A game with shadows whose visibilities can be looked at."""

    def __init__(
        self,
        game: type[Game],
        backend: Backend,
        extent: tuple[int, int] = EXTENT,
        *,
        strict: bool = True,
        **settings: object,
    ) -> None:
        changes = tuple(SettingChange("shadows", key, str(value)) for key, value in settings.items())
        choice = PluginChoice(settings=changes)
        clock = FixedStepClock(game.step, frame=1 / 60)
        self.session = Session(game, backend, extent, choice=choice, clock=clock, strict=strict)
        self.target = backend.create_target(extent)
        scene = self.session.context.scene
        casting = any(light.casts_shadow for light in scene.lights if not isinstance(light, DirectionalLight))
        for name in SEEN if casting and settings.get("lights", 1) else SEEN[:1]:
            self.session.graph.add_sink(name)

    def frames(self, count: int = 1) -> Play:
        for _ in range(count):
            self.session.step()
            self.session.render(self.target)
        return self

    def sun(self) -> np.ndarray:
        """How much of the sun is seen, float32 (height, width), 0 to 1."""
        return self._seen("sun_visibility")[..., 0]

    def local(self, channel: int = 0) -> np.ndarray:
        """How much of a local light is seen, likewise."""
        return self._seen("light_visibility")[..., channel]

    def _seen(self, name: str) -> np.ndarray:
        instance, runtime = self.instance(name), self.session.runtime
        texture, layout = runtime.resource(instance), dict(runtime.plan.sync.layouts_left)[instance]
        return np.asarray(self.session.backend.read_texture(texture, layout)).astype(np.float32) / 255

    def instance(self, name: str) -> str:
        """The first instance of a resource."""
        graph = self.session.runtime.plan.graph
        return next(item.id for item in graph.resources if name in item.resource.names)

    def texel(self, x: float, y: float, z: float) -> tuple[int, int]:
        """Row and column where the picture shows a point of the world."""
        width, height = self.session.extent
        camera = self.session.context.scene.camera
        clip = camera.projection(width / height) * camera.view() * glm.vec4(x, y, z, 1.0)
        return int((0.5 - 0.5 * clip.y / clip.w) * height), int((0.5 + 0.5 * clip.x / clip.w) * width)

    def close(self) -> None:
        self.target.close()
        self.session.close()


@contextmanager
def playing(
    game: type[Game], backend: Backend, extent: tuple[int, int] = EXTENT, *, strict: bool = True, **settings: object
) -> Iterator[Play]:
    play = Play(game, backend, extent, strict=strict, **settings)
    try:
        yield play
    finally:
        play.close()
