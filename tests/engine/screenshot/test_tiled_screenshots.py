"""Large pictures by tiles: the same as rendered at once, within bounds of memory, and coherent over time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import PIL.Image
import pytest
from playing import flip, frames_of
from pyglm import glm

from engine.clock import FixedStepClock
from engine.game import Game, GameContext
from engine.options import PluginChoice, SettingChange
from engine.scene.camera import Camera
from engine.scene.light import PointLight
from engine.scene.material import Material
from engine.scene.primitives import box, plane, sphere
from engine.scene.transform import Transform
from engine.screenshot import TiledScreenshot, TileGrid, save_by_tiles
from engine.screenshot.tiled import SETTLED
from engine.session import Session
from render.backend.vulkan.backend import VulkanBackend
from render.errors import UsageError
from render.graph.resources import Extent

pytestmark = pytest.mark.vulkan

EXTENT = (192, 128)


class Garden(Game):
    """Things at all edges of the picture, a lamp, text over it."""

    plugins = ("tonemap",)
    max_players = 2
    label = "garden"

    def setup(self, context: GameContext) -> None:
        scene = context.scene
        scene.camera.position = glm.vec3(2.0, 2.5, 3.5)
        scene.spawn(plane(20, 20), Material(base_color=(0.2, 0.5, 0.3, 1), roughness=0.8))
        for number in range(6):
            turn = glm.angleAxis(0.3 * number, glm.vec3(0, 1, 0))
            place = Transform(glm.vec3(-2.5 + number, 0.5, -1.0 + 0.4 * number), turn)
            scene.spawn(box(0.7), Material(base_color=(0.8, 0.2 + 0.1 * number, 0.1, 1)), place)
        self.lamp = scene.spawn(sphere(0.25), Material(emissive=(20, 8, 2)), Transform(glm.vec3(0.8, 1.3, 1.0)))
        scene.add_light(PointLight(glm.vec3(1, 2, 1), (0.2, 0.4, 1.0), 5.0, 6.0))

    def update(self, dt: float) -> None:
        cameras = self.context.scene.cameras
        while len(cameras) < self.context.players:
            cameras.append(Camera(glm.vec3(-1.5, 2.0, 3.0), glm.vec3(0.0, 0.5, 0.0)))
        self.lamp.transform.position.x += dt

    def draw(self, alpha: float) -> None:
        hud = self.context.hud
        hud.text(hud.width / 2, hud.height / 2, self.label, 60, align="center")


class Unnamed(Garden):
    """Without text, which does not shrink any further with small pictures."""

    label = ""


class Running:
    """A session, and pictures of it that are rendered at once or by tiles."""

    def __init__(self, game: type[Game], backend: VulkanBackend, choice: PluginChoice, players: int) -> None:
        clock = FixedStepClock(game.step, frame=1 / 60)
        self.session = Session(game, backend, EXTENT, choice=choice, clock=clock, players=players)

    def play(self, frames: int = 3) -> None:
        frames_of(self.session, frames, EXTENT)

    def still(self, frames: int = 1) -> np.ndarray:
        """The picture of the moment, rendered at once."""
        return frames_of(self.session, frames, EXTENT, still=True)[-1][..., :3]

    def tiled(self, columns: int, rows: int, border: int = 0, picture: Extent = EXTENT) -> np.ndarray:
        shot = TiledScreenshot(self.session, TileGrid(picture, columns, rows, border))
        return np.concatenate(list(shot.rows()))


Play = Callable[..., Running]


@pytest.fixture
def play(backend: VulkanBackend) -> Iterator[Play]:
    started: list[Running] = []

    def start(*on: str, game: type[Game] = Garden, players: int = 1, frames: int = 3, **settings: str) -> Running:
        changes = [SettingChange(*key.split("__"), value) for key, value in settings.items()]
        changes.append(SettingChange("tonemap", "dither", "false"))
        running = Running(game, backend, PluginChoice(enable=on, settings=tuple(changes)), players)
        started.append(running)
        running.play(frames)
        return running

    yield start
    for running in started:
        running.session.close()


def difference(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    return np.abs(one.astype(int) - other).max(axis=2)


@pytest.mark.parametrize("grid", [(1, 1), (3, 2), (5, 4)])
def test_without_screen_space_effects_tiles_are_what_is_rendered_at_once(play: Play, grid: tuple[int, int]) -> None:
    running = play()
    apart = difference(running.tiled(*grid), running.still())
    # Other matrices for the same rays: rounding moves an edge across a texel's middle here and there.
    assert np.count_nonzero(apart > 1) <= 0.002 * apart.size


def test_bloom_needs_its_border_and_then_leaves_no_seam(play: Play) -> None:
    running = play("bloom", bloom__intensity="0.3")
    at_once = running.still()
    seam = slice(EXTENT[1] // 2 - 1, EXTENT[1] // 2 + 1)
    bare, bordered = (difference(running.tiled(1, 2, border), at_once)[seam] for border in (0, 64))
    assert bare.mean() > 1.0
    assert bordered.max() <= 2


def test_a_downscaled_picture_agrees_with_a_direct_one(play: Play) -> None:
    running = play("bloom", "shadows", game=Unnamed)
    picture = running.tiled(3, 3, 32, (3 * EXTENT[0], 3 * EXTENT[1]))
    small = np.asarray(PIL.Image.fromarray(picture).resize(EXTENT, PIL.Image.Resampling.BOX))
    assert flip(running.still(), small) <= 0.05


def test_supersampling_goes_along_with_tiles(play: Play) -> None:
    running = play("ssaa", ssaa__samples="4")
    apart = difference(running.tiled(3, 2), running.still())
    assert np.count_nonzero(apart > 1) <= 0.002 * apart.size


def test_taa_settles_in_each_tile(play: Play) -> None:
    running = play("taa")
    shot = TiledScreenshot(running.session, TileGrid(EXTENT, 2, 2, 16))
    tiled = np.concatenate(list(shot.rows()))
    assert shot.frames == 4 * SETTLED
    assert flip(running.still(SETTLED), tiled) <= 0.02


def test_the_exposure_stays_that_of_the_last_frame(play: Play) -> None:
    running = play(tonemap__auto_exposure="true")
    running.play(20)
    at_once = running.still(2)
    tiled = running.tiled(3, 2)
    assert np.count_nonzero(difference(tiled, at_once) > 1) <= 0.002 * tiled[..., 0].size
    # Each tile by itself would have been exposed for what it shows.
    assert np.array_equal(running.still(2), at_once)


def test_before_any_frame_the_exposure_is_that_of_the_whole_picture(play: Play) -> None:
    shown, new = (play(frames=frames, tonemap__auto_exposure="true") for frames in (1, 0))
    new.session.step()
    assert np.array_equal(new.tiled(3, 2), shown.tiled(3, 2))


def test_the_game_goes_on_as_if_nothing_had_been(play: Play) -> None:
    one, other = play("bloom"), play("bloom")
    one.tiled(2, 2)
    one.play(2)
    other.play(2)
    assert np.array_equal(one.still(), other.still())


def test_the_file_holds_the_rows(play: Play, tmp_path: Path) -> None:
    running = play()
    lines = []
    path = tmp_path / "large.png"
    shot = save_by_tiles(path, running.session, TileGrid((300, 200), 2, 3, 8), lambda: lines.append(1))
    assert len(lines) == 3
    assert shot.frames == 6
    with PIL.Image.open(path) as image:
        assert np.array_equal(np.asarray(image), running.tiled(2, 3, 8, (300, 200)))


def test_more_memory_than_allowed_is_refused(play: Play) -> None:
    running = play()
    shot = TiledScreenshot(running.session, TileGrid((512, 512), 1, 1), memory=1 << 20)
    with pytest.raises(UsageError, match="MiB of transient memory"):
        list(shot.rows())
    assert running.still().shape == (EXTENT[1], EXTENT[0], 3)


def test_smaller_tiles_take_less_memory(play: Play) -> None:
    heaps = []
    for tiles in (1, 2, 4):
        shot = TiledScreenshot(play("bloom").session, TileGrid((1024, 768), tiles, tiles))
        for _ in shot.rows():
            pass
        heaps.append(shot.heap_bytes)
    assert heaps[1] < 0.4 * heaps[0]
    assert heaps[2] < 0.4 * heaps[1]


def test_several_views_are_refused(play: Play) -> None:
    running = play("split_screen", players=2)
    with pytest.raises(UsageError, match="if one view fills it"):
        running.tiled(2, 2)
