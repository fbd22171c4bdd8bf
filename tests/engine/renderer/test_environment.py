"""Light from an environment: what reaches and leaves surfaces, from where, and what a change of it costs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from pyglm import glm

from benchmarks.quality.ball_in_environment import Surface, directions, integrated, rendered, room, seen_points
from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.renderer.environment.prefilter import SPECULAR, face_size, specular_mips
from renderwright.engine.scene import Camera, Environment, Material, Panorama, Sky
from renderwright.engine.scene.primitives import sphere
from renderwright.engine.session import Session
from renderwright.render.backend.null.backend import NullBackend
from renderwright.render.backend.vulkan.backend import VulkanBackend

pytestmark = pytest.mark.vulkan

EXTENT = (48, 48)
AXES = {"+x": (1, 0, 0), "-x": (-1, 0, 0), "+y": (0, 1, 0), "-y": (0, -1, 0), "+z": (0, 0, 1), "-z": (0, 0, -1)}


class Ball(Game):
    """A mirror ball without any light; the camera looks along -Z."""

    title = "Ball"
    plugins = ()

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.sun = None
        scene.sky = Sky((0.2, 0.3, 0.5), (0.4, 0.4, 0.4), (0.2, 0.15, 0.1))
        scene.camera = Camera(glm.vec3(0.0, 0.0, 4.0), glm.vec3(0.0), fov_y=1.0)
        scene.spawn(sphere(1.0), Material(metallic=1.0, roughness=0.05))


class ForwardBall(Ball):
    skeleton = "forward"


class Shown:
    """A session that shows what its scene has now."""

    def __init__(self, backend: VulkanBackend, game: type[Game] = Ball) -> None:
        clock = FixedStepClock(game.step, frame=1 / 60)
        self.session = Session(game, backend, EXTENT, clock=clock, strict=True)
        self.target = backend.create_target(EXTENT)

    @property
    def scene(self):
        return self.session.context.scene

    def picture(self) -> np.ndarray:
        self.session.step()
        self.session.render(self.target)
        return self.session.picture()[..., :3].astype(int)

    def close(self) -> None:
        self.session.backend.wait_idle()
        self.target.close()
        self.session.close()


@pytest.fixture
def shown(backend: VulkanBackend) -> Iterator[Shown]:
    shown = Shown(backend)
    yield shown
    shown.close()


def lamp(axis: str, height: int = 32) -> Panorama:
    """Dark but for a white spot in one direction."""
    near = directions(height) @ np.array(AXES[axis], np.float32) > 0.9
    return Panorama(np.where(near[..., None], 1.0, 0.0).repeat(3, axis=-1).astype(np.float32), axis)


def brightest(picture: np.ndarray) -> tuple[float, float]:
    """Where the light is, from -1 to 1, right and up."""
    weights = picture.sum(axis=-1).astype(float)
    rows, columns = np.indices(weights.shape)
    half, total = weights.shape[0] / 2, weights.sum()
    right = float((weights * (columns + 0.5)).sum() / total / half - 1.0)
    return right, float(1.0 - (weights * (rows + 0.5)).sum() / total / half)


@pytest.mark.parametrize(
    ("axis", "where"), [("+x", (1, 0)), ("-x", (-1, 0)), ("+y", (0, 1)), ("-y", (0, -1)), ("+z", (0, 0))]
)
def test_a_mirror_shows_each_direction_where_it_is(shown: Shown, axis: str, where: tuple[int, int]) -> None:
    """A spot to the right is mirrored on the right side, one behind the camera in the middle."""
    shown.scene.environment = Environment(lamp(axis))
    right, up = brightest(shown.picture())
    assert right == pytest.approx(0.37 * where[0], abs=0.08)
    assert up == pytest.approx(0.37 * where[1], abs=0.08)


def test_the_background_is_the_panorama(shown: Shown) -> None:
    """Before the camera is -Z, the middle of the panorama; a turn of a quarter brings +X there."""
    for entity in shown.scene.entities:
        shown.scene.remove(entity)
    shown.scene.environment = Environment(lamp("-z"))
    assert shown.picture()[24, 24, 0] > 250
    shown.scene.environment = Environment(lamp("+x"))
    assert shown.picture()[24, 24, 0] < 5
    shown.scene.environment = Environment(lamp("+x"), turn=np.pi / 2)
    assert shown.picture()[24, 24, 0] > 250


def in_a_white_room(surface: Surface, backend: VulkanBackend) -> np.ndarray:
    """The light of the ball, (12, 12, 3)."""
    return rendered(surface, Panorama(np.ones((16, 32, 3), np.float32)), backend, 12)


@pytest.mark.parametrize("metallic", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("roughness", [0.1, 0.5, 1.0])
def test_a_white_room_hides_a_white_ball(backend: VulkanBackend, metallic: float, roughness: float) -> None:
    """Surfaces neither lose nor gain light, with all bounces between microfacets."""
    light = in_a_white_room(Surface((1.0, 1.0, 1.0), metallic, roughness), backend)[seen_points(12)[0]]
    assert light.max() <= 1.005
    assert light.min() >= 0.97


def test_the_roughest_metal_reflects_what_can_be_worked_out(backend: VulkanBackend) -> None:
    """With alpha = 1, seen along the normal, D is 1 / pi and V is 0.5 / (1 + n.l): one bounce gives e = 1 - ln 2.

    All bounces on a reflectance of a half give e / 2 + (1 - e) / 4 (Turquin 2019).
    """
    light = in_a_white_room(Surface((0.5, 0.5, 0.5), 1.0, 1.0), backend)
    assert light[5:7, 5:7].mean() == pytest.approx((2.0 - np.log(2.0)) / 4.0, abs=0.01)


@pytest.mark.parametrize(
    ("surface", "most"),
    [
        (Surface((0.6, 0.1, 0.1), 0.0, 0.8), 0.04),
        (Surface((0.9, 0.75, 0.5), 1.0, 0.4), 0.13),
        (Surface((0.9, 0.75, 0.5), 1.0, 1.0), 0.10),
    ],
)
def test_a_ball_in_a_room_is_as_the_integral_says(backend: VulkanBackend, surface: Surface, most: float) -> None:
    """The mean error against the sum over all directions, as a share of the mean light; and the mean light itself."""
    panorama = room(48)
    shown, normals, eyes = seen_points(16)
    seen = rendered(surface, panorama, backend, 16)[shown]
    right = integrated(surface, panorama, normals, eyes)
    assert np.abs(seen - right).mean() < most * right.mean()
    assert seen.mean() == pytest.approx(right.mean(), rel=0.05)


def test_intensity_scales_all_of_it_without_filtering_anew(shown: Shown) -> None:
    shown.scene.environment = Environment(lamp("+z"), intensity=0.8)
    bright = shown.picture()
    textures = dict(shown.session._environment._textures)
    shown.scene.environment = replace(shown.scene.environment, intensity=0.2)
    dim = shown.picture()
    assert dict(shown.session._environment._textures) == textures
    linear = [((picture / 255 + 0.055) / 1.055) ** 2.4 for picture in (bright, dim)]
    middle = (slice(20, 28), slice(20, 28))
    assert linear[1][middle].mean() == pytest.approx(0.25 * linear[0][middle].mean(), rel=0.05)


@pytest.mark.parametrize("game", [Ball, ForwardBall])
def test_without_an_environment_everything_is_as_before(backend: VulkanBackend, game: type[Game]) -> None:
    """The sky comes back when the environment goes, byte for byte, and the environment as it was."""
    shown = Shown(backend, game)
    try:
        plain = shown.picture()
        assert SPECULAR not in [
            name for item in shown.session.runtime.plan.graph.resources for name in item.resource.names
        ]
        environment = Environment(lamp("+y"))
        shown.scene.environment = environment
        lit = shown.picture()
        assert np.abs(lit - plain).max() > 50
        shown.scene.environment = None
        assert np.array_equal(shown.picture(), plain)
        shown.scene.environment = environment
        assert np.array_equal(shown.picture(), lit)
    finally:
        shown.close()


def test_both_skeletons_agree(backend: VulkanBackend, shown: Shown) -> None:
    forward = Shown(backend, ForwardBall)
    try:
        for one in (shown, forward):
            one.scene.environment = Environment(room(32))
        assert np.abs(shown.picture() - forward.picture()).max() <= 3
    finally:
        forward.close()


def test_the_sky_as_an_environment_looks_like_the_sky(shown: Shown) -> None:
    plain = shown.picture()
    shown.scene.environment = Environment(Panorama.of_sky(shown.scene.sky))
    as_picture = shown.picture()
    corner = (slice(0, 12), slice(0, 12))
    assert np.abs(as_picture[corner] - plain[corner]).max() <= 3, "the background"


def test_after_the_loss_of_the_device_it_is_there_again(backend: VulkanBackend) -> None:
    lost = VulkanBackend()
    shown = Shown(lost)
    shown.scene.environment = Environment(lamp("+z"))
    before = shown.picture()
    lost.wait_idle()
    shown.session.abandon()
    shown.target.close()
    lost.close()
    shown.session.move_to(backend)
    shown.target = backend.create_target(EXTENT)
    assert np.array_equal(shown.picture(), before)
    shown.close()


def test_frames_without_a_gpu_have_it_too() -> None:
    """On the backend that keeps a log the environment is filtered and lights, and is given back in the end."""
    null = NullBackend()
    session = Session(Ball, null, EXTENT, clock=FixedStepClock(Ball.step, frame=1 / 60), strict=True)
    session.context.scene.environment = Environment(lamp("+z"))
    target = null.create_target(EXTENT)
    session.step()
    session.render(target)
    names = [name for item in session.runtime.plan.graph.resources for name in item.resource.names]
    assert {"environment_specular", "environment_irradiance", "environment_brdf"} <= set(names)
    target.close()
    session.close()
    assert null.alive == ()


def test_sizes_follow_the_panorama() -> None:
    assert [face_size(height) for height in (2, 32, 48, 128, 512, 4096)] == [16, 16, 32, 64, 256, 256]
    assert [specular_mips(face) for face in (16, 64, 256)] == [3, 5, 7]
