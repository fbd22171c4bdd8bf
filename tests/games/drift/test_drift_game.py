"""Drift under the engine's runner: replays, keys, gamepad, players, sprites and HUD."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from measured_hud import Measured, assert_apart

from renderwright.engine.game import GameContext, GameRunner
from renderwright.engine.hud import Hud
from renderwright.engine.input import InputMap
from renderwright.engine.input.replay import ReplaySource, load_replay
from renderwright.games import drift
from renderwright.games.drift import Drift, recording
from renderwright.games.drift.controls import MOST_PLAYERS
from renderwright.games.drift.hud_view import draw_title
from renderwright.games.drift.match import STEP

DEMO = Path(drift.__file__).parent / "replays" / "demo.yaml"
DEMO_SCORE = 1730
"""Change it with the replay: ``python -m renderwright.games.drift.recording 6`` tells it."""


def started(replay: Path | None = None, players: int = 1) -> tuple[Drift, GameContext, GameRunner]:
    game, seed, source = Drift(), 1, None
    if replay is not None:
        script = load_replay(replay, InputMap.from_dict(Drift.controls))
        source, seed = ReplaySource(script, STEP), script.seed or 0
    hud = Hud(1280, 720)
    runner = GameRunner(game, GameContext(hud=hud, huds=(hud,) * players, seed=seed, players=players), source=source)
    runner.start()
    return game, runner.context, runner


def tap(runner: GameRunner, key: str) -> None:
    runner.context.input.press(key)
    runner.context.input.release(key)
    runner.frame(STEP)


@pytest.fixture
def unseen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games whose sprites do not follow, which has no effect on their rules."""
    monkeypatch.setattr(Drift, "_show", lambda self, dt: None)


@pytest.mark.usefixtures("unseen")
def test_the_score_at_the_end_is_that_of_the_replay() -> None:
    game, _, runner = started(DEMO)
    for _ in range(1800):
        runner.frame(STEP)
        if not game.on_title and game.match.over:
            break
    assert game.match.score == game.best == DEMO_SCORE
    assert game.match.ships[0].lives == 0


def test_the_same_replay_gives_the_same_picture() -> None:
    pictures = []
    for _ in range(2):
        _, context, runner = started(DEMO)
        for _ in range(150):
            runner.frame(STEP)
        pictures.append(context.scene.sprites.drawn(0.5).rows.copy())
    np.testing.assert_array_equal(*pictures)


@pytest.mark.usefixtures("unseen")
def test_a_recorded_match_replays_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "_MOST", 200)
    text, steps, score = recording.record(2)
    file = tmp_path / "match.yaml"
    file.write_text(text)
    game, _, runner = started(file)
    for _ in range(steps + recording._AFTER):
        runner.frame(STEP)
    assert game.match.score == score > 0


def test_from_the_title_to_the_end_and_again() -> None:
    game, context, runner = started()
    runner.frame(STEP)
    assert game.on_title
    tap(runner, "space")
    assert not game.on_title
    tap(runner, "p")
    assert game.paused
    time = game.match.pause
    runner.frame(STEP)
    assert game.match.pause == time
    tap(runner, "p")
    runner.frame(STEP)
    assert game.match.pause < time
    game.match.ships[0].score = game.best = 700
    game.match.ships[0].lives = 0
    runner.frame(STEP)
    tap(runner, "space")
    assert game.match.over, "a shot too many does not begin anew"
    for _ in range(60):
        runner.frame(STEP)
    tap(runner, "enter")
    assert (game.match.score, game.match.over, game.best) == (0, False, 700)
    assert not context.quit_requested
    tap(runner, "escape")
    assert context.quit_requested


def test_keys_and_gamepad_fly_the_ship() -> None:
    game, context, runner = started()
    tap(runner, "pad_start")
    assert not game.paused, "the key that begins a match does not pause it"
    ship = game.match.ships[0]
    heading, speed = ship.heading, abs(ship.velocity)
    context.input.press("left")
    context.input.set_axis("pad_right_trigger", 1.0)
    for _ in range(20):
        runner.frame(STEP)
    assert ship.heading > heading + 1.0
    context.input.release("left")
    context.input.set_axis("pad_left_x", 1.0)
    context.input.press("pad_a")
    turned = ship.heading
    for _ in range(20):
        runner.frame(STEP)
    assert ship.heading < turned - 1.0
    assert len(game.match.shots) > 0
    assert abs(ship.velocity) != pytest.approx(speed, rel=0.05)


def test_each_of_two_players_has_keys_and_a_camera() -> None:
    game, context, runner = started(players=MOST_PLAYERS)
    assert len(context.scene.cameras) == MOST_PLAYERS
    tap(runner, "space")
    first, second = game.match.ships
    headings = first.heading, second.heading
    context.input.press("d")
    context.input.press("left")
    context.input.press("enter")
    for _ in range(10):
        runner.frame(STEP)
    assert first.heading < headings[0]
    assert second.heading > headings[1]
    assert set(game.match.shots.owner[game.match.shots.rows]) == {1}
    context.players = 1
    runner.frame(STEP)
    assert game.on_title
    assert (len(game.match.ships), len(context.scene.cameras)) == (1, 1)


def test_twenty_thousand_sprites_are_never_arranged_anew() -> None:
    game, context, runner = started(DEMO)
    runner.frame(STEP)
    drawn = context.scene.sprites.drawn(1.0)
    assert len(drawn.rows) > 20_000
    shown = set()
    for _ in range(400):
        runner.frame(STEP)
        shown |= {event.what.name for event in game.match.events}
    assert {"SHOT", "BREAK"} <= shown
    assert context.scene.sprites.drawn(1.0).runs is drawn.runs, "a change of runs records commands anew"


def test_the_title_hides_when_a_match_begins() -> None:
    _, context, runner = started()
    runner.frame(STEP)
    letters = context.scene.sprites.drawn(1.0).rows[-5:, 12:]
    assert (letters[:, 3] > 0).all()
    tap(runner, "space")
    assert (context.scene.sprites.drawn(1.0).rows[-5:, 15] == 0).all()


def test_the_hud_tells_score_wave_and_what_to_press() -> None:
    game, context, runner = started()
    texts: list[str] = []
    context.hud.text = lambda x, y, string, *rest: texts.append(string)  # type: ignore[method-assign]
    runner.frame(STEP)
    assert "Press Space or A" in texts
    tap(runner, "space")
    game.match.ships[0].score = game.best = 12_345
    texts.clear()
    runner.frame(STEP)
    assert {"12,345", "Wave 1", "First light"} <= set(texts)
    game.match.ships[0].lives = 0
    texts.clear()
    runner.frame(STEP)
    assert "Game over" in texts


@pytest.mark.parametrize("size", [(239, 270), (239, 135), (1280, 720)])
def test_the_texts_of_the_title_are_apart(size: tuple[int, int]) -> None:
    for players in (1, 2):
        hud = Measured(*size)
        draw_title(hud, 12340, players)
        assert len(hud.texts) >= 4
        assert_apart(hud)
