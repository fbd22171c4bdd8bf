"""Runs: what hands did, as text and back, and the ghosts that play them again."""

from __future__ import annotations

from pathlib import Path

import pytest

from renderwright.games import marbles
from renderwright.games.marbles.attempt import Attempt, Ghost
from renderwright.games.marbles.level import Level
from renderwright.games.marbles.level_file import load_levels, parse_level
from renderwright.games.marbles.physics import STEP
from renderwright.games.marbles.rounds import Hand, Phase
from renderwright.games.marbles.rules import Rules
from renderwright.games.marbles.runs import Run, RunReader, RunWriter, parse_run, run_text
from renderwright.render.errors import AssetError

RIGHT, REST = Hand(right=1.0), Hand()
REPLAYS = Path(marbles.__file__).parent / "replays"
RUNS = sorted(REPLAYS.glob("[0-9]*.yaml"))


def corridor(row: str = "S..*..G") -> Level:
    wall = "#" * len(row)
    text = "name: Corridor\npar_time: 20\ntime_limit: 60\nmap: |\n"
    return parse_level(text + "".join(f"  {line}\n" for line in (wall, row, wall, wall)), "test.yaml")


def cleared(level: Level, wait: float = 0.0) -> Run:
    """The run that waits, and then rolls to the right."""
    attempt = Attempt(Rules([level]), None)
    for step in range(10_000):
        run = attempt.step(REST if step < wait / STEP else RIGHT)
        if run is not None:
            return run
    raise AssertionError("not cleared")


def test_a_run_has_the_changes_of_the_hands() -> None:
    writer = RunWriter()
    for hand in (RIGHT, RIGHT, REST, REST, RIGHT):
        writer.write(hand)
    assert writer.run() == Run(5, ((0, RIGHT), (2, REST), (4, RIGHT)))


def test_a_reader_gives_the_hand_of_each_step() -> None:
    reader = RunReader(Run(5, ((0, RIGHT), (2, REST), (4, RIGHT))))
    assert [reader.read() for _ in range(5)] == [RIGHT, RIGHT, REST, REST, RIGHT]
    assert reader.finished


def test_a_run_is_an_input_script_and_comes_back_exactly() -> None:
    run = Run(90, ((0, Hand(0.015625, -1.0)), (7, Hand()), (80, Hand(-0.984375, 0.5))))
    assert parse_run(run_text(run, 2), "run.yaml") == run


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("version: 1\nsteps: []\n", "tilts nothing"),
        ("version: 1\nsteps:\n  - {step: 0, axis: {tilt_up: 1}}\n", "tilt_up"),
        ("nonsense", "mapping"),
    ],
)
def test_a_text_that_is_no_run_is_refused(text: str, message: str) -> None:
    with pytest.raises(AssetError, match=message) as caught:
        parse_run(text, "run.yaml")
    assert "run.yaml" in str(caught.value.where)


def test_an_attempt_ends_with_the_run_that_cleared_the_level() -> None:
    run = cleared(corridor(), wait=0.5)
    assert run.hands[1] == (60, RIGHT)
    assert Attempt(Rules([corridor()]), run).ghost is not None


def test_a_ghost_rolls_as_the_run_did_and_is_home_in_its_time() -> None:
    level = corridor()
    run = cleared(level)
    rules, ghost = Rules([level]), Ghost(level, run)
    assert ghost.marbles == (), "before the start there is nothing to see"
    for step in range(run.steps):
        rules.step(RIGHT)
        ghost.step()
        if 12 <= step < run.steps - 1:
            assert ghost.marbles[0].position == rules.marbles[0].position
    assert ghost.marbles == ()
    assert not ghost.astray


@pytest.mark.parametrize("change", [-3, 3])
def test_a_run_that_ends_elsewhere_is_astray(change: int) -> None:
    level = corridor()
    run = cleared(level)
    ghost = Ghost(level, Run(run.steps + change, run.hands))
    seen = False
    for _ in range(run.steps + 5):
        ghost.step()
        seen = seen or ghost.astray
    assert seen


def test_a_ghost_touches_nothing() -> None:
    level = corridor()
    alone, beside = Rules([level]), Rules([level])
    attempt = Attempt(beside, cleared(level))
    for _ in range(150):
        alone.step(RIGHT)
        attempt.step(RIGHT)
    assert beside.marbles[0].position == alone.marbles[0].position


def test_nothing_is_written_after_the_end() -> None:
    level = corridor()
    attempt = Attempt(Rules([level, level]), None)
    runs = [run for _ in range(700) if (run := attempt.step(RIGHT)) is not None]
    assert len(runs) == 1


@pytest.mark.parametrize("file", RUNS, ids=lambda file: file.stem)
def test_the_replay_of_each_level_is_a_run_without_a_fall(file: Path) -> None:
    level = load_levels()[int(file.stem[:2]) - 1]
    run = parse_run(file.read_text(encoding="utf-8"), str(file))
    rules, reader = Rules([level]), RunReader(run)
    while not reader.finished:
        assert rules.phase is Phase.PLAYING
        rules.step(reader.read())
    assert rules.phase is Phase.CLEARED
    assert rules.lives == level.settings.lives
    assert rules.time < level.settings.par_time
