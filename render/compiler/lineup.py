"""What a function gave for many parts in a row, and how much of that holds for another row of parts.

Rows differ little from one run to the next, so what is the same is found stretch by stretch, where comparing costs next
to nothing.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import compress, count, islice, repeat
from operator import is_not, ne
from typing import Any, NamedTuple, TypeAlias

from render.compiler.alike import runs

_FEW = 8
"""Behind so many stretches, and new parts between them, the others are looked up one by one."""

_LONG = 16
"""And behind three that are shorter than this on average."""

_NEVER = object()


class Lookup(NamedTuple):
    """An argument that each part finds in a table: a tuple of what there is for its keys, None where there is nothing.

    The keys must follow from the other arguments. What has other contents is seen in the table, key by key, so nobody
    has to put the tuples together for parts that are known.
    """

    table: Mapping[Any, Any]
    keys: Sequence[Sequence[Any]]

    def row(self, number: int) -> tuple[Any, ...]:
        """What one part finds."""
        return tuple(map(self.table.get, self.keys[number]))

    def affected(self, before: Lookup) -> Iterator[int]:
        """Those of the parts that would have found something else before."""
        now, old = self.table, before.table
        if now is old:
            return
        others = {key for key, value in now.items() if value is not (known := old.get(key, _NEVER)) and value != known}
        others.update([key for key in old if key not in now])
        if others:
            for first, end in zip(*runs(self.keys), strict=True):
                if not others.isdisjoint(self.keys[first]):
                    yield from range(first, end)


Column: TypeAlias = "list[Any] | repeat[Any] | Lookup"
"""One argument of all parts, or the same for each of them, or what each looks up."""


class Lineup(NamedTuple):
    """Parts, the arguments of the function by column, and its outputs."""

    parts: Sequence[Hashable] = ()
    columns: Sequence[Column] = ()
    outputs: Sequence[Any] = ()

    def rows(self, numbers: Iterable[int]) -> Iterator[tuple[Any, ...]]:
        """The arguments of the parts with these numbers; endless where all of them are given by ``repeat``."""
        return zip(*[_values(column, numbers) for column in self.columns], strict=False)


def _values(column: Column, numbers: Iterable[int]) -> Iterable[Any]:
    if isinstance(column, repeat):
        return column
    return map(column.row if isinstance(column, Lookup) else column.__getitem__, numbers)


def columns_of(inputs: Iterable[Iterable[Any]], length: int) -> list[Column]:
    """The arguments of so many parts."""
    columns: list[Column] = []
    for values in inputs:
        if isinstance(values, repeat):
            columns.append(values)
            continue
        if isinstance(values, Lookup):
            assert len(values.keys) == length, "an input is too short"
            columns.append(values)
            continue
        column = list(values[:length] if isinstance(values, list | tuple) else islice(values, length))
        assert len(column) == length, "an input is too short"
        columns.append(column)
    return columns


class Standing(NamedTuple):
    """Where the parts of a row stood in another one: stretches that follow one another as slices, and numbers of single
    parts, -1 for new ones; ``new`` are the own numbers of those."""

    stretches: Sequence[slice | Sequence[int]]
    new: Sequence[int]

    def arranged(self, values: Sequence[Any]) -> list[Any]:
        """What the parts had in the other row; anything for new ones."""
        found: list[Any] = []
        for places in self.stretches:
            if isinstance(places, slice):
                found += values[places]
            else:
                found += map((*values, _NEVER).__getitem__, places)
        return found


class Rows:
    """The rows of parts that several functions are asked for, each of which is compared once with one before.

    Only some are kept, those asked for last among them.
    """

    KEPT = 64

    def __init__(self) -> None:
        self._rows: list[list[Hashable]] = []
        self._standings: dict[tuple[int, int], tuple[Sequence[Hashable], list[Hashable], Standing]] = {}

    def row(self, parts: Iterable[Hashable]) -> list[Hashable]:
        """The parts, as the same object for an equal row."""
        row = list(parts)
        for known in self._rows:
            if known == row:
                return known
        if len(self._rows) == self.KEPT:
            self._rows.clear()
            self._standings.clear()
        self._rows.append(row)
        return row

    def standing(self, before: Sequence[Hashable], row: list[Hashable]) -> Standing:
        """Where the parts of one of the rows stood before."""
        key = id(before), id(row)
        if key not in self._standings:
            self._standings[key] = before, row, _standing(before, row)
        return self._standings[key][-1]


def taken_over(
    before: Lineup, row: list[Hashable], columns: Sequence[Column], rows: Rows
) -> tuple[list[Any], list[int]]:
    """The outputs for the parts of a row with these arguments as far as they are known, and the numbers of those that
    are not."""
    if not before.parts:
        return [None] * len(row), list(range(len(row)))
    standing = rows.standing(before.parts, row)
    outputs = standing.arranged(before.outputs)
    changed = set(standing.new)
    for column, old in zip(columns, before.columns, strict=True):
        if isinstance(column, list) and isinstance(old, list):
            known = standing.arranged(old)
            if column != known:
                # Most are the very same objects, which is seen soonest.
                others = compress(range(len(column)), map(is_not, column, known))
                changed.update([number for number in others if column[number] != known[number]])
        elif isinstance(column, Lookup) and isinstance(old, Lookup):
            changed.update(column.affected(old))
        elif not (isinstance(column, repeat) and isinstance(old, repeat) and next(column) == next(old)):
            return outputs, list(range(len(outputs)))
    return outputs, sorted(changed)


def _standing(before: Sequence[Hashable], parts: Sequence[Hashable]) -> Standing:
    stretches: list[slice | Sequence[int]] = []
    new: list[int] = []
    start = place = 0
    for turn in range(_FEW):
        if start == len(parts) or (turn >= 3 and start < turn * _LONG):
            break
        if place >= len(before) or parts[start] != before[place]:
            found = _place(before, parts[start], place)
            if found < 0:
                stretches.append((-1,))
                new.append(start)
                start += 1
                continue
            place = found
        length = _in_common(parts[start:], before[place:])
        stretches.append(slice(place, place + length))
        start += length
        place += length
    if start < len(parts):
        known = dict(zip(before, range(len(before)), strict=True))
        places = list(map(known.get, parts[start:], repeat(-1)))
        stretches.append(places)
        new += [number for number, at in enumerate(places, start) if at < 0]
    return Standing(stretches, new)


def _place(before: Sequence[Hashable], part: Hashable, near: int) -> int:
    """Where a part stood, -1 for a new one; it is soonest found if that is not far behind ``near``."""
    for start in (near, 0):
        try:
            return before.index(part, start)
        except ValueError:
            continue
    return -1


def _in_common(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    """How many parts are the same from the beginning on."""
    most = min(len(one), len(other))
    if one[:most] == other[:most]:
        return most
    return next(compress(count(), map(ne, one, other)))
