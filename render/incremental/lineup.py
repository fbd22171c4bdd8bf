"""What a function gave for many parts in a row, and how much of that holds for another row of parts.

Rows differ little from one run to the next, so what is the same is found stretch by stretch, where comparing costs next
to nothing.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, compress, count, groupby, islice, repeat
from operator import is_not, ne
from typing import Any, NamedTuple, TypeAlias

_FEW = 8
"""Behind so many differences between two rows, their parts are looked up one by one."""

_LONG = 16
"""And as soon as what lies between them is shorter than this on average."""

_STRETCH = 64
"""So many values are compared at once."""

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
        others = set(old.keys() - now.keys())
        if {**old, **now} != old:
            others |= {key for key in now if now[key] is not (known := old.get(key, _NEVER)) and now[key] != known}
        # Neighbours often have the same keys.
        if not others.isdisjoint(chain.from_iterable([keys for keys, _ in groupby(self.keys)])):
            yield from [number for number, keys in enumerate(self.keys) if not others.isdisjoint(keys)]


Column: TypeAlias = "list[Any] | repeat[Any] | Lookup"
"""One argument of all parts, or the same for each of them, or what each looks up."""


class Lineup(NamedTuple):
    """Parts, the arguments of the function by column, and its outputs."""

    parts: list[Hashable]
    columns: Sequence[Column]
    outputs: list[Any]

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
        column = list(values if isinstance(values, list | tuple) else islice(values, length))
        del column[length:]
        assert len(column) == length, "an input is too short"
        columns.append(column)
    return columns


class Standing(NamedTuple):
    """Where the parts of a row stood in another one: all of them where they stand now, but for slices of the other row
    that are ``gone`` and ``new`` parts, by number. If that does not say it, the ``places`` are given, -1 for new ones.
    """

    gone: Sequence[slice]
    new: Sequence[int]
    places: Sequence[int] | None = None

    def arranged(self, values: list[Any]) -> list[Any]:
        """What the parts had in the other row; anything for new ones."""
        if self.places is not None:
            return list(map([*values, _NEVER].__getitem__, self.places))
        found = values[:]
        for places in reversed(self.gone):
            del found[places]
        for number in self.new:
            found.insert(number, _NEVER)
        return found


_AS_NOW = Standing((), ())


class Rows:
    """The rows of parts that several functions are asked for, each of which is compared once with one before.

    Only some are kept, those asked for last among them.
    """

    KEPT = 64

    def __init__(self) -> None:
        self._rows: list[list[Hashable]] = []
        self._standings: dict[tuple[int, int], tuple[list[Hashable], list[Hashable], Standing]] = {}

    def row(self, parts: Iterable[Hashable]) -> list[Hashable]:
        """The parts, as the same object for an equal row."""
        row = parts if isinstance(parts, list) else list(parts)
        for known in self._rows:
            if known == row:
                return known
        if len(self._rows) == self.KEPT:
            self._rows.clear()
            self._standings.clear()
        self._rows.append(row := row[:])
        return row

    def standing(self, before: list[Hashable], row: list[Hashable]) -> Standing:
        """Where the parts of one of the rows stood before."""
        if before is row:
            return _AS_NOW
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
                changed.update(_different(column, known))
        elif isinstance(column, Lookup) and isinstance(old, Lookup):
            changed.update(column.affected(old))
        elif not (isinstance(column, repeat) and isinstance(old, repeat) and next(column) == next(old)):
            return outputs, list(range(len(outputs)))
    return outputs, sorted(changed)


def _standing(before: list[Hashable], parts: list[Hashable]) -> Standing:
    gone: list[slice] = []
    new: list[int] = []
    start = place = 0
    for turn in range(_FEW):
        length = _in_common(parts, start, before, place)
        start += length
        place += length
        if start == len(parts):
            return Standing([*gone, slice(place, None)], new)
        found = _place(before, parts[start], place)
        if 0 <= found < place or start < turn * _LONG:
            break
        if found < 0:
            new.append(start)
            start += 1
        else:
            gone.append(slice(place, found))
            place = found
    known = dict(zip(before, range(len(before)), strict=True))
    places = list(map(known.get, parts, repeat(-1)))
    return Standing((), [number for number, at in enumerate(places) if at < 0], places)


def _place(before: list[Hashable], part: Hashable, near: int) -> int:
    """Where a part stood, -1 for a new one; it is soonest found if that is not far behind ``near``."""
    for start, end in ((near, len(before)), (0, near)):
        try:
            return before.index(part, start, end)
        except ValueError:
            continue
    return -1


def _in_common(one: list[Hashable], start: int, other: list[Hashable], place: int) -> int:
    """How many parts are the same from there on."""
    if len(one) - start == len(other) - place and one[start:] == other[place:]:
        return len(one) - start
    length = 0
    while True:
        some = one[start + length : start + length + _STRETCH]
        others = other[place + length : place + length + _STRETCH]
        if some != others or not some:
            return length + next(compress(count(), map(ne, some, others)), min(len(some), len(others)))
        length += len(some)


def _different(column: list[Any], known: list[Any]) -> Iterator[int]:
    """The numbers of the values that are not equal."""
    for start in range(0, len(column), _STRETCH):
        some, others = column[start : start + _STRETCH], known[start : start + _STRETCH]
        if some != others:
            # Most are the very same objects, which is seen soonest.
            found = compress(count(start), map(is_not, some, others))
            yield from [number for number in found if column[number] != known[number]]
