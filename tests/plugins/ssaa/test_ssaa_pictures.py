"""Whole frames with supersampling: what is averaged, how good it is, and that it goes along with views and eyes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar

import numpy as np
import pytest
from playing import flip, frames_of
from pyglm import glm

from renderwright.engine.clock import FixedStepClock
from renderwright.engine.game import Game, GameContext
from renderwright.engine.options import PluginChoice, SettingChange
from renderwright.engine.scene.camera import Camera
from renderwright.engine.scene.material import Material
from renderwright.engine.scene.primitives import box, plane, sphere
from renderwright.engine.scene.transform import Transform
from renderwright.engine.session import Session
from renderwright.engine.views import Rectangle, Split, View
from renderwright.plugins.ssaa.samples import Samples
from renderwright.render.backend.vulkan.backend import VulkanBackend
from renderwright.render.types.resources import Extent

pytestmark = pytest.mark.vulkan

EXTENT = (64, 36)
STEPS = np.arange(256) / 255.0
LINEAR = np.where(STEPS <= 0.04045, STEPS / 12.92, ((STEPS + 0.055) / 1.055) ** 2.4)


class Posts(Game):
    """Slanted posts and a lamp, many times brighter than what is behind it."""

    plugins = ("tonemap",)
    max_players = 2

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.camera.position = glm.vec3(0.5, 1.5, 3.0)
        scene.spawn(plane(20, 20), Material(base_color=(0.2, 0.5, 0.3, 1), roughness=0.8))
        for number in range(7):
            turn = glm.angleAxis(0.1 * number, glm.vec3(0, 0, 1))
            place = Transform(glm.vec3(-1.6 + 0.5 * number, 0.6, 0.0), turn)
            scene.spawn(box((0.1, 1.4, 0.1)), Material(base_color=(0.7, 0.6, 0.1, 1)), place)
        scene.spawn(sphere(0.3), Material(emissive=(60, 30, 10)), Transform(glm.vec3(0.2, 1.2, 0.8)))

    def update(self, dt: float) -> None:
        cameras = self.context.scene.cameras
        while len(cameras) < self.context.players:
            cameras.append(Camera(glm.vec3(-1.5, 2.0, 3.0), glm.vec3(0.0, 0.5, 0.0)))


@dataclass(frozen=True)
class OneOf:
    """One of the parts of a split, alone."""

    whole: Split
    number: int
    count: ClassVar[int] = 1

    def part(self, view: View, number: int) -> View:
        return self.whole.part(view, self.number)


@dataclass(frozen=True)
class Eyes:
    """The left and right half of a view's rectangle, from a little to the left and right of its camera."""

    count: ClassVar[int] = 2

    def part(self, view: View, number: int) -> View:
        half = view.rectangle.width // 2
        rectangle = Rectangle(view.rectangle.x + number * half, view.rectangle.y, half, view.rectangle.height)
        camera = view.camera.copy()
        camera.position = camera.position + glm.vec3(0.6 * number - 0.3, 0.0, 0.0)
        return replace(view, camera=camera, rectangle=rectangle)


class Running:
    """A session of the posts."""

    def __init__(self, backend: VulkanBackend, extent: Extent, choice: PluginChoice, players: int) -> None:
        clock = FixedStepClock(Posts.step, frame=1 / 60)
        self.session = Session(Posts, backend, extent, choice=choice, clock=clock, players=players)

    def picture(self, frames: int = 2) -> np.ndarray:
        return frames_of(self.session, frames)[-1][..., :3]

    def instances(self, node: str) -> int:
        """How often the node is drawn; a device with multiview draws several of them at once."""
        drawn = [one for one in self.session.runtime.plan.graph.nodes if one.declaration.name == node]
        return sum([one.views.count if one.views is not None else 1 for one in drawn])


Play = Callable[..., Running]


@pytest.fixture
def play(backend: VulkanBackend) -> Iterator[Play]:
    started: list[Running] = []

    def start(
        samples: int | None = None, *, extent: Extent = EXTENT, players: int = 1, on: tuple[str, ...] = ()
    ) -> Running:
        settings: tuple[SettingChange, ...] = (SettingChange("tonemap", "dither", "false"),)
        if samples is not None:
            on = (*on, "ssaa")
            settings = (*settings, SettingChange("ssaa", "samples", str(samples)))
        running = Running(backend, extent, PluginChoice(enable=on, settings=settings), players)
        started.append(running)
        return running

    yield start
    for running in started:
        running.session.close()


def encode(linear: np.ndarray) -> np.ndarray:
    return np.searchsorted((LINEAR[1:] + LINEAR[:-1]) / 2, linear).astype(np.uint8)


def shrunk(picture: np.ndarray, factor: int) -> np.ndarray:
    """The mean of so many by so many texels each, in linear light."""
    height, width = picture.shape[:2]
    blocks = LINEAR[picture].reshape(height // factor, factor, width // factor, factor, 3)
    return encode(blocks.mean(axis=(1, 3)))


def test_the_picture_is_the_mean_of_its_samples_in_linear_light(play: Play) -> None:
    singles = []
    for number in range(4):
        running = play()
        running.session.splits["sample"] = OneOf(Samples(4), number)
        singles.append(running.picture())
    assert min(np.count_nonzero(one != other) for one, other in pairwise(singles)) > 500
    mean = encode(np.mean([LINEAR[one] for one in singles], axis=0))
    shown = play(4).picture()
    assert np.abs(shown.astype(int) - mean).max() <= 1
    assert np.abs(shown - np.mean(singles, axis=0)).max() > 8  # not of the encoded values


@pytest.mark.parametrize(("samples", "bar"), [(4, 0.045), (16, 0.02)])
def test_it_is_what_a_display_of_more_texels_shows_from_afar(play: Play, samples: int, bar: float) -> None:
    right = shrunk(play(extent=(8 * EXTENT[0], 8 * EXTENT[1])).picture(), 8)
    shown, plain = flip(right, play(samples).picture()), flip(right, play().picture())
    assert shown <= bar
    assert shown < 0.5 * plain


def test_with_one_sample_the_picture_is_the_one_without(play: Play) -> None:
    assert np.array_equal(play(1).picture(), play().picture())


def test_effects_run_for_each_sample_and_what_views_share_once(play: Play) -> None:
    running = play(4, on=("shadows", "bloom"))
    running.picture()
    for node, count in {"opaque": 4, "bloom/down1": 4, "tonemap/tonemap": 4, "ssaa/resolve": 1, "compose": 1}.items():
        assert running.instances(node) == count, node
    assert running.instances("shadows/cascade_0") == 1


def test_two_players_with_two_eyes_and_four_samples(play: Play) -> None:
    together = play(4, players=2, on=("split_screen",))
    together.session.splits["eye"] = Eyes()
    shown = together.picture(3)
    assert together.instances("opaque") == 16
    assert together.instances("ssaa/resolve") == 4
    plain = play(players=2, on=("split_screen",))
    plain.session.splits["eye"] = Eyes()
    without = plain.picture(3)
    # Each rectangle shows its own camera, and each is supersampled.
    views = [view.rectangle for _, view in plain.session._input.views.instances()]
    crops = [shown[one.y : one.y + one.height, one.x : one.x + one.width] for one in views]
    bare = [without[one.y : one.y + one.height, one.x : one.x + one.width] for one in views]
    assert len(bare) == 4
    for number, crop in enumerate(crops):
        assert np.argmin([flip(crop, one) for one in bare]) == number
        assert not np.array_equal(crop, bare[number])


def test_it_comes_and_goes_in_a_run(play: Play) -> None:
    running = play()
    plain = running.picture()
    assert running.session.toggle("ssaa")
    assert not np.array_equal(running.picture(), plain)
    assert not running.session.toggle("ssaa")
    assert np.array_equal(running.picture(), plain)


def test_players_samples_and_dynamic_resolution_leave_nothing_behind(play: Play) -> None:
    def smaller(running: Running) -> None:
        running.session.graph.set_dynamic_resolution("main_view", (20, 24))

    changing = play(players=2, on=("split_screen",))
    changing.picture()
    smaller(changing)
    changing.picture()
    changing.session.toggle("ssaa")
    changing.picture()
    changing.session.graph.set_dynamic_resolution("main_view", None)
    changing.session.set_players(1)
    changing.picture()
    changing.session.set_players(2)
    changing.picture()
    smaller(changing)
    fresh = play(4, players=2, on=("split_screen",))
    smaller(fresh)
    assert np.array_equal(changing.picture(), fresh.picture(12))
