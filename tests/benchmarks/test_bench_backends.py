"""The comparison of backends: its measure, and that pictures of Vulkan and OpenGL are as equal as it says."""

from __future__ import annotations

import numpy as np
import pytest
from click.testing import CliRunner

from benchmarks.backend_cases import cases
from benchmarks.backends import Difference, command
from renderwright.engine.games import find_game


def test_equal_pictures_have_no_difference() -> None:
    picture = np.random.default_rng(1).integers(0, 256, (8, 8, 4), np.uint8)
    assert Difference.of(picture, picture) == Difference(0.0, 0.0, 0)


def test_a_channel_that_is_two_steps_off_counts() -> None:
    picture = np.full((8, 8, 4), 100, np.uint8)
    other = picture.copy()
    other[0, 0] = (101, 102, 100, 50)
    found = Difference.of(picture, other)
    assert (found.beyond_one, found.largest) == (1 / (8 * 8 * 3), 2)
    assert 0.0 < found.flip < 0.01


@pytest.mark.parametrize(("game", "skeletons"), [("marbles", 2), ("drift", 3), ("duel", 3)])
def test_every_case_has_a_name_of_its_own(game: str, skeletons: int) -> None:
    names = [case.name for case in cases(find_game(game))]
    assert len({*names}) == len(names)
    assert sum("no plugin" in name for name in names) == skeletons


@pytest.mark.vulkan
@pytest.mark.parametrize("case", ["no plugin", "4 samples", "glass", "particles", "cookies"])
def test_the_table(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.backends.EXTENT", (128, 72))
    ran = CliRunner().invoke(command, ["--frames", "6", "--only", case])
    assert ran.exit_code == 0, ran.output
    assert "vulkan on" in ran.output
    assert "opengl on" in ran.output
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in ran.output.splitlines() if line[:1] == "│"]
    assert rows
    assert all(case in row[0] for row in rows)
    assert all(float(row[1]) < 0.01 for row in rows)
    assert all(float(row[2].rstrip("%")) < 1.0 for row in rows)


@pytest.mark.vulkan
def test_a_case_that_the_game_cannot_have_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.backends.EXTENT", (128, 72))
    ran = CliRunner().invoke(command, ["drift", "--only", "contact_shadows"])
    assert ran.exit_code == 0, ran.output
    assert "-: contact_shadows: " in ran.output
