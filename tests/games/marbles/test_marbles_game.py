"""The game under the engine's runner: replays, keys, scene and HUD."""

from pathlib import Path

import numpy as np
import pytest
from pyglm import glm

from renderwright.engine.game import GameContext, GameRunner
from renderwright.engine.hud import Hud
from renderwright.engine.input import InputMap
from renderwright.engine.input.replay import ReplaySource, load_replay
from renderwright.engine.scene.algebra import rotate
from renderwright.games import marbles
from renderwright.games.marbles import Marbles
from renderwright.games.marbles.board import board_rotation
from renderwright.games.marbles.hud_style import BAR_HEIGHT
from renderwright.games.marbles.physics import STEP
from renderwright.games.marbles.rounds import Phase
from renderwright.games.marbles.tilt import MAX_TILT, Tilt

REPLAYS = Path(marbles.__file__).parent / "replays"
LEVEL_REPLAYS = sorted(REPLAYS.glob("[0-9]*.yaml"))


def started(hud: Hud | None = None, replay: Path | None = None) -> tuple[Marbles, GameContext, GameRunner]:
    game = Marbles()
    context = GameContext() if hud is None else GameContext(hud=hud)
    source = None
    if replay is not None:
        source = ReplaySource(load_replay(replay, InputMap.from_dict(Marbles.controls)), STEP)
    runner = GameRunner(game, context, source=source)
    runner.start()
    return game, context, runner


def tap(context: GameContext, runner: GameRunner, key: str) -> None:
    context.input.press(key)
    context.input.release(key)
    runner.frame(STEP)


def play_until_cleared(game: Marbles, runner: GameRunner, seconds: float) -> None:
    for _ in range(round(seconds / STEP)):
        runner.frame(STEP)
        if game.rules.phase is Phase.CLEARED:
            return


def test_the_demo_replay_clears_the_first_level() -> None:
    game, _, runner = started(replay=REPLAYS / "demo.yaml")
    play_until_cleared(game, runner, 15.0)
    assert (game.rules.level_index, game.rules.phase) == (0, Phase.CLEARED)
    assert game.rules.lives == game.rules.level.settings.lives
    for _ in range(round(4.0 / STEP)):
        runner.frame(STEP)
    assert game.rules.level_index == 1, "the next level loads"


@pytest.mark.parametrize("file", LEVEL_REPLAYS, ids=lambda file: file.stem)
def test_the_replay_of_each_level_clears_it(file: Path) -> None:
    game, _, runner = started(replay=file)
    play_until_cleared(game, runner, 30.0)
    assert game.rules.level_index == int(file.stem[:2]) - 1
    assert game.rules.phase is Phase.CLEARED


def test_every_level_has_a_replay() -> None:
    numbers = {1, *(int(file.stem[:2]) for file in LEVEL_REPLAYS)}
    game, _, _ = started()
    assert numbers == {number + 1 for number in range(len(game.rules.levels))}


def test_the_same_replay_gives_the_same_picture() -> None:
    pictures = []
    for _ in range(2):
        _, context, runner = started(replay=REPLAYS / "demo.yaml")
        for _ in range(200):
            runner.frame(STEP)
        pictures.append(context.scene.draw_list(0.5).models.copy())
    np.testing.assert_array_equal(pictures[0], pictures[1])


def test_keys_help_pause_restart_next_and_quit() -> None:
    game, context, runner = started()
    tap(context, runner, "h")
    assert game.help
    tap(context, runner, "h")
    assert not game.help
    tap(context, runner, "p")
    time = game.rules.time
    runner.frame(STEP)
    assert game.rules.time == time
    tap(context, runner, "r")
    assert not game.paused
    assert game.rules.time == pytest.approx(STEP)
    tap(context, runner, "n")
    assert game.rules.level_index == 1
    assert not context.quit_requested
    tap(context, runner, "escape")
    assert context.quit_requested


@pytest.mark.parametrize(("key", "axis", "sign"), [("right", 0, 1), ("a", 0, -1), ("down", 2, 1), ("w", 2, -1)])
def test_the_marble_rolls_where_the_key_points(key: str, axis: int, sign: int) -> None:
    game, context, runner = started()
    marble = game.rules.marbles[0]
    marble.position = (0.5, marble.position[1], -2.5)
    before = marble.position[axis]
    context.input.press(key)
    for _ in range(40):
        runner.frame(STEP)
    assert (marble.position[axis] - before) * sign > 0.05


def test_the_pad_tilts_too() -> None:
    game, context, runner = started()
    context.input.set_axis("pad_left_x", 1.0)
    context.input.set_axis("pad_left_y", 1.0)
    for _ in range(30):
        runner.frame(STEP)
    assert game.rules.tilt.roll > 0.05
    assert game.rules.tilt.pitch < -0.05


def test_changing_levels_leaves_nothing_behind() -> None:
    game, context, runner = started()
    entities, lights = len(context.scene), len(context.scene.lights)
    for _ in range(len(game.rules.levels)):
        tap(context, runner, "n")
    assert game.rules.level_index == 0
    assert (len(context.scene), len(context.scene.lights)) == (entities, lights)


def test_coins_vanish_and_goals_turn_green() -> None:
    game, context, runner = started()
    shown = sum(entity.visible for entity in context.scene)
    spot = game.rules.course.coins[0]
    game.rules.marbles[0].position = (spot.x, 0.3, spot.z)
    runner.frame(STEP)
    assert sum(entity.visible for entity in context.scene) == shown - 1
    cup = next(pit for pit in game.rules.course.pits if pit.kind.name == "GOAL")
    game.rules.marbles[1].position = (cup.x, 0.3, cup.z)
    materials = {entity.material for entity in context.scene}
    for _ in range(120):
        runner.frame(STEP)
    new = {entity.material for entity in context.scene} - materials
    assert [material.emissive[1] > material.emissive[0] for material in new] == [True]


@pytest.mark.parametrize("extent", [(1280, 720), (320, 180), (500, 900), (2560, 720)])
def test_the_camera_frames_the_board_below_the_hud(extent: tuple[int, int]) -> None:
    hud = Hud(*extent)
    _, context, runner = started(hud)
    runner.frame(STEP)
    aspect = extent[0] / extent[1]
    camera = context.scene.camera
    clip = np.array(camera.projection(aspect) * camera.view())
    board = next(entity for entity in context.scene if entity.name == "frame")
    corners = np.concatenate([board.mesh.positions, np.ones((len(board.mesh.vertices), 1))], axis=1) @ clip.T
    ndc = corners[:, :2] / corners[:, 3:]
    assert np.abs(ndc[:, 0]).max() <= 1.0
    assert ndc[:, 1].min() >= -1.0
    assert ndc[:, 1].max() <= 1.0 - 2.0 * BAR_HEIGHT / hud.height
    assert max(np.abs(ndc[:, 0]).max(), np.abs(ndc[:, 1]).max()) > 0.55, "it is not smaller than need be"


def test_the_hud_has_something_to_say_in_every_phase() -> None:
    hud = Hud(1280, 720)
    game, _, _ = started(hud)
    counts = []
    for phase in (Phase.PLAYING, Phase.LOST, Phase.CLEARED, Phase.WON):
        game.rules.phase = phase
        game.records.times[0] = 12.0
        if phase is Phase.LOST:
            game.rules.lives = 0
            game.rules._judge()
        hud.clear()
        game.draw(1.0)
        counts.append(len(hud.vertices()))
    assert min(counts) > 100
    assert len(set(counts)) == len(counts)


def test_steel_marbles_mirror_a_board_that_is_measured_anew() -> None:
    _, context, runner = started()
    assert not context.scene.probes.all, "glass needs none, and the first level starts without its nodes"
    tap(context, runner, "6")
    (first,) = context.scene.probes.all
    tap(context, runner, "7")
    (second,) = context.scene.probes.all
    assert second is not first
    tap(context, runner, "1")
    assert not context.scene.probes.all


def test_marbles_stay_in_the_light_of_the_probe_at_every_tilt() -> None:
    game, context, runner = started()
    for number in (6, 7, 8):
        tap(context, runner, str(number))
        (probe,) = context.scene.probes.all
        course = game.rules.course
        for roll, pitch in ((MAX_TILT, 0.0), (-MAX_TILT, 0.0), (0.0, MAX_TILT), (0.0, -MAX_TILT)):
            for x in (-0.5 * course.columns + 0.3, 0.5 * course.columns - 0.3):
                for z in (-0.5 * course.rows + 0.3, 0.5 * course.rows - 0.3):
                    place = rotate(board_rotation(Tilt(roll, pitch)), glm.vec3(x, 0.3, z))
                    assert all(probe.low[axis] < place[axis] < probe.high[axis] for axis in range(3))
