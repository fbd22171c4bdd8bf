"""Pictures of the scene for a camera of one's own: what is in them, the sun's shadows, their size and their rate."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

import numpy as np
import pytest
from numpy.typing import NDArray
from pyglm import glm

from renderwright.engine.game import Game, GameContext
from renderwright.engine.renderer.blobs import CameraView, LightSet
from renderwright.engine.renderer.scene_pictures import SunBox, scene_picture
from renderwright.engine.scene import Camera, Image, Material, PointLight, SurfaceShader, Transform
from renderwright.engine.scene.primitives import box, plane
from renderwright.engine.testing import PlayedGame
from renderwright.render import Commands, Execute, Registry
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

SIZE = (96, 54)
PLACE, TARGET = glm.vec3(0.5, 2.0, 4.0), glm.vec3(0.0, 0.4, 0.0)

stripes = np.full((8, 8, 4), 255, np.uint8)
stripes[:, 1::2, 3] = 0
VALUES = {"roughness": 0.4, "tint": (0.8, 0.2, 0.1), "strength": (0.0, 1.0)}


class Yard(Game):
    """A box on a floor, a fence with holes, a lamp, the sun and the sky."""

    plugins = ()
    skeleton = "forward"

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.camera = Camera(PLACE, TARGET)
        scene.sun.direction = glm.vec3(0.5, -1.0, 0.6)
        scene.spawn(plane(20, 20), Material(roughness=0.9))
        scene.spawn(box(0.8), Material((0.8, 0.2, 0.1, 1)), Transform(glm.vec3(0.2, 1.2, 0.0)))
        fence = Material((0.2, 0.6, 0.1, 1), base_color_image=Image("s", stripes), alpha_mode="mask", double_sided=True)
        upright = glm.angleAxis(np.pi / 2, glm.vec3(1, 0, 0))
        scene.spawn(plane(2.0, 1.0), fence, Transform(glm.vec3(-1.5, 0.5, 0.3), upright))
        scene.add_light(PointLight(glm.vec3(1.5, 0.8, 1.0), (0.2, 0.4, 1.0), 6.0, 6.0))


class Aim:
    """The node that says from where; ``shadows`` is the radius of the sun's map in metres, 0 for none."""

    def __init__(self, *, shadows: float = 0.0) -> None:
        self.camera = Camera(PLACE, TARGET)
        self._shadows = shadows

    def declare(self, reg: Registry) -> Execute:
        reg.multiplex()
        camera, sun = reg.create("screen/eye", CameraView), reg.create("screen/sun", SunBox)
        lights = reg.read("lights", LightSet)

        def execute(cmd: Commands) -> None:
            camera.value = CameraView.of(self.camera, SIZE, 0.0)
            lit = SunBox.of(lights.value, glm.vec3(0.0), self._shadows or 1.0)
            sun.value = SunBox(lit.matrix, lit.texel if self._shadows else 0.0)

        return execute


@contextmanager
def screen(backend: VulkanBackend, aim: Aim, scale: float = 1.0, **changes: object) -> Iterator[PlayedGame]:
    """A game with the nodes of a picture."""
    with PlayedGame(type("Screened", (Yard,), changes), size=SIZE, backend=backend) as played:
        played.session.graph.add_node("aim", aim.declare)
        nodes = scene_picture("screen/picture", camera="screen/eye", sun="screen/sun", scale=scale)
        for name, declare in nodes.items():
            played.session.graph.add_node(name, declare)
        played.picture()
        yield played


def light(played: PlayedGame, name: str) -> NDArray[np.float32]:
    return played.texture(name)[..., :3].astype(np.float32)


def test_from_the_eye_of_the_view_it_is_what_the_view_shows(backend: VulkanBackend) -> None:
    with screen(backend, Aim()) as played:
        ours, right = light(played, "screen/picture"), light(played, "hdr_lit")
    assert right.std() > 0.05, "there is something to see"
    assert np.allclose(ours, right, rtol=0.01, atol=0.005)


class PaintedYard(Yard):
    """All but the floor has a function in GLSL, which makes holes."""

    def setup(self, context: GameContext) -> None:
        Yard.setup(self, context)
        surface = SurfaceShader("patterned.glsl", VALUES, {"pattern": Image("s", stripes, filter="nearest")})
        for entity in context.scene.entities[1:]:
            entity.material = Material(alpha_mode=entity.material.alpha_mode, double_sided=True, surface=surface)


def test_surface_functions_are_in_it(backend: VulkanBackend) -> None:
    with screen(backend, Aim(), setup=PaintedYard.setup) as played:
        ours, right = light(played, "screen/picture"), light(played, "hdr_lit")
    with screen(backend, Aim()) as played:
        plain = light(played, "screen/picture")
    assert np.allclose(ours, right, rtol=0.01, atol=0.005)
    assert (np.abs(ours - plain).max(axis=2) > 0.05).mean() > 0.02


def test_it_shows_what_the_camera_sees_and_has_its_size(backend: VulkanBackend) -> None:
    aim = Aim()
    aim.camera = Camera(glm.vec3(0.0, 1.0, 4.0), glm.vec3(0.0, 1.0, 8.0))
    with screen(backend, aim, 0.5) as played:
        away = light(played, "screen/picture")
    assert away.shape == (SIZE[1] // 2, SIZE[0] // 2, 3)
    assert (away[..., 0] < 1.5 * away[..., 2]).all(), "the red box is behind this camera"


@pytest.mark.parametrize("casts", [True, False])
def test_the_sun_has_shadows_in_its_box_if_it_casts_any(backend: VulkanBackend, casts: bool) -> None:
    with screen(backend, Aim()) as played:
        without = light(played, "screen/picture")
    with screen(backend, Aim(shadows=6.0)) as played:
        played.session.context.scene.sun.casts_shadow = casts
        played.picture()
        shaded = light(played, "screen/picture")
    darker = (shaded.sum(axis=2) < 0.8 * without.sum(axis=2)).mean()
    assert (darker > 0.02) == casts
    assert (shaded <= without + 0.01).all()


def test_it_is_drawn_when_the_camera_changes(backend: VulkanBackend) -> None:
    aim, drawing = Aim(), []
    with screen(backend, aim) as played, closing(backend.create_target(SIZE)) as target:
        played.session.graph.add_node("reader", reader)
        for frame in range(6):
            if frame == 4:
                aim.camera = Camera(PLACE + glm.vec3(0.0, 0.0, 0.1), TARGET)
            played.session.step()
            report = played.session.render(target)
            assert report is not None
            drawing.append("draw_opaque" not in report.resting)
        backend.wait_idle()
    assert drawing[1:] == [False, False, False, True, False]


def reader(reg: Registry) -> Execute:
    """A node for which the picture is drawn at all."""
    reg.modify("hdr_lit").color()
    reg.read("screen/picture").sampled(stage="fragment")
    reg.after("forward_opaque")
    return lambda cmd: None
