"""Surface functions: each surface looks like a plain one that amounts to the same, on both backends."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import cycle

import numpy as np
import pytest
from hand_driven import HandDriven
from playing import SHADERS, Picture, frames_of
from pyglm import glm

from renderwright.engine.backends import make_backend
from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import BackendName, PlayOptions, PluginChoice, SettingChange
from renderwright.engine.scene import Coat, Image, Probe, SpotLight, SurfaceShader
from renderwright.engine.scene.camera import Camera
from renderwright.engine.scene.material import AlphaMode, Material
from renderwright.engine.scene.mesh import Mesh
from renderwright.engine.scene.primitives import plane, sphere
from renderwright.engine.scene.scene import Scene
from renderwright.engine.scene.transform import Transform
from renderwright.engine.session import Session
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

EXTENT = (128, 72)
TINT = (0.8, 0.2, 0.1)
BALL = sphere(0.7)

texels = np.zeros((8, 2, 4), np.uint8)
texels[...] = 255
texels[::2, 0] = texels[1::2, 1] = (20, 60, 250, 255)
CHECKS = Image("checks", texels, filter="nearest")
with_holes = texels.copy()
with_holes[::2, 0, 3] = 0
HOLES = Image("holes", with_holes, filter="nearest")


class Stage(Game):
    """A ball over a floor in the light of the sun, the sky and a lamp, all of which cast shadows."""

    plugins = ("shadows",)
    max_players = 2
    culling = None
    material: Material
    mesh = BALL
    more: Callable[[Scene], object] = staticmethod(lambda scene: None)

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        eyes = (glm.vec3(0.4, 1.4, 2.6), glm.vec3(-1.2, 1.0, 2.4))
        scene.cameras = [Camera(eye, glm.vec3(0, 0.5, 0)) for eye in eyes[: context.players]]
        scene.spawn(plane(8, 8), Material((0.3, 0.3, 0.3, 1.0), roughness=0.9))
        scene.add_light(SpotLight(glm.vec3(-1, 2, 2), glm.vec3(0.4, -0.6, -0.8), intensity=20.0, casts_shadow=True))
        scene.spawn(self.mesh, self.material, Transform(glm.vec3(0, 0.7, 0)))
        type(self).more(scene)


def picture(
    backend: Backend, material: Material, skeleton: str = "deferred", plugins: tuple[str, ...] = (), **more: object
) -> Picture:
    """The last of two frames of a ball with a material; ``more`` are fields of the game."""
    fields = {"skeleton": skeleton, "material": material, **more}
    game = type("Placed", (Stage,), fields)
    clock = FixedStepClock(game.step, frame=1.0 / 60.0)
    choice = PluginChoice(enable=plugins)
    session = Session(game, backend, EXTENT, clock=clock, choice=choice, strict=True, shaders=SHADERS)
    with closing(session):
        return frames_of(session, 2)[-1]


def own(image: Image = CHECKS, mode: AlphaMode = "opaque", **more: object) -> Material:
    surface = SurfaceShader(
        "patterned.glsl", {"roughness": 0.4, "tint": TINT, "strength": (0.0, 1.0)}, {"pattern": image}
    )
    return Material(alpha_mode=mode, roughness=1.0, surface=surface, **more)  # type: ignore[arg-type]


def plain(image: Image = CHECKS, mode: AlphaMode = "opaque", **more: object) -> Material:
    return Material((*TINT, 1.0), base_color_image=image, alpha_mode=mode, roughness=0.4, **more)  # type: ignore[arg-type]


def apart(one: Picture, other: Picture) -> int:
    return int(np.abs(one.astype(int) - other.astype(int)).max())


def others(one: Picture, other: Picture) -> float:
    """The share of texels that differ by more than rounding."""
    return float((np.abs(one.astype(int) - other.astype(int)).max(axis=2) > 8).mean())


@pytest.fixture(scope="module")
def opengl() -> Iterator[Backend]:
    with closing(make_backend(PlayOptions(Stage, backend=BackendName.OPENGL))) as made:
        yield made


@pytest.fixture(scope="module")
def white(backend: VulkanBackend) -> Callable[[str], Picture]:
    """What surfaces without a function and its image look like, in any mode."""
    return functools.cache(lambda skeleton: picture(backend, Material(roughness=1.0), skeleton))


def abreast(make: Callable[..., Material], scene: Scene, mesh: Mesh = BALL, **fields: object) -> None:
    """A ball with holes to the left of the one in the middle, and one that is blended to its right."""
    for mode, x in (("mask", -1.3), ("blend", 1.3)):
        scene.spawn(mesh, make(HOLES, mode, **fields), Transform(glm.vec3(x, 0.7, 0)))


MODES = pytest.mark.parametrize("mode", ["opaque", "mask", "blend"])
SKELETONS = pytest.mark.parametrize("skeleton", ["deferred", "forward"])


@SKELETONS
@MODES
def test_it_looks_like_a_plain_surface_with_these_values(
    backend: VulkanBackend, opengl: Backend, white: Callable[[str], Picture], skeleton: str, mode: AlphaMode
) -> None:
    image = CHECKS if mode == "opaque" else HOLES
    expected = picture(backend, plain(image, mode), skeleton)
    shown = picture(backend, own(image, mode), skeleton)
    assert apart(shown, expected) <= 1
    assert others(shown, white(skeleton)) > 0.05
    assert others(picture(opengl, own(image, mode), skeleton), shown) < 0.002


def test_layers_and_vertex_colours_go_with_it(backend: VulkanBackend) -> None:
    colored = replace(BALL, colors=np.tile(np.float32((0.5, 0.9, 0.4, 1.0)), (len(BALL.vertices), 1)))

    def balls(make: Callable[..., Material], mesh: Mesh = colored, **fields: object) -> Picture:
        more = staticmethod(lambda scene: abreast(make, scene, mesh, **fields))
        return picture(backend, make(**fields), mesh=mesh, more=more)

    coat = Coat(roughness=0.1)
    assert apart(balls(own, coat=coat), balls(plain, coat=coat)) <= 1
    shown = balls(own)
    assert apart(shown, balls(plain)) <= 1
    changed = np.abs(shown.astype(int) - balls(own, BALL)).max(axis=2) > 8
    for third in np.array_split(changed, 3, axis=1):  # the ball of each mode
        assert third.mean() > 0.05


def test_plugins_that_draw_the_scene_call_it(backend: VulkanBackend) -> None:
    unordered = picture(backend, own(HOLES, "blend"), plugins=("oit",))
    assert apart(unordered, picture(backend, plain(HOLES, "blend"), plugins=("oit",))) <= 1
    assert others(unordered, picture(backend, Material(alpha_mode="blend"), plugins=("oit",))) > 0.05


@pytest.mark.parametrize("mode", ["opaque", "mask"])
def test_probes_see_it(backend: VulkanBackend, mode: AlphaMode) -> None:
    def place(scene: Scene) -> None:
        scene.probes.add(Probe(glm.vec3(-2.0, 0.0, -2.0), glm.vec3(2.0, 2.0, 2.0)))

    image = CHECKS if mode == "opaque" else HOLES
    shown = picture(backend, own(image, mode), more=staticmethod(place))
    assert apart(shown, picture(backend, plain(image, mode), more=staticmethod(place))) <= 1
    assert apart(shown, picture(backend, own(image, mode))) > 1


def test_blended_surfaces_stay_in_their_order(backend: VulkanBackend) -> None:
    """Balls with and without a function, one behind the other, each half transparent."""
    half = np.array(texels)
    half[..., 3] = 128
    image = Image("half", half, filter="nearest")

    def place(material: Callable[[Image, AlphaMode], Material], scene: Scene) -> None:
        for number in range(1, 5):
            chosen = material if number % 2 else plain
            scene.spawn(BALL, chosen(image, "blend"), Transform(glm.vec3(0.0, 0.7, -0.4 * number)))

    shown = picture(backend, own(image, "blend"), more=staticmethod(lambda scene: place(own, scene)))
    expected = picture(backend, plain(image, "blend"), more=staticmethod(lambda scene: place(plain, scene)))
    assert apart(shown, expected) <= 1


def crowd(make: Callable[..., Material], scene: Scene) -> None:
    """Rows of balls, every other one with a plain material of its own, and those between in each mode in turn."""
    materials = cycle((make(), make(HOLES, "mask"), make(HOLES, "blend")))
    for number in range(60):
        place = Transform(glm.vec3(-2.0 + 0.4 * (number % 10), 0.15, -0.6 * (number // 10)), scale=glm.vec3(0.2))
        scene.spawn(BALL, next(materials) if number % 2 else Material((0.1, 0.6, number / 60, 1.0)), place)


@SKELETONS
def test_scenes_that_are_culled_show_the_same(backend: VulkanBackend, skeleton: str) -> None:
    def placed(make: Callable[..., Material], **culling: int) -> Picture:
        more = staticmethod(lambda scene: (crowd(make, scene), abreast(make, scene)))
        return picture(backend, make(), skeleton, more=more, **culling)

    every = placed(own)
    assert np.array_equal(placed(own, culling=0, occlusion=0), every)
    assert others(every, placed(plain)) < 0.002


def test_eyes_and_players_show_it(backend: VulkanBackend) -> None:
    def stereo(material: Material) -> Picture:
        game = type("Placed", (Stage,), {"skeleton": "deferred", "material": material})
        choice = PluginChoice(enable=("vr", "split_screen"), settings=(SettingChange("vr", "poses", "still"),))
        clock = FixedStepClock(game.step, frame=1.0 / 60.0)
        session = Session(game, backend, EXTENT, clock=clock, choice=choice, players=2, shaders=SHADERS)
        with closing(session):
            return frames_of(session, 2)[-1]

    shown = stereo(own(HOLES, "mask"))
    assert apart(shown, stereo(plain(HOLES, "mask"))) <= 1
    assert others(shown, stereo(Material())) > 0.02


def test_materials_are_plain_until_the_shaders_of_a_function_are_there(backend: VulkanBackend) -> None:
    game = type("Placed", (Stage,), {"skeleton": "deferred", "material": Material()})
    worker = HandDriven()
    clock = FixedStepClock(game.step, frame=1.0 / 60.0)
    with closing(Session(game, backend, EXTENT, clock=clock, strict=True, worker=worker)) as session:
        frames_of(session, 2)
        while worker.busy:
            worker.work()
        before = frames_of(session, 2)[-1]
        ball = session.context.scene.entities[-1]
        ball.material = Material(surface=own().surface)
        waiting = frames_of(session, 2)
        assert worker.busy
        assert all(np.array_equal(frame, before) for frame in waiting)
        while worker.busy:
            worker.work()
            shown = frames_of(session, 3)[-1]
        assert others(shown, before) > 0.05
        ball.material = Material()
        assert np.array_equal(frames_of(session, 1)[0], before)


@pytest.mark.parametrize("skeleton", ["deferred", "forward"])
def test_a_function_sees_what_is_promised(backend: VulkanBackend, skeleton: str) -> None:
    def material(which: int) -> Material:
        return Material(roughness=1.0, surface=SurfaceShader("seen.glsl", {"which": which}))

    game = type("Placed", (Stage,), {"skeleton": skeleton, "material": material(0)})
    clock = FixedStepClock(game.step, frame=1.0 / 60.0)
    pictures = []
    with closing(Session(game, backend, EXTENT, clock=clock, strict=True, shaders=SHADERS)) as session:
        for which in range(6):
            session.context.scene.entities[-1].material = material(which)
            pictures.append(frames_of(session, 2)[-1][..., :3].astype(int))
    row, column = 36, 60  # on the ball, left of its middle
    position, normal, view, uv, color, time = pictures
    assert position[row, column, 1] > position[row, column, 0]  # the ball is above the floor, left of the origin
    upper, lower = normal[20:30, 56:64].mean(axis=(0, 1)), normal[42:50, 56:64].mean(axis=(0, 1))
    assert upper[1] > lower[1] + 20  # y is up
    assert np.ptp(view[30:42, 55:66, 2]) <= 16  # nearly the same direction, towards the camera
    assert view[row, column, 2] > 100
    assert uv[25, 60, 1] != uv[45, 60, 1]
    assert color[row, column].min() > 150  # white without colours
    assert 0 < time[row, column].max() < color[row, column].min()


def test_the_time_goes_on_and_still_frames_repeat_it(backend: VulkanBackend) -> None:
    fields = {"skeleton": "deferred", "material": Material(surface=SurfaceShader("seen.glsl", {"which": 5}))}
    game = type("Placed", (Stage,), fields)
    with closing(Session(game, backend, EXTENT, clock=FixedStepClock(game.step, frame=0.1), strict=True)) as session:
        moving = frames_of(session, 6)
        still = frames_of(session, 4, still=True)
    levels = [int(frame[36, 60, 0]) for frame in moving]
    assert levels == sorted(levels)
    assert levels[-1] > levels[1] + 20
    assert all(np.array_equal(frame, still[0]) for frame in still)


def test_functions_come_and_go_while_a_game_runs(backend: VulkanBackend) -> None:
    fields = {"skeleton": "deferred", "material": plain()}
    game = type("Placed", (Stage,), fields)
    with closing(Session(game, backend, EXTENT, clock=FixedStepClock(game.step, frame=0.1), strict=True)) as session:
        ball = session.context.scene.entities[-1]
        before = frames_of(session, 2)[-1]
        ball.material = own()
        assert apart(frames_of(session, 1)[0], before) <= 1
        values = {"roughness": 0.4, "tint": (0.0, 1.0, 0.0), "strength": (0.0, 0.0)}
        surface = own().surface
        assert surface is not None
        ball.material = replace(own(), surface=replace(surface, parameters=values))
        assert others(frames_of(session, 1)[0], before) > 0.05
        ball.material = plain()
        assert np.array_equal(frames_of(session, 1)[0], before)
