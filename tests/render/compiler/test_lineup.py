"""What a function gave for a row of parts holds for any other row, as far as parts and arguments are the same."""

from __future__ import annotations

import random
from itertools import repeat

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from renderwright.render.incremental.lineup import Lineup, Lookup, Rows, columns_of, taken_over
from renderwright.render.incremental.memo import Parts

given_time = settings(deadline=None, derandomize=True, database=None)


def edited(row: list[str], rng: random.Random) -> list[str]:
    """The row with some parts gone, some new, and perhaps some in other places."""
    kept = [part for part in row if rng.random() > 0.1]
    for _ in range(rng.randrange(3)):
        kept.insert(rng.randint(0, len(kept)), f"new{rng.randrange(1000)}")
    kind = rng.random()
    if kind < 0.2:
        rng.shuffle(kept)
    elif kind < 0.5 and kept:
        kept.append(kept.pop(rng.randrange(len(kept))))
    return list(dict.fromkeys(kept))


@settings(given_time, max_examples=200)
@given(st.integers(0, 2**32), st.integers(0, 60))
def test_a_row_is_taken_over_where_parts_and_arguments_are_the_same(seed: int, count: int) -> None:
    rng = random.Random(seed)
    before = [f"part{number}" for number in range(count)]
    ages = {part: (rng.randrange(3),) for part in before}
    now = edited(before, rng)
    new_ages = {part: ages[part] if part in ages and rng.random() > 0.1 else (rng.randrange(3),) for part in now}
    same, other = "same", "same" if rng.random() > 0.2 else "other"
    old = Lineup(before, columns_of([map(ages.get, before), repeat(same)], count), [object() for _ in before])
    outputs, unknown = taken_over(old, now, columns_of([map(new_ages.get, now), repeat(other)], len(now)), Rows())
    known = dict(zip(before, old.outputs, strict=True))
    wanted = [number for number, part in enumerate(now) if same != other or ages.get(part) != new_ages[part]]
    assert unknown == wanted
    assert all(outputs[number] is known[now[number]] for number in set(range(len(now))) - set(unknown))


def test_the_row_of_the_last_run_is_compared() -> None:
    def double(number: int, times: int) -> list[int]:
        return [times * number]

    first = Parts()
    names = [f"{number}" for number in range(20)]
    before = first.of(double).all(names, range(20), repeat(2))
    again = Parts(first.tables)
    after = again.of(double).all(names[3:], [*range(3, 19), 40], repeat(2))
    assert after == [[2 * number] for number in [*range(3, 19), 40]]
    assert all(one is other for one, other in zip(after[:-1], before[3:-1], strict=True))
    assert again.computed == 1
    assert Parts(again.tables).of(double).all(names, range(20), repeat(3)) == [[3 * number] for number in range(20)]


def test_equal_outputs_of_several_parts_may_be_one_object() -> None:
    def sign(number: int) -> tuple[str, bool]:
        return ("sign", number < 0)

    parts = Parts()
    one, other, third = parts.of(sign, shared=True).all("abc", [1, 2, -3])
    assert one is other
    assert third == ("sign", True)
    again = Parts(parts.tables)
    assert again.of(sign, shared=True).all("abcd", [1, 2, -3, 4])[3] is one


def test_an_input_must_be_long_enough() -> None:
    with pytest.raises(AssertionError, match="too short"):
        Parts().of(str.upper).all(["a", "b"], ["a"])


def test_only_those_are_computed_anew_who_find_something_else_in_a_table() -> None:
    asked: list[str] = []

    def words(name: str, found: tuple[str | None, ...]) -> str:
        asked.append(name)
        return f"{name}: {found}"

    keys = {"one": "ab", "two": "bc", "three": "cd", "four": "xy", "five": "a"}
    parts, table = list(keys), {"a": "1", "b": "2", "c": "3", "d": "4"}
    first = Parts()
    before = first.of(words).all(parts, parts, Lookup(table, list(keys.values())))
    assert before[3] == "four: (None, None)"
    for changed, affected in (
        (dict(table), []),
        (table | {"c": "new"}, ["two", "three"]),
        (table | {"x": "new"}, ["four"]),
        ({"b": "2", "c": "3", "d": "4"}, ["one", "five"]),
    ):
        asked.clear()
        again = Parts(first.tables).of(words).all(parts[:], parts[:], Lookup(changed, list(keys.values())))
        assert asked == affected
        assert again == [words(name, tuple(map(changed.get, keys[name]))) for name in parts]
