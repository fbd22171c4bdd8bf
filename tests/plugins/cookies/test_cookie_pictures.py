"""Spot lights project images: as a reference on the CPU says, in all views, on both skeletons and backends."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import closing
from typing import ClassVar

import numpy as np
import pytest
from playing import Picture, flip, frames_of
from pyglm import glm

from benchmarks.quality.play import chosen, played
from renderwright.engine.backends import make_backend
from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import BackendName, PlayOptions, PluginChoice, SettingChange
from renderwright.engine.scene import Camera, Image, Material, PointLight, Sky, SpotLight, Transform
from renderwright.engine.scene.primitives import box, plane
from renderwright.engine.session import Session
from renderwright.plugins.cookies import Cookie
from renderwright.render.backend.protocol import Backend
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.types.resources import Extent

pytestmark = pytest.mark.vulkan

EXTENT: Extent = (128, 72)
COLORS = np.array([[(255, 0, 0, 255), (0, 255, 0, 255)], [(0, 0, 255, 128), (255, 255, 255, 255)]], np.uint8)
LINEAR = np.array([[(1.0, 0.0, 0.0), (0.0, 1.0, 0.0)], [(0.0, 0.0, 128 / 255), (1.0, 1.0, 1.0)]])


def window() -> Image:
    """Four panes of colours."""
    return Image("window", COLORS.repeat(64, axis=0).repeat(64, axis=1))


class Stage(Game):
    """A ground under a spot light with a cookie, seen by up to two players."""

    plugins: Sequence[str] = ()
    max_players = 2
    position = (0.3, 3.0, 0.2)
    direction = (0.2, -1.0, -0.3)
    up = (0.4, 0.1, -1.0)
    others: ClassVar[int] = 0
    projects = True

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.sky = Sky((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0)
        scene.sun.intensity = 0.0
        scene.spawn(plane(20, 20), Material((0.8, 0.8, 0.8, 1.0), roughness=1.0))
        scene.cameras[:] = [Camera(glm.vec3(x, 4.0, 3.0), glm.vec3(0.5, 0.0, -0.5)) for x in (0.0, 1.0)]
        scene.snap_cameras()
        self.spot = SpotLight(
            glm.vec3(self.position), glm.vec3(self.direction), intensity=40.0, inner_angle=0.5, outer_angle=0.6
        )
        scene.add_light(self.spot)
        for number in range(self.others):
            scene.add_light(PointLight(glm.vec3(9.0, 0.2, 0.5 * number), radius=0.5))
        if self.projects:
            self.cookie = scene.placed.add(Cookie(self.spot, window(), glm.vec3(self.up)))


class ForwardStage(Stage):
    """By the forward skeleton."""

    skeleton = "forward"


class CrowdedStage(Stage):
    """With so many lamps that they are in clusters."""

    others = 40


class SteepStage(Stage):
    """The light shines towards +Z, and its top is not across."""

    position = (0.5, 2.0, -2.5)
    direction = (0.0, -1.0, 0.9)
    up = (0.0, 1.0, 0.0)


def pattern_on_ground(game: type[Stage], camera: Camera) -> tuple[np.ndarray, np.ndarray]:
    """What the cookie leaves of the light at each texel (height, width, 3), and where that is sure: in its cone and in
    the middle of panes."""
    width, height = EXTENT
    rows, columns = np.mgrid[:height, :width] + 0.5
    slope = math.tan(0.5 * camera.fov_y)
    across, upwards = (2 * columns / width - 1) * slope * width / height, (1 - 2 * rows / height) * slope
    ahead = np.array(camera.target - camera.position, np.float64)
    ahead /= np.linalg.norm(ahead)
    right = np.cross(ahead, (0, 1, 0))
    right /= np.linalg.norm(right)
    rays = ahead + across[..., None] * right + upwards[..., None] * np.cross(right, ahead)
    eye = np.array(camera.position, np.float64)
    places = eye + rays * (-eye[1] / rays[..., 1:2])
    away = places - np.array(game.position)
    axis = np.array(game.direction) / np.linalg.norm(game.direction)
    top = np.array(game.up) - axis * (np.array(game.up) @ axis)
    top /= np.linalg.norm(top)
    depth = away @ axis
    half = depth * math.tan(0.6)
    u, v = 0.5 + 0.5 * (away @ np.cross(axis, top)) / half, 0.5 - 0.5 * (away @ top) / half
    inside = (depth > 0) & (np.arctan2(np.linalg.norm(np.cross(away, axis), axis=-1), depth) < 0.55)
    sure = inside & (abs(u - 0.5) > 0.03) & (abs(v - 0.5) > 0.03) & (rays[..., 1] < 0)
    return LINEAR[(v > 0.5).astype(int), (u > 0.5).astype(int)], sure


@pytest.mark.parametrize(
    ("game", "name"),
    [
        *((game, BackendName.VULKAN) for game in (Stage, ForwardStage, CrowdedStage, SteepStage)),
        (Stage, BackendName.OPENGL),
    ],
)
def test_the_image_is_where_the_reference_says(game: type[Stage], name: BackendName) -> None:
    bare = type("Bare", (game,), {"projects": False})
    with closing(make_backend(PlayOptions(game, backend=name))) as backend:
        with played(bare, backend, EXTENT, chosen(["cookies"])) as play:
            without = play.picture().astype(np.float64)
        with played(game, backend, EXTENT, chosen(["cookies"])) as play:
            shown = play.picture().astype(np.float64)
            camera = play.session.context.scene.camera
    expected, sure = pattern_on_ground(game, camera)
    assert sure.sum() > 400
    assert len(np.unique(expected[sure], axis=0)) == 4
    wrong = np.abs(shown[sure] / without[sure] - expected[sure]).max(axis=-1) > 0.01
    assert wrong.mean() < 0.005


def picture_of(backend: Backend, game: type[Stage], *enable: str, extent: Extent = EXTENT, players: int = 1) -> Picture:
    wanted = (SettingChange("split_screen", "separator", "0"), SettingChange("vr", "poses", "still"))
    settings = tuple(change for change in wanted if change.plugin in enable)
    choice = PluginChoice(enable=enable, disable=tuple({"cookies"} - set(enable)), settings=settings)
    clock = FixedStepClock(game.step, frame=game.step)
    session = Session(game, backend, extent, choice=choice, clock=clock, players=players, strict=True)
    with closing(session):
        return frames_of(session, 3)[-1][..., :3]


def test_each_player_sees_it(backend: VulkanBackend) -> None:
    width, height = EXTENT
    both = picture_of(backend, Stage, "cookies", "split_screen", extent=(2 * width, height), players=2)
    assert np.array_equal(both[:, :width], picture_of(backend, Stage, "cookies"))
    assert len(np.unique(both[:, width:].reshape(-1, 3), axis=0)) > 50


@pytest.mark.parametrize("views", ["ssaa", "vr"])
def test_samples_and_eyes_show_it(backend: VulkanBackend, views: str) -> None:
    with_it, without = (picture_of(backend, Stage, *on, views).astype(int) for on in (("cookies",), ()))
    halves = np.hsplit(np.abs(with_it - without), 2) if views == "vr" else [np.abs(with_it - without)]
    for half in halves:
        assert (half.max(axis=-1) > 30).mean() > 0.03


class Glass(Stage):
    """Seen through a pane of milky glass, which the light falls onto, too."""

    def setup(self, context: GameContext) -> None:
        super().setup(context)
        pane = Material((0.9, 0.9, 0.9, 0.8), roughness=1.0, alpha_mode="blend")
        context.scene.spawn(box((3.0, 0.02, 3.0)), pane, Transform(glm.vec3(0.5, 1.0, -0.3)))


def test_blended_surfaces_show_it(backend: VulkanBackend) -> None:
    shown = picture_of(backend, Glass, "cookies").astype(int)
    red, green = (shown[..., channel] - shown[..., 1 - channel] for channel in (0, 1))
    assert (red > 40).mean() > 0.02
    assert (green > 40).mean() > 0.02


def test_without_the_plugin_or_cookies_the_light_is_as_it_was(backend: VulkanBackend) -> None:
    bare = type("Bare", (Stage,), {"projects": False})
    plain = picture_of(backend, bare)
    assert np.array_equal(picture_of(backend, Stage), plain)
    assert np.array_equal(picture_of(backend, bare, "cookies"), plain)
    assert flip(plain, picture_of(backend, Stage, "cookies")) > 0.02


class Turning(Stage):
    """The image turns around the light's axis, and goes."""

    def update(self, dt: float) -> None:
        self.cookie.up = glm.angleAxis(0.5, glm.vec3(self.direction)) * self.cookie.up


def test_it_turns_and_goes(backend: VulkanBackend) -> None:
    choice = PluginChoice(enable=("cookies",))
    clock = FixedStepClock(Stage.step, frame=Stage.step)
    with closing(Session(Turning, backend, EXTENT, choice=choice, clock=clock, strict=True)) as session:
        first, second = frames_of(session, 2)
        assert flip(first[..., :3], second[..., :3]) > 0.01
        game = session.runner.game
        assert isinstance(game, Turning)
        session.context.scene.placed.remove(game.cookie)
        gone = frames_of(session, 1)[-1][..., :3]
    assert np.array_equal(gone, picture_of(backend, type("Bare", (Stage,), {"projects": False})))


def test_only_scenes_with_cookies_have_a_texture(backend: VulkanBackend) -> None:
    def nodes() -> set[str]:
        frames_of(session, 1)
        assert session.runtime.plan is not None
        return {node.declaration.name for node in session.runtime.plan.graph.nodes}

    choice = PluginChoice(enable=("cookies",))
    bare = type("Bare", (Stage,), {"projects": False})
    with closing(Session(bare, backend, EXTENT, choice=choice, strict=True)) as session:
        before = nodes()
        game = session.runner.game
        assert isinstance(game, Stage)
        cookie = session.context.scene.placed.add(Cookie(game.spot, window()))
        assert nodes() - before == {"light_cookies_images", "cookies/project"}
        session.context.scene.placed.remove(cookie)
        assert nodes() == before
