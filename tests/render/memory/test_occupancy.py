"""Where occupied bytes leave room."""

from __future__ import annotations

from renderwright.render.memory.occupancy import Occupancy


def occupied() -> Occupancy:
    found = Occupancy()
    for unit, (low, end) in enumerate([(16, 24), (0, 10), (40, 50), (16, 24)]):
        found.put(unit, low, end)
    return found


def lowest(found: Occupancy, near: int, size: int, alignment: int = 1, floor: int = 0, limit: int = 1000) -> int:
    return found.lowest(near, size, alignment, floor, limit)


def test_gaps_are_found_between_and_above() -> None:
    assert lowest(occupied(), 0b1111, 6) == 10
    assert lowest(occupied(), 0b1111, 6, 4) == 24
    assert lowest(occupied(), 0b1111, 17, 4) == 52
    assert lowest(occupied(), 0b1111, 6, floor=11) == 24
    assert lowest(Occupancy(), 0b1111, 17, 4) == 0


def test_only_neighbours_are_in_the_way() -> None:
    assert lowest(occupied(), 0b1011, 30) == 24
    assert lowest(occupied(), 0b0010, 30) == 10
    assert lowest(occupied(), 0, 30) == 0


def test_nobody_looks_beyond_the_limit() -> None:
    assert lowest(occupied(), 0b1111, 17, limit=67) + 17 >= 67
    assert lowest(occupied(), 0b1111, 17, limit=68) == 50


def test_what_is_taken_away_leaves_room() -> None:
    found = occupied()
    found.take(0, 16, 24)
    assert lowest(found, 0b1111, 20) == 50
    found.take(3, 16, 24)
    assert lowest(found, 0b1111, 20) == 10
