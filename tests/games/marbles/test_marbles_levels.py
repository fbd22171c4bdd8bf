"""The level format, its errors, and the levels that come with the game."""

from pathlib import Path

import pytest

from renderwright.games.marbles.course import build_course
from renderwright.games.marbles.level import Finish, Tile, reachable
from renderwright.games.marbles.level_file import LEVELS_FOLDER, load_level, load_levels, parse_level
from renderwright.games.marbles.rules import Rules
from renderwright.games.marbles.solver import Search, solve
from renderwright.render.errors import AssetError

GOOD = """\
name: Small
par_time: 10
time_limit: 60
movers:
  - {start: [1, 2], end: [3, 2], period: 3}
map: |
  S..#
  .*O#
  ....
  B..G
"""


def error_of(text: str) -> AssetError:
    with pytest.raises(AssetError) as caught:
        parse_level(text, "bad.yaml")
    return caught.value


def test_a_good_level() -> None:
    level = parse_level(GOOD, "good.yaml")
    assert level.settings.name == "Small"
    assert level.settings.lives == 3
    assert (level.columns, len(level.rows)) == (4, 4)
    assert level.cells(Tile.HOLE) == ((2, 1),)
    assert level.tile((3, 3)) is Tile.GOAL


@pytest.mark.parametrize(
    ("wrong", "right", "place", "message"),
    [
        ("  .*O#", "  .xO#", "bad.yaml:8:4", "no tile 'x'"),
        ("  .*O#", "  .*O", "bad.yaml:8:6", "row 2 of the map has 3 cells"),
        ("  B..G", "  B..#", "bad.yaml:7:3", "only 0 reachable goals"),
        ("  S..#", "  ...#", "bad.yaml:6", "no marble"),
        ("start: [1, 2], end: [3, 2]", "start: [0, 1], end: [2, 1]", "bad.yaml:8:4", "runs over a coin"),
        ("end: [3, 2]", "end: [3, 3]", "bad.yaml:6", "row or a column"),
        ("end: [3, 2]", "end: [9, 2]", "bad.yaml:6", "leaves the map"),
        ("par_time: 10", "par_time: -1", "bad.yaml:2:11", "par_time"),
        ("par_time: 10", "part_time: 10", "bad.yaml:2:1", "part_time"),
        ("period: 3", "perio: 3", "bad.yaml:5:34", "movers.0.perio"),
        ("name: Small\n", "", "bad.yaml:1:1", "name is missing"),
        ("name: Small", "name: [", "bad.yaml", "not valid YAML"),
        ("name: Small", "name: Small\nname: Two", "bad.yaml:2:1", "duplicate key"),
    ],
)
def test_a_bad_level_says_where_and_why(wrong: str, right: str, place: str, message: str) -> None:
    assert wrong in GOOD
    error = error_of(GOOD.replace(wrong, right, 1))
    assert str(error.where).startswith(place)
    assert message in error.message
    assert error.hint


def test_a_misspelt_key_is_told_its_right_name() -> None:
    assert "par_time" in error_of(GOOD.replace("par_time", "part_time")).hint


def test_marbles_need_a_goal_each() -> None:
    error = error_of(GOOD.replace("  S..#", "  SS.#"))
    assert "2" in error.message
    assert "goal" in error.hint


def test_a_list_or_a_missing_file_is_no_level(tmp_path: Path) -> None:
    assert "mapping" in error_of("- a\n").message
    with pytest.raises(AssetError, match="cannot read"):
        load_level(tmp_path / "none.yaml")
    with pytest.raises(AssetError, match="no level"):
        load_levels(tmp_path)


@pytest.mark.parametrize("file", sorted(LEVELS_FOLDER.glob("*.yaml")), ids=lambda file: file.stem)
def test_every_level_has_a_way_from_each_start_to_a_goal(file: Path) -> None:
    level = load_level(file)
    for start in level.cells(Tile.START):
        assert any(goal in reachable(level, start) for goal in level.cells(Tile.GOAL))
    assert level.settings.par_time < level.settings.time_limit


def test_there_are_eight_levels_and_they_use_everything() -> None:
    levels = load_levels()
    assert len(levels) == 8
    used = {tile for level in levels for row in level.rows for tile in row}
    assert used == set(Tile)
    assert any(level.settings.movers for level in levels)
    assert len({level.settings.name for level in levels}) == len(levels)
    assert {level.settings.marbles for level in levels} == set(Finish)


def test_levels_become_harder() -> None:
    pars = [level.settings.par_time for level in load_levels()]
    assert pars == sorted(pars)


@pytest.mark.parametrize("level", load_levels(), ids=lambda level: level.settings.name)
def test_joined_walls_cover_the_wall_cells_and_nothing_else(level) -> None:  # type: ignore[no-untyped-def]
    course = build_course(level)
    covered = [
        (column, row)
        for block in course.walls
        for column in range(round(block.x0 + course.columns / 2), round(block.x1 + course.columns / 2))
        for row in range(round(block.z0 + course.rows / 2), round(block.z1 + course.rows / 2))
    ]
    assert sorted(covered) == sorted(level.cells(Tile.WALL))


def test_the_solver_clears_a_small_level() -> None:
    text = "name: Tiny\npar_time: 5\ntime_limit: 30\nmap: |\n  S...\n  .#..\n  .#O.\n  .#.G\n"
    level = parse_level(text, "tiny.yaml")
    search = Search(hold=40, width=12, moves=30)
    hands = solve(level, search)
    assert hands is not None
    rules = Rules([level])
    for hand in hands:
        for _ in range(search.hold):
            rules.step(hand)
    assert rules.homes == 1
    assert rules.lives == level.settings.lives
