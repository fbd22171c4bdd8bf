"""The ghost of the best run in the game: when it is there, what it looks like, and its key."""

from __future__ import annotations

from pathlib import Path

import pytest

from renderwright.engine.game import GameContext, GameRunner
from renderwright.engine.input import InputMap
from renderwright.engine.input.replay import ReplaySource, parse_replay
from renderwright.engine.scene import Entity
from renderwright.engine.user_files import UserFiles
from renderwright.games import marbles
from renderwright.games.marbles import Marbles
from renderwright.games.marbles.physics import STEP
from renderwright.games.marbles.rounds import Phase
from renderwright.games.marbles.runs import parse_run

ISLANDS = (Path(marbles.__file__).parent / "replays" / "05_islands.yaml").read_text(encoding="utf-8")


def started(files: UserFiles | None = None, *, replay: str = ISLANDS) -> tuple[Marbles, GameContext, GameRunner]:
    game, context = Marbles(), GameContext(user_files=files or UserFiles())
    source = ReplaySource(parse_replay(replay, "run.yaml", InputMap.from_dict(Marbles.controls)), STEP)
    runner = GameRunner(game, context, source=source if replay else None)
    runner.start()
    return game, context, runner


def cleared(files: UserFiles | None = None) -> tuple[Marbles, GameContext, GameRunner]:
    game, context, runner = started(files)
    while game.rules.phase is Phase.PLAYING:
        runner.frame(STEP)
    return game, context, runner


def tap(context: GameContext, runner: GameRunner, key: str) -> None:
    context.input.press(key)
    context.input.release(key)
    runner.frame(STEP)


def wait(runner: GameRunner) -> None:
    """Until a ghost has left the start."""
    for _ in range(30):
        runner.frame(STEP)


def ghosts(context: GameContext) -> list[Entity]:
    return [entity for entity in context.scene if entity.material.drawn_as == "blend" and entity.visible]


def test_a_first_attempt_has_no_ghost() -> None:
    _, context, _ = cleared()
    assert ghosts(context) == []


def test_the_next_attempt_has_the_ghost_of_the_best_run() -> None:
    game, context, runner = cleared()
    tap(context, runner, "r")
    for _ in range(60):
        runner.frame(STEP)
    assert len(ghosts(context)) == 2, "one for each marble"
    assert not any(entity.casts_shadow for entity in ghosts(context))
    own = game.rules.marbles[0].position
    assert abs(ghosts(context)[0].transform.position.x - own[0]) > 0.1, "it rolls, and the own marble stays"


def test_the_ghost_goes_when_it_is_home() -> None:
    game, context, runner = cleared()
    steps = game.rules.steps
    tap(context, runner, "r")
    for _ in range(steps):
        runner.frame(STEP)
    assert ghosts(context) == []


def test_a_key_hides_the_ghost_and_brings_it_back() -> None:
    _, context, runner = cleared()
    tap(context, runner, "r")
    wait(runner)
    assert len(ghosts(context)) == 2
    tap(context, runner, "g")
    assert ghosts(context) == []
    tap(context, runner, "g")
    assert len(ghosts(context)) == 2


def test_a_race_and_other_levels_have_no_ghost_of_this_one() -> None:
    _, context, runner = cleared()
    tap(context, runner, "1")
    assert ghosts(context) == []
    tap(context, runner, "5")
    wait(runner)
    assert len(ghosts(context)) == 2
    tap(context, runner, "1")
    assert ghosts(context) == []
    tap(context, runner, "5")
    wait(runner)
    context.players = 2
    runner.frame(STEP)
    assert ghosts(context) == []


def test_the_next_session_has_the_time_and_the_ghost(tmp_path: Path) -> None:
    game, _, _ = cleared(UserFiles(tmp_path))
    again, context, runner = started(UserFiles(tmp_path), replay="version: 1\nsteps: []\n")
    assert again.records.times == game.records.times == {4: game.rules.time}
    tap(context, runner, "5")
    wait(runner)
    assert len(ghosts(context)) == 2


def test_the_kept_run_is_a_replay_of_itself(tmp_path: Path) -> None:
    game, _, _ = cleared(UserFiles(tmp_path))
    text = (tmp_path / "run_islands.yaml").read_text()
    assert parse_run(text, "") == parse_run(ISLANDS, "")
    again, _, runner = started(replay=text)
    while again.rules.phase is Phase.PLAYING:
        runner.frame(STEP)
    assert again.rules.time == game.rules.time


def test_a_run_that_goes_astray_is_told_and_shown_no_more(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    cleared(UserFiles(tmp_path))
    file = tmp_path / "run_islands.yaml"
    file.write_text(file.read_text().replace("tilt_right: 1.0", "tilt_right: 0.5"))
    game, context, runner = started(UserFiles(tmp_path), replay="version: 1\nsteps: []\n")
    tap(context, runner, "5")
    steps = round(game.records.times[4] / STEP)
    for _ in range(steps):
        runner.frame(STEP)
    assert ghosts(context) == []
    assert "has no ghost" in caplog.text
    assert "run_islands.yaml" in caplog.text
    tap(context, runner, "r")
    assert ghosts(context) == []
