"""Arenas: the shipped ones are sound, and mistakes in others are told with their place."""

from pathlib import Path

import pytest

from renderwright.games.duel.arena import COVER, FREE, Ground, load_arena, load_arenas
from renderwright.games.duel.bots import _FAR_AWAY, _ways_to
from renderwright.render.errors import AssetError

ARENAS = load_arenas()
GOOD = """name: Test
seconds: 10
frags: 2
look: {trim: [1, 0, 0], zenith: [0, 0, 0], horizon: [0, 0, 0], moon: [1, 1, 1]}
map: |
  1...2
  .o#+.
  .....
  .....
  4...3
"""


@pytest.mark.parametrize("arena", ARENAS, ids=lambda arena: arena.file.name)
def test_every_tank_and_pad_can_be_reached_without_a_shot(arena: object) -> None:
    ground = Ground(arena)  # type: ignore[arg-type]
    ways = _ways_to(ground, ground.cell(*ground.arena.spawns[0]))
    for spot in (*ground.arena.spawns, *ground.arena.pads):
        assert ways[ground.cell(*spot)] < _FAR_AWAY


def test_cover_goes_after_its_hits_and_then_bots_see_through(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(GOOD)
    ground = Ground(load_arena(tmp_path / "a.yaml"))
    (cover,) = ground.arena.cells(COVER)
    left, right = ground.arena.centre((2, 1)), ground.arena.centre((2, 2))
    assert not ground.sees(left, right)
    assert [ground.hit(cover) for _ in range(3)] == [2, 1, 0]
    assert ground.solid[cover] == FREE
    assert ground.sees(left, right)


@pytest.mark.parametrize(
    ("wrong", "right", "message", "line"),
    [
        ("frags: 2", "frags: 0", "frags: Input should be greater than or equal to 1", 3),
        ("1...2", "1..2", "the rows differ in length", 5),
        ("1...2", "1.?.2", 'unknown sign "\\?"', 5),
        ("1...2", "1...1", "start 1 is not there once", 5),
        ("  1...2\n  .o#+.\n", "", "5 x 3 cells", 5),
        ("seconds", "second", "second: unknown key", 2),
        ("name: Test", "name: [", "expected", 3),
    ],
)
def test_mistakes_are_told_with_file_and_line(tmp_path: Path, wrong: str, right: str, message: str, line: int) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text(GOOD.replace(wrong, right))
    with pytest.raises(AssetError, match=message) as raised:
        load_arena(file)
    assert raised.value.where is not None
    assert (raised.value.where.file, raised.value.where.line) == (str(file), line)


def test_a_folder_without_arenas_and_a_missing_file_are_errors(tmp_path: Path) -> None:
    with pytest.raises(AssetError, match="no arena"):
        load_arenas(tmp_path)
    with pytest.raises(AssetError, match="cannot read the arena"):
        load_arena(tmp_path / "none.yaml")
