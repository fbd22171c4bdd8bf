"""Named tuples from columns are those that calling their kind would give."""

from __future__ import annotations

from itertools import repeat
from typing import NamedTuple

import pytest

from renderwright.render.columns import named, rows_of


class Spot(NamedTuple):
    name: str
    place: int
    last: bool = False


def test_rows_are_what_calling_the_kind_gives() -> None:
    rows = rows_of(Spot, ["a", "b"], range(2), repeat(True))
    assert rows == [Spot("a", 0, True), Spot("b", 1, True)]
    assert [type(row) for row in rows] == [Spot, Spot]


def test_rows_get_their_names() -> None:
    rows = named(Spot, [("a", 0, True), ("b", 1, False)])
    assert rows == [Spot("a", 0, True), Spot("b", 1, False)]
    assert [row.name for row in rows] == ["a", "b"]


def test_no_rows() -> None:
    assert rows_of(Spot, [], [], []) == []


def test_each_field_has_a_column() -> None:
    with pytest.raises(AssertionError, match="not all fields"):
        rows_of(Spot, ["a"], [1])
