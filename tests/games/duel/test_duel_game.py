"""The game under the engine's runner: keys, replays, seats, scene and HUD. Without a device."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from measured_hud import Measured, assert_apart

from renderwright.engine.game import GameContext, GameRunner
from renderwright.engine.hud import Hud
from renderwright.engine.input import InputMap
from renderwright.engine.input.replay import ReplaySource, load_replay
from renderwright.games import duel
from renderwright.games.duel import Duel
from renderwright.games.duel.arena import SEATS, load_arenas
from renderwright.games.duel.demo import SEED, replay_of
from renderwright.games.duel.hud_view import draw_hud
from renderwright.games.duel.match import Match, Phase, What
from renderwright.games.duel.tanks import ARMOUR, STEP
from renderwright.games.duel.visor import Visor

REPLAYS = Path(duel.__file__).parent / "replays"
PLAYERS = {"demo": 1, "four": 4}
"""Players of each replay."""


def started(players: int = 1, *, replay: str | None = None, hud: Hud | None = None) -> tuple[Duel, GameRunner]:
    game = Duel()
    context = GameContext(players=players, seed=SEED)
    if hud is not None:
        context.hud, context.huds = hud, (hud,) * players
    source = None
    if replay is not None:
        script = load_replay(REPLAYS / f"{replay}.yaml", InputMap.from_dict(Duel.controls))
        source = ReplaySource(script, STEP)
    runner = GameRunner(game, context, source=source)
    runner.start()
    return game, runner


def tap(runner: GameRunner, key: str) -> None:
    runner.context.input.press(key)
    runner.context.input.release(key)
    runner.frame(STEP)


def play(runner: GameRunner, seconds: float) -> None:
    for _ in range(round(seconds / STEP)):
        runner.frame(STEP)


@pytest.mark.parametrize(("replay", "score"), [("demo", (2, 2, 1, 2)), ("four", (2, 2, 1, 2))])
def test_a_replay_gives_its_score_each_time(replay: str, score: tuple[int, ...]) -> None:
    results = []
    for _ in range(2):
        game, runner = started(PLAYERS[replay], replay=replay)
        play(runner, 28.0)
        results.append((game.match.phase, game.match.score, game.match.tanks, runner.context.scene.draw_list(0.5)))
    assert results[0][:3] == results[1][:3]
    assert results[0][0] is Phase.FIGHT
    assert tuple(frags for _, frags in results[0][1]) == score
    np.testing.assert_array_equal(results[0][3].models, results[1][3].models)


def test_the_replays_are_those_that_bots_write() -> None:
    for name, players in PLAYERS.items():
        assert (REPLAYS / f"{name}.yaml").read_text(encoding="utf-8") == replay_of(players, 30.0)


def test_from_the_title_to_the_end_and_again() -> None:
    game, runner = started()
    tap(runner, "enter")
    assert game.match.phase is Phase.READY
    for number in range(3):
        assert game.match.round == number
        play(runner, 3.1)
        game.match.tanks[0].frags = game.match.arena.file.frags
        play(runner, 4.1)
    assert game.match.phase is Phase.MATCH_END
    assert game.match.winners == (0,)
    tap(runner, "space")
    assert (game.match.phase, game.match.round) == (Phase.READY, 0)
    tap(runner, "escape")
    assert game.match.phase is Phase.TITLE
    assert not runner.context.quit_requested
    tap(runner, "escape")
    assert runner.context.quit_requested


def test_pause_stops_everything() -> None:
    game, runner = started()
    tap(runner, "enter")
    play(runner, 4.0)
    tap(runner, "p")
    before = [(tank.x, tank.z) for tank in game.match.tanks]
    play(runner, 0.2)
    assert [(tank.x, tank.z) for tank in game.match.tanks] == before
    tap(runner, "p")
    play(runner, 0.2)
    assert [(tank.x, tank.z) for tank in game.match.tanks] != before


@pytest.mark.parametrize(
    ("players", "seat", "key"), [(1, 0, "up"), (1, 0, "w"), (2, 0, "w"), (2, 1, "up"), (4, 2, "i")]
)
def test_each_seat_has_its_keys(players: int, seat: int, key: str) -> None:
    game, runner = started(players)
    tap(runner, "enter")
    play(runner, 3.1)
    before = [(tank.x, tank.z) for tank in game.match.tanks[:players]]
    runner.context.input.press(key)
    play(runner, 0.3)
    moved = [(tank.x, tank.z) != place for tank, place in zip(game.match.tanks, before, strict=False)]
    assert moved == [number == seat for number in range(players)]


@pytest.mark.parametrize(
    ("players", "seat", "axis"),
    [
        (1, 0, "pad_left_y"),
        (2, 0, "pad_left_y"),
        (2, 1, "pad2_left_y"),
        (4, 2, "pad3_left_y"),
        (4, 3, "pad4_left_y"),
    ],
)
def test_each_seat_has_its_gamepad(players: int, seat: int, axis: str) -> None:
    game, runner = started(players)
    tap(runner, "enter")
    play(runner, 3.1)
    before = [(tank.x, tank.z) for tank in game.match.tanks[:players]]
    runner.context.input.set_axis(axis, 1.0)
    play(runner, 0.3)
    moved = [(tank.x, tank.z) != place for tank, place in zip(game.match.tanks, before, strict=False)]
    assert moved == [number == seat for number in range(players)]


def test_players_come_and_go_and_bots_take_their_seats() -> None:
    game, runner = started(2)
    tap(runner, "enter")
    play(runner, 3.5)
    runner.context.players = 4
    play(runner, 0.1)
    assert len(runner.context.scene.cameras) == 4
    runner.context.players = 1
    play(runner, 0.1)
    assert (game.match.humans, len(runner.context.scene.cameras)) == (1, 1)
    before = game.match.tanks[1].x
    play(runner, 1.0)
    assert game.match.tanks[1].x != before


def test_rounds_leave_nothing_behind() -> None:
    game, runner = started()
    tap(runner, "enter")
    scene = runner.context.scene
    lights = []
    for _ in range(4):
        game.match._begin(0, Phase.READY)
        runner.frame(STEP)
        lights.append((len(scene), len(scene.lights)))
    assert len(set(lights)) == 1


def test_each_round_has_the_meshes_of_the_one_before() -> None:
    """New ones would be on their way to the GPU, and not drawn, in the first frames of a round."""
    game, runner = started()
    scene, meshes = runner.context.scene, []
    for arena in range(3):
        game.match._begin(arena, Phase.READY)
        runner.frame(STEP)
        meshes.append({batch.mesh for batch in scene.draw_list(1.0).batches})
    assert meshes[0] == meshes[1] == meshes[2]


def test_sixty_lights_move_and_are_dark_when_nothing_shines() -> None:
    game, runner = started()
    tap(runner, "enter")
    moving = game._fleet._lights
    assert len(moving) == 60
    shining = [light for light in moving if light.intensity > 0.0]
    assert len(shining) == SEATS
    game.match._damage(1, 0, (0.0, 0.0), (1.0, 0.0))
    game.match.tanks[1].armour = 1.0
    game.match._damage(1, 0, (0.0, 0.0), (1.0, 0.0))
    game._follow(STEP)
    assert What.DESTROYED in {event.what for event in game.match.events}
    assert max(light.intensity for light in moving) > 50.0
    game.match.events.clear()
    for _ in range(120):
        game._follow(STEP)
    assert sum(light.intensity > 0.0 for light in moving) == SEATS - 1


def test_damage_is_seen_on_the_own_picture_only() -> None:
    game, runner = started(2)
    tap(runner, "enter")
    play(runner, 3.1)
    game.match.tanks[1].armour, game.match.tanks[1].shock = 0.25 * ARMOUR, 1.0
    runner.frame(STEP)
    one, two = game._visors[:2]
    assert (one.hurt, one.shock, one.static) == (0.0, 0.0, 0.0)
    assert two.hurt == 0.75
    assert two.shock > 0.9
    table = Visor.table()
    for visor in (one, two):
        table.add(visor)
    table.end_step(STEP)
    rows = table.rows(0.5)
    assert rows.data[:, 0].tolist() == [0.0, 0.75, 0.0, 0.0]
    two.hurt = two.shock = 0.0
    table.end_step(STEP)
    still = table.rows(0.5)
    table.end_step(STEP)
    assert table.rows(0.2) is still, "a clear picture is the same from step to step"


def test_the_hud_has_something_to_say_in_every_phase() -> None:
    hud = Hud(640, 360)
    game, _ = started(hud=hud)
    counts = []
    for phase in Phase:
        game.match.phase = phase
        game.match.phase_time = 0.1
        game.match.winners = (0, 2)
        hud.clear()
        game.draw(1.0)
        counts.append(len(hud.vertices()))
    assert min(counts) > 60
    assert len(set(counts)) == len(counts)


@pytest.mark.parametrize("size", [(239, 135), (640, 360)])
def test_the_texts_of_a_round_that_begins_are_apart(size: tuple[int, int]) -> None:
    match = Match(load_arenas(), 4, GameContext(seed=SEED).random)
    match.start()
    for player in range(4):
        hud = Measured(*size)
        draw_hud(hud, match, player, paused=False)
        assert len(hud.texts) >= 8
        assert_apart(hud)
