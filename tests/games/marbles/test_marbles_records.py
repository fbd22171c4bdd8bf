"""Best times and runs: what is better, and what is kept between runs of the game."""

from __future__ import annotations

from pathlib import Path

import pytest

from renderwright.engine.user_files import UserFiles
from renderwright.games.marbles.level import Level
from renderwright.games.marbles.level_file import parse_level
from renderwright.games.marbles.physics import STEP
from renderwright.games.marbles.records import Records
from renderwright.games.marbles.rounds import Hand
from renderwright.games.marbles.runs import Run
from renderwright.render.errors import UsageError


def level(name: str, row: str = "S..G") -> Level:
    text = f"name: {name}\npar_time: 10\ntime_limit: 60\nmap: |\n"
    return parse_level(text + "".join(f"  {line}\n" for line in ("....", row, "....", "....")), "test.yaml")


def run(steps: int) -> Run:
    return Run(steps, ((0, Hand(1.0, 0.0)),))


LEVELS = (level("First Roll"), level("Second"))


@pytest.fixture
def files(tmp_path: Path) -> UserFiles:
    return UserFiles(tmp_path / "marbles")


def folder(files: UserFiles) -> Path:
    assert files.folder is not None
    return files.folder


def test_a_better_run_replaces_the_best_and_a_worse_one_does_not() -> None:
    records = Records(LEVELS)
    assert records.add(0, run(600))
    assert not records.add(0, run(601))
    assert not records.add(0, run(600))
    assert records.add(0, run(480))
    assert records.times == {0: 480 * STEP}
    assert records.run(0) == run(480)
    assert records.run(1) is None


def test_what_is_kept_is_there_in_the_next_run(files: UserFiles) -> None:
    records = Records(LEVELS, files)
    records.add(1, run(600))
    records.add(0, run(480))
    again = Records(LEVELS, UserFiles(files.folder))
    assert again.times == {0: 480 * STEP, 1: 600 * STEP}
    assert again.run(1) == run(600)
    assert sorted(file.name for file in folder(files).iterdir()) == [
        "best_times.yaml",
        "run_first_roll.yaml",
        "run_second.yaml",
    ]


def test_without_a_folder_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Records(LEVELS).add(0, run(480))
    assert not any(tmp_path.iterdir())


def test_a_better_run_of_another_window_stays(files: UserFiles) -> None:
    here, there = Records(LEVELS, files), Records(LEVELS, UserFiles(files.folder))
    there.add(0, run(300))
    there.add(1, run(700))
    assert not here.add(0, run(480))
    assert here.add(1, run(600))
    assert Records(LEVELS, UserFiles(files.folder)).times == {0: 300 * STEP, 1: 600 * STEP}
    assert here.run(0) == run(300)


def test_records_of_other_levels_stay_in_the_file(files: UserFiles) -> None:
    Records((level("Later"),), files).add(0, run(200))
    Records(LEVELS, UserFiles(files.folder)).add(0, run(300))
    assert Records((level("Later"),), UserFiles(files.folder)).times == {0: 200 * STEP}


def test_a_changed_map_has_no_best_time_yet(files: UserFiles, caplog: pytest.LogCaptureFixture) -> None:
    Records(LEVELS, files).add(0, run(200))
    changed = Records((level("First Roll", "S.#G"),), UserFiles(files.folder))
    assert changed.times == {}
    assert '"First Roll" is left out: its map has changed' in caplog.text
    assert changed.add(0, run(900))
    assert Records(LEVELS[:1], UserFiles(files.folder)).times == {}


@pytest.mark.parametrize(
    "text",
    ["nonsense", "version: 2\n", "version: 1\nlevels:\n  second: {steps: -4, map: x}\n", "version: 1\nbest: 1\n"],
)
def test_a_damaged_file_is_told_and_left_alone(files: UserFiles, text: str, caplog: pytest.LogCaptureFixture) -> None:
    folder(files).mkdir()
    kept = folder(files) / "best_times.yaml"
    kept.write_text(text)
    records = Records(LEVELS, files)
    assert records.add(0, run(300)), "the game goes on, with records of its own"
    assert records.run(0) == run(300)
    assert kept.read_text() == text
    assert list(folder(files).iterdir()) == [kept]
    assert f"{kept}:" in caplog.text
    with pytest.raises(UsageError, match=r"best_times\.yaml"):
        Records(LEVELS, UserFiles(files.folder, strict=True))


def test_a_damaged_run_leaves_the_time(files: UserFiles, caplog: pytest.LogCaptureFixture) -> None:
    Records(LEVELS, files).add(0, run(300))
    (folder(files) / "run_first_roll.yaml").write_text("nonsense")
    records = Records(LEVELS, UserFiles(files.folder))
    assert records.times == {0: 300 * STEP}
    assert not caplog.records, "it is read when the level is played"
    assert records.run(0) is None
    assert "run_first_roll.yaml" in caplog.text


def test_a_run_of_another_time_is_no_ghost(files: UserFiles, caplog: pytest.LogCaptureFixture) -> None:
    Records(LEVELS, files).add(0, run(300))
    file = folder(files) / "run_first_roll.yaml"
    file.write_text(file.read_text().replace("300", "290"))
    records = Records(LEVELS, UserFiles(files.folder))
    assert records.run(0) is None
    assert records.run(0) is None
    assert "has no ghost" in caplog.text
