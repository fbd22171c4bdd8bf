"""What a function gave for many parts in a row, and how much of that holds for another row of parts.

Rows differ little from one run to the next, so what is the same is found stretch by stretch, where comparing costs next
to nothing.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import compress, groupby, islice, repeat
from operator import is_not
from typing import Any, NamedTuple, TypeAlias

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

    def affected(self, before: Lookup, start: int, end: int) -> Iterator[int]:
        """Those of the parts number ``start`` to ``end`` that have found something else before."""
        now, old = self.table, before.table
        if now is old:
            return
        others = {key for key in now if now[key] is not old.get(key, _NEVER) and now[key] != old.get(key, _NEVER)}
        others.update(old.keys() - now.keys())
        if others:
            for keys, numbers in groupby(range(start, end), self.keys.__getitem__):
                if not others.isdisjoint(keys):
                    yield from numbers


Column: TypeAlias = "list[Any] | repeat[Any] | Lookup"
"""One argument of all parts, or the same for each of them, or what each looks up."""


class Lineup(NamedTuple):
    """Parts, the arguments of the function by column, and its outputs."""

    parts: Sequence[Hashable] = ()
    columns: Sequence[Column] = ()
    outputs: Sequence[Any] = ()

    def row(self, number: int) -> tuple[Any, ...]:
        """The arguments of one part."""
        return tuple([_value(column, number) for column in self.columns])


def _value(column: Column, number: int) -> Any:
    if isinstance(column, repeat):
        return next(column)
    return column.row(number) if isinstance(column, Lookup) else column[number]


def columns_of(inputs: Iterable[Iterable[Any]], length: int) -> list[Column]:
    """The arguments of so many parts."""
    columns: list[Column] = []
    for values in inputs:
        column = values if isinstance(values, repeat | Lookup) else list(islice(values, length))
        own = column.keys if isinstance(column, Lookup) else column
        assert isinstance(own, repeat) or len(own) == length, "an input is too short"
        columns.append(column)
    return columns


def taken_over(before: Lineup, parts: Sequence[Hashable], columns: Sequence[Column]) -> tuple[list[Any], list[int]]:
    """The outputs for parts with these arguments as far as they are known, and the numbers of those that are not."""
    if not before.parts:
        return [None] * len(parts), list(range(len(parts)))
    outputs: list[Any] = []
    unknown: list[int] = []
    for places in _places(before.parts, parts):
        start = len(outputs)
        end = start + len(places)
        if isinstance(places, range):
            outputs += before.outputs[places.start : places.stop]
        else:
            outputs += map((*before.outputs, None).__getitem__, places)
        unknown += _changed(before, places, columns, start, end)
    return outputs, unknown


def _changed(before: Lineup, places: Sequence[int], columns: Sequence[Column], start: int, end: int) -> Sequence[int]:
    """Which of the parts number ``start`` to ``end``, which had the ``places`` before, have other arguments now."""
    changed: set[int] = set()
    for column, old in zip(columns, before.columns, strict=True):
        if isinstance(column, repeat) or isinstance(old, repeat):
            if not (isinstance(column, repeat) and isinstance(old, repeat) and next(column) == next(old)):
                return range(start, end)
            continue
        if isinstance(column, Lookup) or isinstance(old, Lookup):
            if not (isinstance(column, Lookup) and isinstance(old, Lookup)):
                return range(start, end)
            changed.update(column.affected(old, start, end))
            continue
        mine = column[start:end]
        if isinstance(places, range):
            theirs = old[places.start : places.stop]
        else:
            theirs = list(map((*old, _NEVER).__getitem__, places))
        if mine == theirs:
            continue
        # Most are the very same objects, which is seen soonest.
        others = compress(range(len(mine)), map(is_not, mine, theirs))
        changed.update([start + number for number in others if mine[number] != theirs[number]])
    if not isinstance(places, range) and -1 in places:
        changed.update([number for number, place in enumerate(places, start) if place < 0])
    return sorted(changed)


def _places(before: Sequence[Hashable], parts: Sequence[Hashable]) -> Iterator[Sequence[int]]:
    """Where the parts stood before, -1 for new ones; ranges of parts that follow one another as they did."""
    start = place = 0
    for turn in range(_FEW):
        if start == len(parts):
            return
        if turn >= 3 and start < turn * _LONG:
            break
        if place >= len(before) or parts[start] != before[place]:
            try:
                place = before.index(parts[start])
            except ValueError:
                yield [-1]
                start += 1
                continue
        stretch = _in_common(parts, start, before, place)
        yield range(place, place + stretch)
        start += stretch
        place += stretch
    if start < len(parts):
        known = dict(zip(before, range(len(before)), strict=True))
        yield list(map(known.get, parts[start:], repeat(-1)))


def _in_common(parts: Sequence[Hashable], start: int, before: Sequence[Hashable], place: int) -> int:
    """How many parts are the same from two numbers on."""
    same, differ = 0, min(len(parts) - start, len(before) - place) + 1
    end = differ - 1
    # Slices are compared much sooner than one part after the other.
    while same < end:
        if parts[start + same : start + end] == before[place + same : place + end]:
            same = end
        else:
            differ = end
        end = (same + differ) // 2
    return same
